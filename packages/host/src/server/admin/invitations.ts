/** Users who were invited and have not used the link. */

import type { OpenInvitation } from '@ostiary/admin'
import type { Ticket, TicketStore, User, UserStore } from '@ostiary/identity'
import { given } from '../../values/given.js'

/** The stores of one realm. */
export interface InvitationStores {
  users: Pick<UserStore, 'find'>
  tickets: Pick<TicketStore, 'list'>
}

/** Those that are read at once. */
const STEP = 100

/**
 * In the order of `sub`, from the one after `after`. Those that cannot be used any more are passed over.
 * @param now Epoch seconds.
 */
export async function openInvitations(
  { users, tickets }: InvitationStores,
  { after, limit }: { after?: string; limit: number },
  now: number,
): Promise<OpenInvitation[]> {
  const found: OpenInvitation[] = []
  let last = after
  for (let is_end = false; !is_end && found.length < limit; ) {
    const page = await tickets.list({ purpose: 'invite', limit: STEP, ...given({ after: last }) })
    const invited = await Promise.all(
      page.map(async (ticket) => shown(ticket, await users.find(ticket.sub), now)),
    )
    found.push(...invited.flat())
    last = page.at(-1)?.sub
    is_end = page.length < STEP
  }
  return found.slice(0, limit)
}

function shown(ticket: Ticket, user: User | null, now: number): OpenInvitation[] {
  if (!isOpen(ticket, user, now)) return []
  const { created_at, expires_at } = ticket
  const { sub, username, claims } = user
  const email = typeof claims.email === 'string' ? claims.email : null
  return [{ sub, username, email, created_at, expires_at }]
}

/** Whether the link lets the user in: that of a user who has changed since does not. @param now Epoch seconds. */
export const isOpen = (
  { credential_version, expires_at }: Ticket,
  user: User | null,
  now: number,
): user is User => user?.credential_version === credential_version && now < expires_at
