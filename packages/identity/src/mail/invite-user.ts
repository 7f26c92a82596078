/** Invites a user: an account that has no way to sign in yet, and a link with which its user chooses one. */

import { deliverEvent, type Realm, type Throttle } from '@ostiary/core'
import type { IdentityEventSink } from '../events.js'
import { isAddress } from '../outbox/address.js'
import { addMail, MAIL_USE } from '../outbox/mail-content.js'
import type { MailQueue } from '../outbox/mail-queue.js'
import { throttleHash } from '../sign-in/login-throttles.js'
import type { Factors } from '../users/factor-store.js'
import { createInvitationLink } from '../users/invitation.js'
import { createUser, UserError, type UserInput } from '../users/manage-users.js'
import type { Tickets } from '../users/ticket-store.js'
import { updateUser } from '../users/update-user.js'
import { type User, type Users, usernameKey } from '../users/user-store.js'
import { createSealer, type SealerSecrets } from '../web/sealed.js'
import { reserveInvitation } from './limits.js'

/** The stores of `createIdentity`. */
export interface InvitationStores {
  users: Users
  tickets: Tickets
  factors?: Factors
}

/** Options of `inviteUser`. */
export interface InvitationOptions {
  /** Of the user. */
  realm: Realm
  /** Mails the link to the claim `email`. Without it, the link is returned. */
  mail?: InvitationMail
  /** Called with `invitation.created`. */
  on_event?: IdentityEventSink
  /** The time in epoch seconds; the system's clock when absent. */
  now?: () => number
}

/** What `createIdentity` has for the mails of the realm; its `secret` is that of the provider. */
export interface InvitationMail extends SealerSecrets {
  queue: MailQueue
  /** The counters of the realm. */
  throttle: Throttle
  /** As in `RealmMail`. */
  per_hour?: number
}

/** An invitation that can be used. */
export interface Invitation {
  user: User
  /** Whether there was such a user. A former link has ended. */
  again: boolean
  /** Shown once. Null when it is mailed. */
  url: string | null
  /** Epoch seconds. */
  expires_at: number
}

/** The mails of an hour are used up: nothing was stored. */
export class InvitationLimitError extends UserError {
  /** Seconds until the next mail. */
  readonly retry_after: number

  constructor(username: string, retry_after: number) {
    const minutes = Math.ceil(retry_after / 60)
    super(
      `user ${JSON.stringify(username)}: the mails of this hour are used up, and nothing was done. Try again in ${minutes} minute${minutes === 1 ? '' : 's'}`,
    )
    this.name = 'InvitationLimitError'
    this.retry_after = retry_after
  }
}

/**
 * Creates a user who cannot sign in, and a link for 7 days with which the user adds a passkey or sets a password. For a user without a way to
 * sign in, it changes what the input names, and makes a new link in the place of the former one.
 *
 * A link that was mailed sets `email_verified` when it is used. One that is returned does not: it shows nothing about a mailbox.
 * @throws UserError when a value is invalid, or the user can sign in already; InvitationLimitError.
 *
 * @example
 * ```ts
 * import type { Provider } from '@ostiary/core'
 * import { memoryUserStores } from '@ostiary/identity'
 * import { inviteUser } from '@ostiary/identity/mail'
 *
 * declare const provider: Provider
 * const { users, tickets, factors } = memoryUserStores()
 *
 * export async function linkFor(username: string): Promise<string | null> {
 *   const located = await provider.locate(new Request(provider.url('oidc.discovery')))
 *   if (located === null) return null
 *   const { url } = await inviteUser({ users, tickets, factors }, { username }, { realm: located.realm })
 *   return url
 * }
 * ```
 */
export async function inviteUser(
  stores: InvitationStores,
  input: Omit<UserInput, 'password'>,
  { realm, mail, on_event, now: clock = () => Math.floor(Date.now() / 1000) }: InvitationOptions,
): Promise<Invitation> {
  const { username, email } = input as UserInput
  const refuse = (fault: string) => new UserError(`user ${JSON.stringify(username)}: ${fault}`)
  const username_key = usernameKey(username)
  if (mail && !isAddress(email)) throw refuse('email must be one address, such as ann@example.com')
  const stored = username_key === null ? null : await stores.users(realm.id).findByUsername(username_key)
  if (stored && input.sub !== undefined && input.sub !== stored.sub)
    throw refuse(
      `already exists with the sub ${JSON.stringify(stored.sub)}: remove the sub, or take another username`,
    )
  const fault = stored && (await reasonAgainst(stores, realm, stored))
  if (fault) throw refuse(fault)
  const now = clock()
  const release =
    mail && (await reserve(mail, { realm: realm.id, username_key: username_key ?? '', username }, now))
  const user = await storeUser(stores.users(realm.id), { input, stored }, clock).catch(async (cause) => {
    await release?.()
    throw cause
  })
  const { sub, claims } = user
  const to = mail ? String(email) : null
  const link = await createInvitationLink(stores.tickets(realm.id), { realm, user, now }, to)
  if (mail && to !== null) {
    const sealer = createSealer(mail, MAIL_USE)
    const language = typeof claims.locale === 'string' ? claims.locale : ''
    await addMail({ queue: mail.queue, sealer }, realm.id, {
      kind: 'invite',
      sub,
      to,
      link,
      language,
      device: '',
      at: now,
    })
  }
  deliverEvent(on_event, { type: 'invitation.created', time: now, realm: realm.id, sub, mailed: to !== null })
  return { user, again: stored !== null, url: to === null ? link.url : null, expires_at: link.expires_at }
}

/** Why the stored user cannot be invited; null when the user can. */
async function reasonAgainst(
  { factors }: InvitationStores,
  { id }: Realm,
  { sub, disabled_at, password_hash }: User,
): Promise<string | null> {
  if (disabled_at !== null) return 'the user is disabled, and a link would not work'
  const can_sign_in = password_hash !== null || ((await factors?.(id).list(sub)) ?? []).length > 0
  return can_sign_in
    ? 'the user has a password or a passkey already. A user who has lost it gets a recovery link'
    : null
}

/** @returns What gives the mail back. */
async function reserve(
  { secret, throttle, per_hour }: InvitationMail,
  { username, ...account }: { realm: string; username_key: string; username: string },
  now: number,
): Promise<() => Promise<void>> {
  const settings = per_hour === undefined ? {} : { per_hour }
  const limits = { throttle, hash: throttleHash(secret), settings }
  const reservation = await reserveInvitation(limits, account, now)
  if ('limit' in reservation) throw new InvitationLimitError(username, reservation.retry_after)
  return reservation.release
}

/** Creates the user, or changes what the input names. An address that is another one has not been verified. */
async function storeUser(
  users: ReturnType<Users>,
  { input, stored }: { input: Omit<UserInput, 'password'>; stored: User | null },
  now: () => number,
): Promise<User> {
  const { username, sub, attributes, groups, ...claims } = input as UserInput
  if (stored === null) return createUser(users, { ...input, username }, { now })
  const updated = await updateUser(
    users,
    {
      sub: stored.sub,
      change: ({ claims: { email_verified, ...former } }) => ({
        claims: {
          ...former,
          ...(email_verified !== undefined &&
            (claims.email ?? former.email) === former.email && { email_verified }),
          ...claims,
        } as User['claims'],
        ...(attributes !== undefined && { attributes }),
        ...(groups !== undefined && { groups }),
      }),
    },
    { now },
  )
  if (updated === null) throw new UserError(`user ${JSON.stringify(username)}: was deleted meanwhile`)
  return updated.user
}
