/** A value of a mail never becomes another header field, another recipient or another mail. */

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { startSmtp } from '@ostiary/test-kit/mail/smtp'
import { describe, expect, it, onTestFinished } from 'vitest'
import { smtpMailer } from '../src/mail/smtp-mailer.ts'
import { outgoing } from './outgoing-mail.ts'

const FIELDS = [
  'auto-submitted',
  'content-type',
  'date',
  'from',
  'message-id',
  'mime-version',
  'subject',
  'to',
]
const ATTACK = 'eve@example.net'

async function sent(changes: Parameters<typeof outgoing>[0]) {
  const server = await startSmtp()
  const mailer = smtpMailer(server.url, { timeout_ms: 120_000 })
  onTestFinished(() => {
    mailer.close()
    return server.close()
  })
  const error = await mailer.send(outgoing(changes)).then(
    () => null,
    (thrown: unknown) => thrown,
  )
  return { mails: server.mails, error }
}

const LINE_BREAKS = ['\r\n', '\n', '\r', '\u2028', '\u0085', '\0', '\r\n\r\n']

describe.each(LINE_BREAKS)('a line break %j', (br) => {
  const hostile = `a${br}Bcc: ${ATTACK}${br}Subject: other${br}${br}<script>`

  it.each([
    ['subject', { subject: hostile }],
    ['header', { headers: { 'Auto-Submitted': hostile } }],
    ['message_id', { message_id: hostile }],
  ] as const)('in %s adds no header field', async (_, changes) => {
    const { mails, error } = await sent(changes)
    expect(error).toBeNull()
    expect(mails).toHaveLength(1)
    expect([...(mails[0]?.headers.keys() ?? [])].sort()).toEqual(FIELDS)
    expect(mails[0]?.recipients).toEqual(['ann@example.org'])
    expect(mails[0]?.text).toBe(outgoing().text)
  })

  it('in the name of a header field adds no other one', async () => {
    const { mails } = await sent({ headers: { [`X-A: b${br}Bcc`]: ATTACK } })
    expect(mails).toHaveLength(1)
    expect(mails[0]?.bcc).toBeUndefined()
    expect(mails[0]?.recipients).toEqual(['ann@example.org'])
    expect(mails[0]?.text).toBe(outgoing().text)
  })

  it.each([
    ['to', { to: `ann@example.org${br}RCPT TO:<${ATTACK}>` }],
    ['to', { to: `ann@example.org${br}` }],
    ['from', { from: `Example${br}Bcc: ${ATTACK} <id@example.com>` }],
    ['from', { from: `"Example${br}" <id@example.com>` }],
    ['reply_to', { reply_to: `help@example.com${br}Bcc: ${ATTACK}` }],
  ] as const)('in %s is refused: %j', async (_, changes) => {
    const { mails, error } = await sent(changes)
    expect(error).toMatchObject({ reason: 'invalid', permanent: true })
    expect(mails).toEqual([])
  })

  it('in the texts ends neither the part nor the mail', async () => {
    const text = `a${br}.${br}MAIL FROM:<${ATTACK}>${br}--boundary--${br}Content-Type: text/html${br}`
    const { mails } = await sent({ text, html: text })
    expect(mails).toHaveLength(1)
    expect(mails[0]?.attachments).toEqual([])
    expect(mails[0]?.headers.get('content-type')).toMatchObject({ value: 'multipart/alternative' })
    expect(mails[0]?.text).toContain('MAIL FROM')
    expect(mails[0]?.html).toContain('--boundary--')
  })
})

it.each([
  `ann@example.org, ${ATTACK}`,
  `ann@example.org;${ATTACK}`,
  `Ann <ann@example.org>, ${ATTACK}`,
  `ann@example.org> SIZE=1 <${ATTACK}`,
  `"${ATTACK}" ann@example.org`,
  `"ann@example.org,${ATTACK}"@example.com`,
  `group:ann@example.org,${ATTACK};`,
  'Ann <ann@example.org>',
  `ann@[127.0.0.1]`,
  'ann@example.org (comment)',
  'ann',
  '',
])('a recipient that is more or less than one address is refused: %j', async (to) => {
  const { mails, error } = await sent({ to })
  expect(error).toMatchObject({ reason: 'invalid', permanent: true })
  expect(mails).toEqual([])
})

it('a header field with addresses adds no recipient', async () => {
  const { mails } = await sent({ headers: { Bcc: ATTACK, Cc: ATTACK } })
  expect(mails[0]?.recipients).toEqual(['ann@example.org'])
})

it('no file and no URL is read', async () => {
  const requests: string[] = []
  const site = createServer(({ url = '' }, response) => {
    requests.push(url)
    response.end('content')
  }).listen(0, '127.0.0.1')
  await once(site, 'listening')
  onTestFinished(() => void site.close())
  const href = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`
  for (const content of [{ path: fileURLToPath(import.meta.url) }, { href }]) {
    const { mails, error } = await sent({ text: content as never })
    expect(error).toMatchObject({ name: 'MailError' })
    expect(mails).toEqual([])
  }
  expect(requests).toEqual([])
})
