/** The request of a user to delete the account. A ticket holds it: the deletion of the user deletes it, and a restored backup has none. */

import { hash, randomBytes } from 'node:crypto'
import type { Ticket, TicketStore, User } from '@ostiary/identity'

const DAY = 86_400
/** Days until the account is deleted. */
const WAITING_DAYS = 7
/** Days for which the request stays when no server deletes what is due. After that, the account stays. */
const LATE_DAYS = 90

/** @returns Epoch seconds. */
export const dueAt = ({ created_at }: Pick<Ticket, 'created_at'>): number => created_at + WAITING_DAYS * DAY

interface Storing {
  tickets: TicketStore
  /** Of `@ostiary/core`: a storage finds the bucket of a user by it. */
  personTag: (sub: string) => string
  /** Epoch seconds. */
  now: number
}

/** In the place of an older one. */
export async function storeRequest(
  { tickets, personTag, now }: Storing,
  { sub, credential_version }: User,
): Promise<Ticket> {
  // No link leads to it.
  const ticket: Ticket = {
    ticket_hash: hash('sha256', randomBytes(32), 'base64url') + personTag(sub),
    purpose: 'delete',
    sub,
    credential_version,
    created_at: now,
    expires_at: now + (WAITING_DAYS + LATE_DAYS) * DAY,
  }
  await tickets.put(ticket)
  return ticket
}

/** Null when there is none. @param now Epoch seconds. */
export async function findRequest(tickets: TicketStore, sub: string, now: number): Promise<Ticket | null> {
  const ticket = await tickets.findOf(sub, 'delete')
  return ticket !== null && now < ticket.expires_at ? ticket : null
}
