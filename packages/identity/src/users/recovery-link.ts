/** Links for one use: the one with which an operator lets a user in again, and those of mails. */

import { randomBytes } from 'node:crypto'
import { personTag, type Realm, sha256, tagOf } from '@ostiary/core'
import { TICKET_PATH, urlIn } from '../web/paths.js'
import type { TicketPurpose, TicketStore } from './ticket-store.js'
import type { User } from './user-store.js'

/** How long the link of an operator works, in seconds. */
const RECOVERY_SECONDS = 3600

/** Who gets the link, and from when on. */
export interface RecoveryLinkOptions {
  /** Of the user. */
  realm: Realm
  /** Enabled: the page refuses a disabled user. */
  user: User
  /** Epoch seconds. */
  now: number
  /** The page welcomes a new user. */
  is_first?: boolean
}

/** A link for one use. */
export interface RecoveryLink {
  /** The absolute URL, made from the realm's issuer. It cannot be read again. */
  url: string
  /** Epoch seconds. */
  expires_at: number
}

/** Makes a link in place of an older one. A change of the user's credentials ends it. */
export const createRecoveryLink = (
  tickets: TicketStore,
  options: RecoveryLinkOptions,
): Promise<RecoveryLink> =>
  createLink(tickets, options, {
    purpose: options.is_first ? 'invite' : 'recover',
    path: TICKET_PATH,
    seconds: RECOVERY_SECONDS,
  })

/**
 * The mark of a link that is mailed. The stored hash is that of the whole secret, so the mark cannot be replaced, and no record needs a field
 * for the address.
 */
export const markOf = (random: string, address: unknown): string => sha256(`${random} ${address}`)

/** What a link does, where it leads, and for how long. */
export interface LinkUse {
  purpose: TicketPurpose
  /** Of the page, below the realm. */
  path: string
  /** How long the link works. */
  seconds: number
  /** The address to which it is mailed: the secret has 43 more characters for it. Null and absent for none. */
  to?: unknown
}

/** Makes a link, in the place of an older one of the user for the same purpose. A change of the user's credentials ends it. */
export async function createLink(
  tickets: TicketStore,
  { realm, user, now }: RecoveryLinkOptions,
  { purpose, path, seconds, to = null }: LinkUse,
): Promise<RecoveryLink> {
  const { sub, credential_version } = user
  const random = randomBytes(32).toString('base64url')
  const secret = random + (to === null ? '' : markOf(random, to)) + personTag(sub)
  const expires_at = now + seconds
  const ticket_hash = hashOf(secret)
  await tickets.put({ ticket_hash, purpose, sub, credential_version, created_at: now, expires_at })
  return { url: `${urlIn(realm, path)}?${new URLSearchParams({ t: secret })}`, expires_at }
}

/** 43 characters for 256 bits, a mark of 43, and the tag. */
const isSecret = (text: string): boolean =>
  (text.length === 45 || text.length === 88) && /^[A-Za-z0-9_-]+$/.test(text)

/** The hash under which a ticket is stored. Null for a text that is no secret of a ticket: no storage is asked for it. */
export const ticketHash = (secret: string): string | null => (isSecret(secret) ? hashOf(secret) : null)

const hashOf = (secret: string): string => sha256(secret) + tagOf(secret)
