/** Links with which a user gets in. An administrator below the user's new role may have made one, and kept it. */

import type { TicketStore } from '@ostiary/identity'
import type { RecordsChange } from './role-changes.js'

interface LinkPlace {
  realm: string
  tickets: Pick<TicketStore, 'findOf' | 'take'>
  audit: RecordsChange | null
}

/** Those that operators and administrators make. */
const PURPOSES = ['recover', 'invite'] as const

/** Ends the links of a user who has got a role. Returns how many. */
export async function endFormerLinks(place: LinkPlace, sub: string): Promise<number> {
  let ended = 0
  for (const purpose of PURPOSES) if (await endLink(place, { sub, purpose })) ended += 1
  return ended
}

/** Ends one link, with its row. False when there is none. */
export async function endLink(
  { realm, tickets, audit }: LinkPlace,
  { sub, purpose }: { sub: string; purpose: (typeof PURPOSES)[number] | 'wait' },
): Promise<boolean> {
  const ticket = await tickets.findOf(sub, purpose)
  if (ticket === null) return false
  const take = async () => (await tickets.take(ticket.ticket_hash)) !== null
  return audit?.change({ realm, type: 'ticket.take', sub, ids: { purpose } }, take) ?? take()
}
