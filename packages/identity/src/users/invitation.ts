/** The link with which a new user chooses how to sign in. */

import { tagOf } from '@ostiary/core'
import { TICKET_PATH } from '../web/paths.js'
import { createLink, markOf, type RecoveryLink, type RecoveryLinkOptions } from './recovery-link.js'
import type { Ticket, TicketPurpose, TicketStore } from './ticket-store.js'
import type { User } from './user-store.js'

/** How long an invitation works, in seconds: 7 days. */
const INVITATION_SECONDS = 604_800

/** An invitation that can be used. */
export interface Invitation {
  user: User
  /** Whether there was such a user. */
  again: boolean
  /** Null when it is mailed. */
  url: string | null
  /** Epoch seconds. */
  expires_at: number
}

/** The characters before the mark. */
const RANDOM = 43

/** Empty for a link that was not mailed. */
const markIn = (secret: string): string => secret.slice(RANDOM, -tagOf(secret).length)

/** Whether a use of the link verifies an address. */
export const wasMailed = (secret: string): boolean => markIn(secret) !== ''

/** Whether the link was mailed to this address. */
export const wasMailedTo = (secret: string, address: unknown): boolean =>
  markIn(secret) === markOf(secret.slice(0, RANDOM), address)

/** The secret in a link. */
export const secretIn = ({ url }: Pick<RecoveryLink, 'url'>): string =>
  new URL(url).searchParams.get('t') ?? ''

/** @param address To which the link is mailed: its use shows that the user reads the mails there. Null for a link that is not mailed. */
export const createInvitationLink = (
  tickets: TicketStore,
  options: RecoveryLinkOptions,
  address: string | null,
): Promise<RecoveryLink> =>
  createLink(tickets, options, {
    purpose: 'invite',
    path: TICKET_PATH,
    seconds: INVITATION_SECONDS,
    to: address,
  })

/** The ticket of a user that can be used; null when there is none. @param now Epoch seconds. */
export async function openTicket(
  tickets: TicketStore,
  { user, purpose }: { user: User; purpose: TicketPurpose },
  now: number,
): Promise<Ticket | null> {
  const ticket = await tickets.findOf(user.sub, purpose)
  const is_open = ticket && now < ticket.expires_at && ticket.credential_version === user.credential_version
  return is_open ? ticket : null
}
