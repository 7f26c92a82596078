/** `ostiary mail test`, with a real mail server. */

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type SmtpOptions, startSmtp } from '@ostiary/test-kit/mail/smtp'
import { describe, expect, it, onTestFinished } from 'vitest'
import { run } from '../src/index.ts'
import { FILE, folder, SECRET } from './support.ts'

const FROM = 'Example <id@example.com>'
const MAIL = {
  ...FILE,
  identity: { mail: { from: FROM, reply_to: 'help@example.com' } },
  theme: { name: 'Example' },
}

async function mailTest(words: string, { file = MAIL as object, env = {} } = {}) {
  const cwd = await folder()
  await writeFile(join(cwd, 'ostiary.config.json'), JSON.stringify(file))
  const out: string[] = []
  const err: string[] = []
  const code = await run(
    ['mail', 'test', ...words.split(' ')],
    { serve: async () => 7 },
    {
      env: { OIDC_SECRET: SECRET, LOG_FORMAT: 'json', ...env },
      cwd,
      stdin: async () => '',
      out: (text) => void out.push(text),
      err: (text) => void err.push(text),
    },
  )
  return { code, out: out.join(''), err: err.join('') }
}

async function mailServer(options: SmtpOptions = {}) {
  const server = await startSmtp(options)
  onTestFinished(() => server.close())
  return server
}

describe('mail test', () => {
  it('sends one mail, shows the reply, and leaves an event without the address', async () => {
    const server = await mailServer()
    const { code, out, err } = await mailTest('ann@example.org', { env: { SMTP_URL: server.url } })
    expect(code).toBe(0)
    expect(out).toMatch(new RegExp(`^${server.url} accepted the mail: 250 .*queued as 4B1F\n$`))
    const [mail, ...others] = server.mails
    expect(others).toEqual([])
    expect(mail).toMatchObject({
      recipients: ['ann@example.org'],
      from: { text: '"Example" <id@example.com>' },
      replyTo: { text: 'help@example.com' },
      subject: 'Test email of Example',
      text: 'The realm default of http://localhost:4000 can send emails.\n',
      html: false,
      messageId: expect.stringMatching(/^<[\w-]{22}@localhost>$/),
    })
    expect(mail?.headers.get('auto-submitted')).toBe('auto-generated')
    expect(JSON.parse(err)).toMatchObject({
      event: 'command.done',
      command: 'mail test',
      realm: 'default',
      count: { mails: 1 },
    })
    expect(err).not.toContain('ann@')
  })

  it('of another realm, as JSON', async () => {
    const server = await mailServer()
    const file = {
      app: FILE.app,
      oidc: { routes: { realms: 'path' }, realms: { acme: {}, other: {} } },
      realms: {
        acme: { identity: { mail: { from: 'acme@example.com', smtp_url_env: 'ACME_URL' } } },
        other: { identity: { mail: { from: FROM } } },
      },
    }
    const env = { ACME_URL: server.url }
    const { code, out } = await mailTest('ann@example.org --realm acme --json', { file, env })
    expect([code, JSON.parse(out)]).toEqual([
      0,
      { realm: 'acme', to: 'ann@example.org', reply: expect.stringContaining('queued as 4B1F') },
    ])
    expect(server.mails[0]?.from?.text).toBe('acme@example.com')
    const unset = await mailTest('ann@example.org --realm other', { file, env })
    expect([unset.code, unset.err]).toEqual([
      1,
      expect.stringMatching(
        /^ostiary: identity\.mail\.smtp_url_env: the variable SMTP_URL is not set: set it to/,
      ),
    ])
    const unknown = await mailTest('ann@example.org --realm none', { file, env })
    expect([unknown.code, unknown.err]).toEqual([
      3,
      'ostiary: There is no realm none; name one with --realm: acme, other\n',
    ])
  })

  it('shows the reply of a mail server that refuses, in one line, and what to do', async () => {
    const server = await mailServer({ refuse: { 'ann@example.org': 550 } })
    const { code, out, err } = await mailTest('ann@example.org', { env: { SMTP_URL: server.url } })
    expect([code, out]).toEqual([1, ''])
    expect(err).toBe(
      [
        `${server.url} refuses it (smtp_550)`,
        '550 no mailbox ann@example.org',
        'Correct the address of the recipient, or ask its operator whether this machine may send mails from identity.mail.from.',
      ]
        .map((line) => `ostiary: ${line}\n`)
        .join(''),
    )
  })

  it('shows no password', async () => {
    const auth = { user: 'id', pass: 'secret' }
    const server = await mailServer({ auth, refuse: { 'ann@example.org': 550 } })
    const { err } = await mailTest('ann@example.org', { env: { SMTP_URL: server.url } })
    expect(err).toContain('smtp://(hidden)@127.0.0.1')
    expect(err).not.toContain('secret')
  })

  it('a realm that sends no mails', async () => {
    expect(await mailTest('ann@example.org', { file: FILE })).toEqual({
      code: 1,
      out: '',
      err: 'ostiary: Realm default sends no mails: set identity.mail.from\n',
    })
  })

  it.each(['ann', 'ann@example.org,eve@example.net', 'ann@example.org\nRCPT'])(
    '%j is a wrong command line',
    async (address) => {
      const { code, err } = await mailTest(address)
      expect([code, err]).toEqual([
        2,
        expect.stringMatching(/^error: give one address, such as ann@example\.com/),
      ])
    },
  )
})
