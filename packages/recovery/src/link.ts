/** The times of a recovery, and the link that cancels it. */

import type { RecoveryVisit, Ticket } from '@ostiary/identity'

/** How long the link works after the delay, in seconds: a day. */
export const OPEN_SECONDS = 86_400

/** When a recovery can begin: the record of a ticket has no field for it. */
export const notBefore = ({ expires_at }: Pick<Ticket, 'expires_at'>): number => expires_at - OPEN_SECONDS

/** What the link that cancels seals: no record of it is stored. */
export interface CancelLink {
  sub: string
  /** The ticket of the recovery for which it was made. It cancels a newer one too. */
  waits: string
  /** Epoch seconds. */
  expires_at: number
}

/** Null for a link of another realm, and one that is too old. */
export function cancelLinkIn(c: RecoveryVisit, text: string): CancelLink | null {
  const link = c.open(text) as CancelLink | string | null
  return link !== null && typeof link !== 'string' && c.now() < link.expires_at ? link : null
}

/** Where a sign-in goes on that was interrupted. Null for a text that was not sealed for that. */
export function nextIn(c: RecoveryVisit, text: string): string | null {
  const location = text === '' ? null : c.open(text)
  return typeof location === 'string' ? location : null
}
