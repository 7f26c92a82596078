/** Invites a user: an account that has no way to sign in yet, and a link with which its user chooses one. */

import { deliverEvent, type Realm, type Throttle } from '@ostiary/core'
import { isAddress, usernameKey } from '@ostiary/core/common'
import type { IdentityEventSink } from '../events.js'
import { addMail, MAIL_USE } from '../outbox/mail-content.js'
import type { MailOptions, RealmMail } from '../outbox/mail-options.js'
import { throttleHash } from '../sign-in/login-throttles.js'
import type { Factors } from '../users/factor-store.js'
import { createInvitationLink, type Invitation } from '../users/invitation.js'
import { createUser, UserError, type UserInput } from '../users/manage-users.js'
import type { Tickets } from '../users/ticket-store.js'
import { updateUser } from '../users/update-user.js'
import type { User, Users } from '../users/user-store.js'
import { createSealer, type SealerSecrets } from '../web/sealed.js'
import { reserveInvitation } from './limits.js'

/** What it uses of the options of `createIdentity`. */
interface Inviter extends SealerSecrets {
  users: Users
  tickets: Tickets
  factors?: Factors
  throttle: (realm: string) => Throttle
  mail?: MailOptions
  on_event?: IdentityEventSink
  now?: () => number
}

/** See the index. */
export async function inviteUser(inviter: Inviter, realm: Realm, input: UserInput): Promise<Invitation> {
  const { on_event, now: clock = () => Math.floor(Date.now() / 1000) } = inviter
  const users = inviter.users(realm.id)
  const mail = inviter.mail?.of(realm.id) ?? null
  const username_key = usernameKey(input.username)
  const refuse = (fault: string) => new UserError(`user ${JSON.stringify(input.username)}: ${fault}`)
  if (mail && !isAddress(input.email)) throw refuse('email must be one address, such as ann@example.com')
  const stored = username_key === null ? null : await users.findByUsername(username_key)
  const fault = stored && (await reasonAgainst(inviter, realm, { stored, input }))
  if (fault) throw refuse(fault)
  const now = clock()
  const release =
    mail &&
    (await reserve(inviter, { settings: mail, realm: realm.id, username_key: username_key ?? '' }, now))
  if (typeof release === 'number')
    throw refuse(`the mails of this hour are used up, and nothing was done. Try again in ${release} min`)
  const user = await storeUser(users, { input, stored }, clock).catch(async (cause) => {
    await release?.()
    throw cause
  })
  const { sub, claims } = user
  const to = mail ? String(claims.email) : null
  const { url, expires_at } = await createInvitationLink(inviter.tickets(realm.id), { realm, user, now }, to)
  if (inviter.mail && to !== null) {
    const sealer = createSealer(inviter, MAIL_USE)
    const language = typeof claims.locale === 'string' ? claims.locale : ''
    const content = { sub, to, link: { url, expires_at }, language, device: '', at: now }
    await addMail({ queue: inviter.mail.queue, sealer }, realm.id, { kind: 'invite', ...content })
  }
  deliverEvent(on_event, { type: 'invitation.created', time: now, realm: realm.id, sub, mailed: to !== null })
  return { user, again: stored !== null, url: to === null ? url : null, expires_at }
}

/** Why the stored user cannot be invited; null when the user can. */
async function reasonAgainst(
  { factors }: Inviter,
  { id }: Realm,
  { stored, input }: { stored: User; input: UserInput },
): Promise<string | null> {
  const { sub, disabled_at, password_hash } = stored
  if (input.sub !== undefined && input.sub !== sub) return `there is one, with the sub ${JSON.stringify(sub)}`
  if (disabled_at !== null) return 'the user is disabled, and a link would not work'
  const can_sign_in = password_hash !== null || ((await factors?.(id).list(sub)) ?? []).length > 0
  return can_sign_in ? 'the user can sign in already. If not, make a recovery link' : null
}

/** @returns What gives the mail back; the minutes until the next one when the limit is reached. */
async function reserve(
  { throttle, secret }: Inviter,
  { settings, ...account }: { settings: RealmMail; realm: string; username_key: string },
  now: number,
): Promise<(() => Promise<void>) | number> {
  const limits = { throttle: throttle(account.realm), hash: throttleHash(secret), settings }
  const reservation = await reserveInvitation(limits, account, now)
  return 'limit' in reservation ? Math.ceil(reservation.retry_after / 60) : reservation.release
}

/** Creates the user, or changes what the input names. An address that is another one has not been verified. */
async function storeUser(
  users: ReturnType<Users>,
  { input, stored }: { input: UserInput; stored: User | null },
  now: () => number,
): Promise<User> {
  const { username, password: _, sub, attributes, groups, ...claims } = input
  const more = { ...(attributes && { attributes }), ...(groups && { groups }) }
  if (stored === null)
    return createUser(users, { ...claims, ...more, username, ...(sub !== undefined && { sub }) }, { now })
  const updated = await updateUser(
    users,
    {
      sub: stored.sub,
      change: ({ claims: former }) => ({
        claims: {
          ...former,
          ...((claims.email ?? former.email) !== former.email && { email_verified: false }),
          ...claims,
        } as User['claims'],
        ...more,
      }),
    },
    { now },
  )
  if (updated === null) throw new UserError(`user ${JSON.stringify(username)}: was deleted meanwhile`)
  return updated.user
}
