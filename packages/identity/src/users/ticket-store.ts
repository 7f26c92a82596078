/** The record of a ticket: a link that does one thing for one account, once. */

/**
 * Links: `recover`, of an operator, lets the user in again; `reset` sets a new password; `invite` is for a new user; `regain` begins a recovery;
 * `verify` confirms an address; `undo` brings the former one back. `wait`: a recovery that waits. `delete`: a deletion that the user has asked for.
 */
export type TicketPurpose = 'recover' | 'reset' | 'invite' | 'regain' | 'wait' | 'verify' | 'undo' | 'delete'

/** The record of a ticket. Times are epoch seconds. */
export interface Ticket {
  /** The SHA-256 of the secret in the link, and the tag of `sub`. */
  ticket_hash: string
  purpose: TicketPurpose
  sub: string
  /** Of the user, when the ticket was made: a change of the account's credentials ends it. */
  credential_version: number
  created_at: number
  expires_at: number
}

/** The tickets of one realm. As in `UserStore`; reads return expired ones too until they are purged. */
export interface TicketStore {
  /** ATOMIC. Stores the ticket in the place of an older one of the same user and purpose. */
  put(ticket: Ticket): Promise<void>
  find(ticket_hash: string): Promise<Ticket | null>
  findOf(sub: string, purpose: TicketPurpose): Promise<Ticket | null>
  /** As `UserStore.list`, for one purpose. */
  list(page: { purpose: TicketPurpose; after?: string; limit: number }): Promise<Ticket[]>
  /** ATOMIC. Removes the ticket. One of several callers gets it, the others null. */
  take(ticket_hash: string): Promise<Ticket | null>
}

/** The store of a realm. The deletion of a user deletes the user's tickets. */
export type Tickets = (realm: string) => TicketStore
