import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { configuredLog, readConfig } from '../src/index.ts'
import { configure, FILE, faults, folder, SECRET } from './support.ts'

const FROM = 'Example <id@example.com>'
const SMTP_URL = 'smtps://id%40example.com:pass%20word@smtp.example.com'
const realms = { oidc: { routes: { realms: 'path' }, realms: { acme: {}, other: {} } }, app: FILE.app }
const mail = (keys: object) => ({ ...FILE, identity: { mail: { from: FROM, ...keys } } })

describe('identity.mail', () => {
  it('is absent: the realm sends no mails, and no variable is read', async () => {
    const { realms } = await configure(FILE, { SMTP_URL: 'not a URL' })
    expect(realms.default?.mail).toBeNull()
  })

  it('needs the sender, and a variable with the URL', async () => {
    const config = await configure(mail({}), { SMTP_URL })
    const expected = { from: FROM, per_hour: 1000, smtp_url_env: 'SMTP_URL', smtp_url: SMTP_URL }
    expect(config.realms.default?.mail).toEqual(expected)
    expect(config.realms.default?.identity).not.toHaveProperty('mail')
  })

  it('takes every key', async () => {
    const keys = { reply_to: 'help@example.com', per_hour: 100_000, smtp_url_env: 'OSTIARY_MAIL_SERVER' }
    const config = await configure(mail(keys), { OSTIARY_MAIL_SERVER: SMTP_URL })
    expect(config.realms.default?.mail).toEqual({ from: FROM, ...keys, smtp_url: SMTP_URL })
    expect(await faults(mail({ per_hour: 1 }), { SMTP_URL })).toEqual([])
  })

  it('differs between realms', async () => {
    const other = { from: 'other@example.com', smtp_url_env: 'OTHER_URL' }
    const file = {
      ...realms,
      realms: { acme: { identity: { mail: { from: FROM } } }, other: { identity: { mail: other } } },
    }
    const config = await configure(file, { SMTP_URL, OTHER_URL: 'smtp://localhost' })
    expect(config.realms.acme?.mail).toMatchObject({ from: FROM, smtp_url: SMTP_URL })
    expect(config.realms.other?.mail).toMatchObject({ from: other.from, smtp_url: 'smtp://localhost' })
  })

  it('can come from variables', async () => {
    const config = await configure(FILE, { OSTIARY_IDENTITY__MAIL__FROM: FROM, SMTP_URL })
    expect(config.realms.default?.mail).toMatchObject({ from: FROM })
  })

  it('is read by a command without the variable', async () => {
    const cwd = await folder()
    await writeFile(join(cwd, 'ostiary.config.json'), JSON.stringify(mail({})))
    const config = await readConfig({ OIDC_SECRET: SECRET }, cwd, { entry_secrets: false })
    expect(config.realms.default?.mail).toMatchObject({ from: FROM, smtp_url: null })
  })

  it('the log shows neither the URL nor the password', async () => {
    const lines: string[] = []
    const log = configuredLog(await configure(mail({}), { SMTP_URL }), (line) => lines.push(line))
    log.error(`${SMTP_URL} pass%20word pass word`)
    expect(lines[0]).toContain('"[redacted] [redacted] [redacted]"')
  })
})

describe('a fault of identity.mail says what to do', () => {
  const NO_MAILBOX =
    'give one address, such as Example <id@example.com>; put a name with punctuation in double quotes'
  const PER_HOUR = 'identity.mail.per_hour: give a whole number from 1 to 100000'
  it.each([
    [{ form: 'x' }, 'identity.mail.form: there is no such key; did you mean from?'],
    [{ from: undefined }, 'identity.mail.from: missing: give a text'],
    [{ from: 'Example' }, `identity.mail.from: ${NO_MAILBOX}`],
    [{ from: 'Example\r\nBcc: eve@example.net <id@example.com>' }, `identity.mail.from: ${NO_MAILBOX}`],
    [{ from: 'a@example.com, b@example.com' }, `identity.mail.from: ${NO_MAILBOX}`],
    [{ reply_to: 'help' }, `identity.mail.reply_to: ${NO_MAILBOX}`],
    ...[0, 100_001, 1.5, '10'].map((per_hour) => [{ per_hour }, PER_HOUR] as const),
    [
      { smtp_url_env: SMTP_URL },
      'identity.mail.smtp_url_env: name an environment variable, and set the URL there',
    ],
    [
      { smtp_url_env: 'MAIL_SERVER' },
      'identity.mail.smtp_url_env: the variable MAIL_SERVER is not set: set it to the URL of your mail server',
    ],
  ] as const)('%j', async (keys, fault) => {
    expect(await faults(mail(keys), { SMTP_URL })).toEqual([fault])
  })

  it.each(['https://smtp.example.com', 'smtps:///', 'smtps://user:secret@', 'smtps://a:secret%@example.com'])(
    'the URL %s, which is not shown',
    async (url) => {
      const [fault, ...others] = await faults(mail({}), { SMTP_URL: url })
      expect(others).toEqual([])
      expect(fault).toMatch(/^identity\.mail\.smtp_url_env: the URL in the variable SMTP_URL: give /)
      expect(fault).not.toContain('secret')
    },
  )

  it('of a realm has its path', async () => {
    const file = { ...realms, realms: { acme: { identity: { mail: { from: FROM } } } } }
    expect(await faults(file)).toEqual([
      expect.stringContaining('realms.acme.identity.mail.smtp_url_env: the variable SMTP_URL is not set'),
    ])
  })

  it('at the top level, where there is no realm default', async () => {
    const file = { ...realms, identity: { mail: { from: FROM } } }
    expect(await faults(file, { SMTP_URL })).toEqual([
      'identity.mail: this key at the top level belongs to the realm default, which is not in oidc.realms; write it under realms.<id>',
    ])
  })
})
