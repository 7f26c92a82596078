/** The link with which a new user chooses how to sign in. */

import { TICKET_PATH } from '../web/paths.js'
import { createLink, type RecoveryLink, type RecoveryLinkOptions } from './recovery-link.js'
import type { Ticket, TicketStore } from './ticket-store.js'
import type { User } from './user-store.js'

/** How long an invitation works, in seconds: 7 days. */
const INVITATION_SECONDS = 604_800

/** @param address To which the link is mailed: its use shows that the user reads the mails there. Null for a link that is not mailed. */
export const createInvitationLink = (
  tickets: TicketStore,
  options: RecoveryLinkOptions,
  address: string | null,
): Promise<RecoveryLink> =>
  createLink(tickets, options, { purpose: 'invite', path: TICKET_PATH, seconds: INVITATION_SECONDS, address })

/** Whether the invitation still lets the user in: it has not expired, and the account has not changed since. @param now Epoch seconds. */
export const isOpen = (
  { expires_at, credential_version }: Ticket,
  user: Pick<User, 'credential_version' | 'disabled_at'>,
  now: number,
): boolean => now < expires_at && credential_version === user.credential_version && user.disabled_at === null

/** The invitation of a user who has not used it; null when there is none. @param now Epoch seconds. */
export async function openInvitation(tickets: TicketStore, user: User, now: number): Promise<Ticket | null> {
  const ticket = await tickets.findOf(user.sub, 'invite')
  return ticket && isOpen(ticket, user, now) ? ticket : null
}
