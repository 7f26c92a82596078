/** Invitations by mail, and those that are handed over. */

import { type IdentityEvent, type Invitation, inviteUser, type User, type UserInput } from '../src/index.js'
import { FROM, type MailWorld, type MailWorldOptions, mailWorld } from './_mail.js'
import { follow, newPassword, pressLink, send } from './_recovery.js'
import { type Browser, SECRET, type Setup } from './_setup.js'

export const BOB = { username: 'Bob', email: 'bob@example.com' }
export const BOBS_PASSWORD = 'seven words that bob has chosen'

export interface Invites {
  input?: Partial<UserInput>
  /** Whether the link is mailed; true when absent. */
  mailed?: boolean
  per_hour?: number
  on_event?: (event: IdentityEvent) => void
  realm?: string
}

/** A realm with passkeys that mails. */
export const invitingWorld = (options: MailWorldOptions = {}): Promise<MailWorld> =>
  mailWorld({ settings: { second_factor: 'optional' }, ...options })

/** Invites Bob, as the command does. */
export async function invite(
  s: MailWorld,
  { input = {}, mailed = true, per_hour, on_event, realm: id = 'default' }: Invites = {},
): Promise<Invitation> {
  const located = await s.provider.locate(new Request(`${s.base(id)}/login/ticket`))
  if (!located) throw new Error('No realm')
  const { mailer, from } = { mailer: { send: async () => {} }, from: FROM }
  const options = {
    users: s.users,
    tickets: s.tickets,
    factors: s.factors,
    throttle: (realm: string) => s.storage(realm).throttle,
    secret: SECRET,
    now: () => s.clock.now,
    ...(mailed && {
      mail: { queue: s.queue, of: () => ({ mailer, from, ...(per_hour !== undefined && { per_hour }) }) },
    }),
    ...(on_event && { on_event }),
  }
  return inviteUser(options, located.realm, { ...BOB, ...input })
}

/** Invites by mail, and returns the link of the mail. */
export async function mailedLink(s: MailWorld, invites: Invites = {}): Promise<string> {
  await invite(s, invites)
  await s.deliver()
  return linkOf(s)
}

/** The link of the last mail. */
export function linkOf({ sent }: Pick<MailWorld, 'sent'>): string {
  const [link] = /https:\/\/\S+\/login\/ticket\?t=\S+/.exec(sent.at(-1)?.text ?? '') ?? []
  if (link === undefined) throw new Error(`No link in ${sent.at(-1)?.text}`)
  return link
}

export async function printedLink(s: MailWorld, invites: Invites = {}): Promise<string> {
  const { url } = await invite(s, { ...invites, mailed: false })
  if (url === null) throw new Error('No link')
  return url
}

export async function bob(s: Setup, realm = 'default'): Promise<User> {
  const user = await s.users(realm).findByUsername('bob')
  if (!user) throw new Error('There is no Bob')
  return user
}

/** Uses the link, and sets a password. Returns the answer to the last form. */
export async function acceptWithPassword(b: Browser, url: string): Promise<Response> {
  const html = await pressLink(b, url)
  const next = await follow(b, await send(b, html, { action: 'password', ...newPassword(BOBS_PASSWORD) }))
  return send(b, next, { action: 'finish' })
}
