/** Mails to a real mail server on this machine. */

import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { MailError } from '@ostiary/identity/mail'
import { type SmtpOptions, startSmtp } from '@ostiary/test-kit/mail/smtp'
import { freePort } from '@ostiary/test-kit/ports'
import { describe, expect, it, onTestFinished } from 'vitest'
import { smtpMailers } from '../src/mail/index.ts'
import { tryConnection } from '../src/mail/smtp-connection.ts'
import { type SmtpMailerOptions, smtpMailer } from '../src/mail/smtp-mailer.ts'
import { RUNTIME } from './_sources.ts'
import { outgoing } from './outgoing-mail.ts'

/** Where the mail server never answers. */
const SHORT_MS = 300
/** Where it does, on a busy machine too. */
const LONG_MS = 120_000

async function mailServer(options: SmtpOptions = {}) {
  const server = await startSmtp(options)
  onTestFinished(() => server.close())
  return server
}

function mailerTo(url: string, options: SmtpMailerOptions = {}) {
  const mailer = smtpMailer(url, { timeout_ms: LONG_MS, ...options })
  onTestFinished(() => mailer.close())
  return mailer
}

/** The error of an attempt, as the log has it. */
async function failure(attempt: Promise<void>): Promise<{ reason: string; permanent: boolean }> {
  const error = await attempt.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof MailError)) throw new Error(`no MailError: ${error}`)
  expect(error.cause).toBeUndefined()
  expect(error.message).toBe(`the mail was not sent: ${error.reason}`)
  return { reason: error.reason, permanent: error.permanent }
}

/** The answer that a process gets that trusts the CA of the mail server. */
async function sentByTrusting({ url, ca_file }: { url: string; ca_file: string }): Promise<string> {
  const script = fileURLToPath(new URL('send-mails.ts', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [...RUNTIME, script, url, String(LONG_MS)], {
    env: { ...process.env, NODE_EXTRA_CA_CERTS: ca_file },
  })
  return stdout
}

describe('a mail', () => {
  it('arrives as it was given, as text and HTML', async () => {
    const server = await mailServer()
    const replies: string[] = []
    const mailer = mailerTo(server.url, { on_reply: (reply) => replies.push(reply) })
    await mailer.send(outgoing({ reply_to: '"Doe, Jane" <help@example.com>', subject: 'Grüße' }))
    const [mail] = server.mails
    expect(mail).toMatchObject({
      recipients: ['ann@example.org'],
      subject: 'Grüße',
      from: { value: [{ name: 'Example', address: 'id@example.com' }] },
      to: { value: [{ name: '', address: 'ann@example.org' }] },
      replyTo: { value: [{ name: 'Doe, Jane', address: 'help@example.com' }] },
      messageId: '<AAAAAAAAAAAAAAAAAAAAAA@id.example.com>',
      html: outgoing().html,
      text: outgoing().text,
    })
    expect(mail?.headers.get('auto-submitted')).toBe('auto-generated')
    expect([...(mail?.headers.keys() ?? [])].sort()).toEqual([
      'auto-submitted',
      'content-type',
      'date',
      'from',
      'message-id',
      'mime-version',
      'reply-to',
      'subject',
      'to',
    ])
    expect(replies).toEqual([expect.stringMatching(/^250 .*queued as 4B1F/)])
  })

  it('goes over two connections at most, which are used again', async () => {
    const server = await mailServer()
    const mailer = mailerTo(server.url)
    const numbers = Array.from({ length: 10 }, (_, n) => `Number ${n}`)
    await Promise.all(numbers.map((subject) => mailer.send(outgoing({ subject }))))
    expect(server.mails.map(({ subject }) => subject).sort()).toEqual(numbers)
    expect(server.connections()).toBe(2)
  })

  it('of realms with the same mail server goes over the same connections', async () => {
    const [server, other] = [await mailServer(), await mailServer()]
    const mailers = smtpMailers({ timeout_ms: LONG_MS })
    onTestFinished(() => mailers.close())
    for (const url of [server.url, server.url, other.url]) await mailers.to(url).send(outgoing())
    expect([server.mails.length, server.connections()]).toEqual([2, 1])
    expect([other.mails.length, other.connections()]).toEqual([1, 1])
  })

  it('is not sent after the end', async () => {
    const server = await mailServer()
    const mailers = smtpMailers()
    await mailers.to(server.url).send(outgoing())
    mailers.close()
    expect(await failure(mailers.to(server.url).send(outgoing()))).toEqual({
      reason: 'unreachable',
      permanent: false,
    })
  })

  it('is sent by a new connection where the mail server has ended the old one', async () => {
    const server = await mailServer()
    const mailer = mailerTo(server.url)
    await mailer.send(outgoing())
    server.endConnections()
    await mailer.send(outgoing())
    expect(server.mails).toHaveLength(2)
    expect(server.connections()).toBe(2)
  })
})

describe('what a mail server refuses', () => {
  it('a recipient: 550 is permanent, and the text of the mail server is only for the operator', async () => {
    const server = await mailServer({ refuse: { 'ann@example.org': 550 } })
    const replies: string[] = []
    const mailer = mailerTo(server.url, { on_reply: (reply) => replies.push(reply) })
    expect(await failure(mailer.send(outgoing()))).toEqual({ reason: 'smtp_550', permanent: true })
    expect(replies).toEqual(['550 no mailbox ann@example.org'])
    await mailer.send(outgoing({ to: 'bob@example.org' }))
    expect(server.mails.map(({ recipients }) => recipients)).toEqual([['bob@example.org']])
  })

  it('the first attempt: 451 is not permanent, and the next one is accepted', async () => {
    const server = await mailServer({ greylist: true })
    const mailer = mailerTo(server.url)
    expect(await failure(mailer.send(outgoing()))).toEqual({ reason: 'smtp_451', permanent: false })
    await mailer.send(outgoing())
    expect(server.mails).toHaveLength(1)
  })

  it('credentials: not permanent, because it is no fault of the mail', async () => {
    const server = await mailServer({ auth: { user: 'id', pass: 'the right one' } })
    const mailer = mailerTo(server.url.replace('right', 'wrong'))
    expect(await failure(mailer.send(outgoing()))).toEqual({ reason: 'auth', permanent: false })
    expect(await failure(tryConnection(server.url.replace('right', 'wrong'), LONG_MS))).toEqual({
      reason: 'auth',
      permanent: false,
    })
  })

  it('credentials that it cannot check now: 454 is a reply as others are', async () => {
    const url = await replying({ AUTH: '454 4.7.0 later' })
    const mailer = mailerTo(url.replace('//', '//id:secret@'))
    expect(await failure(mailer.send(outgoing()))).toEqual({ reason: 'smtp_454', permanent: false })
  })

  it('mails without credentials: 530 is not permanent either', async () => {
    const server = await mailServer({ auth: { user: 'id', pass: 'secret' } })
    const mailer = mailerTo(server.url.replace('id:secret@', ''))
    expect(await failure(mailer.send(outgoing()))).toEqual({ reason: 'auth', permanent: false })
  })

  it('credentials that it does not ask for: a mail does not leave without them', async () => {
    const server = await mailServer()
    const mailer = mailerTo(server.url.replace('//', '//id:secret@'))
    expect(await failure(mailer.send(outgoing()))).toEqual({ reason: 'auth', permanent: false })
    expect(server.mails).toEqual([])
  })

  it.each([
    [
      'every client: 554 in place of a greeting',
      { greeting: '554 no service for you' },
      { reason: 'smtp_554', permanent: false },
    ],
    ['the sender', { MAIL: '553 not your address' }, { reason: 'smtp_553', permanent: true }],
    ['the text of a mail', { '.': '554 spam' }, { reason: 'smtp_554', permanent: true }],
    [
      'a command that it did not expect: 503',
      { MAIL: '503 not now' },
      { reason: 'smtp_503', permanent: false },
    ],
    ['more than it can do now: 421', { RCPT: '421 closing' }, { reason: 'smtp_421', permanent: false }],
  ] as const)('%s', async (_, replies, error) => {
    const mailer = mailerTo(await replying(replies))
    expect(await failure(mailer.send(outgoing()))).toEqual(error)
  })

  it('a reply of several lines, with control characters, is shown as one line', async () => {
    const replies: string[] = []
    const on_reply = (reply: string) => replies.push(reply)
    const accepts = await replying({ '.': '250-\x1b[31mmany\r\n250 thanks' })
    await mailerTo(accepts, { on_reply }).send(outgoing())
    const refuses = await replying({ RCPT: '550 no \x1b[31mmailbox' })
    await failure(mailerTo(refuses, { on_reply }).send(outgoing()))
    expect(replies).toEqual(['250- [31mmany 250 thanks', '550 no  [31mmailbox'])
  })
})

describe('a mail server that fails', () => {
  it('cannot be reached', async () => {
    const mailer = mailerTo(`smtp://127.0.0.1:${await freePort()}`)
    expect(await failure(mailer.send(outgoing()))).toEqual({ reason: 'unreachable', permanent: false })
  })

  it('ends the connection in the middle of a mail: the next attempt succeeds', async () => {
    const server = await mailServer({ dies_in_data: true })
    const mailer = mailerTo(server.url)
    expect(await failure(mailer.send(outgoing()))).toEqual({ reason: 'unreachable', permanent: false })
    expect(server.mails).toEqual([])
    await mailer.send(outgoing())
    expect(server.mails).toHaveLength(1)
  })

  it.each(['connection', 'data'] as const)(
    'says nothing (%s): the attempt ends by itself',
    async (silent) => {
      const server = await mailServer({ silent })
      const mailer = mailerTo(server.url, { timeout_ms: SHORT_MS })
      expect(await failure(mailer.send(outgoing()))).toEqual({ reason: 'timeout', permanent: false })
    },
  )

  it('says nothing to several mails: each has its time from the connection on', async () => {
    const server = await mailServer({ silent: 'data' })
    const mailer = mailerTo(server.url, { timeout_ms: SHORT_MS })
    const attempts = ['1', '2', '3', '4'].map((subject) => failure(mailer.send(outgoing({ subject }))))
    expect(new Set((await Promise.all(attempts)).map(({ reason }) => reason))).toEqual(new Set(['timeout']))
    expect(server.connections()).toBe(4)
  })

  it('never ends its reply: the limit of time is one for the whole attempt', async () => {
    const port = await talking((socket) => {
      socket.write('220 mail.example.com\r\n')
      const timer = setInterval(() => socket.write('250-ANOTHER\r\n'), SHORT_MS / 10)
      socket.on('close', () => clearInterval(timer))
    })
    const url = `smtp://127.0.0.1:${port}`
    const mailer = mailerTo(url, { timeout_ms: SHORT_MS })
    expect(await failure(mailer.send(outgoing()))).toEqual({ reason: 'timeout', permanent: false })
    expect(await failure(tryConnection(url, SHORT_MS))).toEqual({ reason: 'timeout', permanent: false })
  })
})

describe('TLS', () => {
  const auth = { user: 'id@example.com', pass: 'p:/@ %?#ü' }

  it.each(['implicit', 'starttls'] as const)('%s: a CA of NODE_EXTRA_CA_CERTS is trusted', async (tls) => {
    const server = await mailServer({ tls, auth })
    expect(await sentByTrusting(server)).toMatch(/^250 .*queued as 4B1F/)
    expect(server.mails).toHaveLength(1)
    expect(server.logins()).toBe(2)
  })

  it.each(['implicit', 'starttls'] as const)('%s: another CA is not trusted', async (tls) => {
    const server = await mailServer({ tls, auth })
    const mailer = mailerTo(server.url)
    expect(await failure(mailer.send(outgoing()))).toEqual({ reason: 'tls', permanent: false })
    expect(await failure(tryConnection(server.url, LONG_MS))).toEqual({ reason: 'tls', permanent: false })
    expect(server.logins()).toBe(0)
  })

  it.each(['implicit', 'starttls'] as const)('%s: nor is a certificate for another name', async (tls) => {
    const server = await mailServer({ tls, auth, certified_name: 'other.example.com' })
    expect(await sentByTrusting(server)).toBe('the mail was not sent: tls')
    expect(server.logins()).toBe(0)
  })

  it('a mail server elsewhere that offers no STARTTLS gets neither credentials nor mails', async () => {
    const server = await mailServer({ hides_starttls: true, auth })
    const mailer = mailerTo(server.url)
    expect(await failure(mailer.send(outgoing()))).toEqual({ reason: 'starttls', permanent: false })
    expect(server.logins()).toBe(0)
  })

  it('an address for TLS that speaks without', async () => {
    const { url } = await mailServer()
    const mailer = mailerTo(url.replace('smtp:', 'smtps:'))
    expect(await failure(mailer.send(outgoing()))).toEqual({ reason: 'tls', permanent: false })
  })
})

/** A mail server that gives these replies, and 250 to other commands. @returns Its URL. */
async function replying(replies: Record<string, string>): Promise<string> {
  const port = await talking((socket) => {
    socket.write(`${replies.greeting ?? '220 mail.example.com'}\r\n`)
    createInterface(socket).on('line', (line) => {
      const verb = /^(?:EHLO|AUTH|MAIL|RCPT|DATA|RSET|QUIT|\.$)/.exec(line)?.[0]
      if (verb !== undefined)
        socket.write(`${replies[verb] ?? (verb === 'DATA' ? '354 go on' : '250 ok')}\r\n`)
    })
  })
  return `smtp://127.0.0.1:${port}`
}

/** A server that is no mail server. @returns Its port. */
async function talking(talk: (socket: Socket) => void): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.resume()
    talk(socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}
