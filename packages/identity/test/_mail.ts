/** A provider that mails, what it has sent, and the pages of a forgotten password. */

import { MailError, memoryMailQueue, type OutgoingMail, type RealmMail } from '../src/mail/index.js'
import type { MailQueue } from '../src/outbox/mail-queue.js'
import { formWith } from './_factors.js'
import { type Browser, browser, plainPasswords, type Setup, type SetupOptions, setup } from './_setup.js'

export const ADDRESS = 'ada@example.com'
export const FROM = 'Example <id@example.com>'

export interface MailWorld extends Setup {
  sent: OutgoingMail[]
  queue: MailQueue
  /** What the next attempts throw, in this order; the others succeed. */
  failures: (Error | null)[]
  /** Sends what is due. */
  deliver(): Promise<void>
}

export interface MailWorldOptions extends SetupOptions {
  mail?: Partial<RealmMail>
  queue?: MailQueue
  /** The realms that mail; `default` when absent. */
  mailing?: readonly string[]
}

/** Ada has a verified address. */
export async function mailWorld({
  mail = {},
  queue = memoryMailQueue(),
  mailing,
  identity,
  ...options
}: MailWorldOptions = {}): Promise<MailWorld> {
  const sent: OutgoingMail[] = []
  const failures: (Error | null)[] = []
  const mailer = {
    async send(outgoing: OutgoingMail) {
      const failure = failures.shift()
      if (failure) throw failure
      sent.push(outgoing)
    },
  }
  const mails = (realm: string) => mailing?.includes(realm) ?? true
  const s = await setup({
    stored: plainPasswords,
    client: { trusted: true },
    ...options,
    identity: {
      passwords: plainPasswords,
      mail: { queue, of: (realm) => (mails(realm) ? { mailer, from: FROM, ...mail } : null) },
      ...identity,
    },
  })
  for (const realm of mailing ?? ['default'])
    await giveAddress(s, { email: ADDRESS, email_verified: true }, realm)
  return {
    ...s,
    sent,
    queue,
    failures,
    async deliver() {
      s.identity.mail?.start(s.provider)
      await s.identity.mail?.settled()
    },
  }
}

/** To the user Ada. */
export async function giveAddress(
  s: Setup,
  claims: Record<string, unknown>,
  realm = 'default',
): Promise<void> {
  const user = await s.users(realm).findByUsername('ada')
  if (!user) throw new Error('There is no Ada')
  const changed = { ...user, claims: { ...user.claims, ...claims }, updated_at: user.updated_at + 1 }
  if (!(await s.users(realm).update(changed, user.updated_at))) throw new Error('Changed meanwhile')
}

export const forgotUrl = (s: Setup, realm = 'default'): string => `${s.base(realm)}/login/recover`

interface Asked {
  username?: string
  realm?: string
  address?: string
  headers?: Record<string, string>
}

/** Asks for a mail with this browser. Returns the answer to the form. */
export async function askWith(
  s: Setup,
  b: Browser,
  { username = 'ada', realm = 'default', address, headers = {} }: Asked = {},
): Promise<Response> {
  const { url, fields } = formWith(await (await b.get(forgotUrl(s, realm))).text(), {})
  return b.post(url, { ...fields, username }, { headers, ...(address !== undefined && { address }) })
}

/** Asks with a new browser, and delivers. */
export async function ask(s: MailWorld, asked: Asked = {}): Promise<Response> {
  const answer = await askWith(s, browser(s), asked)
  await s.deliver()
  return answer
}

/** The link of the last mail. */
export function lastLink({ sent }: Pick<MailWorld, 'sent'>): string {
  const [link] = /https:\/\/\S+\/login\/reset\?t=\S+/.exec(sent.at(-1)?.text ?? '') ?? []
  if (link === undefined) throw new Error(`No link in ${sent.at(-1)?.text}`)
  return link
}

interface ResetForm {
  url: string
  fields: { csrf_token: string; t: string }
}

/** The form of the link's page. */
export async function openReset(b: Browser, url: string): Promise<ResetForm> {
  const answer = await b.get(url)
  const html = await answer.text()
  if (answer.status !== 200) throw new Error(`${answer.status}: ${html}`)
  const { url: action, fields } = formWith(html, {})
  return { url: action, fields: { csrf_token: fields.csrf_token ?? '', t: fields.t ?? '' } }
}

export const NEW_PASSWORD = 'a new password of four words'

/** Sets the password with the link, in this browser. */
export async function resetWith(b: Browser, url: string, password = NEW_PASSWORD): Promise<Response> {
  const form = await openReset(b, url)
  return b.post(form.url, { ...form.fields, new_password: password, new_password_again: password })
}

export const refusal = (reason: string, permanent = false): MailError => new MailError(reason, { permanent })
