/** What the links of the mails seal, and the tickets that they use up. */

import type { Mails, Ticket, User, Visit } from '@ostiary/identity'

/** The page of the links, below the realm. */
export const PATH = '/login/address'

/** How long a link works, in seconds: 7 days. */
export const LINK_SECONDS = 604_800

/** Confirms an address. The record of its ticket has no field for it, so that the link carries it. */
export interface VerifyLink {
  does: 'verify'
  sub: string
  /** 256 bits: its hash is that of the ticket. */
  secret: string
  to: string
  /** Epoch seconds. */
  expires_at: number
}

/** Brings back the former address. */
export interface UndoLink {
  does: 'undo'
  sub: string
  /** The former address. */
  to: string
  /** The former username, where it has changed with the address. */
  username: string | null
  /** Of the ticket, in epoch seconds. */
  created_at: number
  expires_at: number
}

export type Link = VerifyLink | UndoLink

/** A link that works, and its user. */
export interface GoodLink<Kind extends Link = Link> {
  t: string
  link: Kind
  mails: Mails
  ticket: Ticket
  user: User
}

/** Null for a link of another realm, and one that is too old. */
export function linkIn(c: Pick<Visit, 'open' | 'now'>, text: string): Link | null {
  const link = c.open(text) as Link | null
  return link !== null && c.now() < link.expires_at ? link : null
}

export const urlOf = (c: Pick<Visit, 'realm' | 'seal'>, link: Link): string =>
  `${c.realm.urls.issuer}${PATH}?${new URLSearchParams({ t: c.seal(link) })}`

export const verifyHash = (mails: Mails, { secret, sub }: Pick<VerifyLink, 'secret' | 'sub'>): string =>
  mails.hash(sub, secret)

/**
 * The hash of the ticket of an undo, for the address that the account has now. So an operator's change of the address ends the undo, and
 * each other change of the account leaves it as it is: who has taken over an account can change all else.
 */
export const undoHash = (
  mails: Mails,
  { sub, created_at, expires_at }: Pick<Ticket, 'sub' | 'created_at' | 'expires_at'>,
  email: unknown,
): string => mails.hash(sub, JSON.stringify([sub, created_at, expires_at, email]))

/** Of the first change in the last seven days. Later ones do not replace it. Null when nothing can be undone. */
export async function openUndo(mails: Mails, user: User, now: number): Promise<Ticket | null> {
  const ticket = await mails.tickets.findOf(user.sub, 'undo')
  const is_open =
    ticket && now < ticket.expires_at && ticket.ticket_hash === undoHash(mails, ticket, user.claims.email)
  return is_open ? ticket : null
}

/** The change that waits for its confirmation. */
export async function pendingOf({ tickets }: Mails, user: User, now: number): Promise<Ticket | null> {
  const ticket = await tickets.findOf(user.sub, 'verify')
  return ticket && isCurrent(ticket, user, now) ? ticket : null
}

/** Whether the ticket can be used, for the account as it is. */
export const isCurrent = (ticket: Ticket, user: User, now: number): boolean =>
  now < ticket.expires_at &&
  ticket.credential_version === user.credential_version &&
  user.disabled_at === null
