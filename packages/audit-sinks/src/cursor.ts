/**
 * Where a sink is in the audit of a realm. Sealed rows have a place that never changes, and a row that another server writes late is
 * in a later seal: so a number of a seal and a place in it are all that is stored of what is delivered.
 */

/** Seconds between two times at which a server notes that a cursor is in use. After twice as long without, it is not delivered. */
export const ENTERED_SECONDS = 3600

/** The sink and the realm of a cursor. */
export interface CursorKey {
  realm: string
  /** The id of the sink. */
  sink: string
}

/** A cursor as it is stored. Times are epoch seconds. */
export interface SinkCursor extends CursorKey {
  /** The number of the first seal that is not delivered as a whole. */
  seal: number
  /** The place in that seal up to which it is delivered; 0 for nothing. */
  place: number
  /** Failed attempts since the last delivery. */
  attempts: number
  /** When the first of them was; null without one. */
  failing_since: number | null
  /** Why the newest of them failed, as a code; null without one. */
  error: string | null
  /** Rows that were given up until now. */
  dropped: number
  next_attempt_at: number
}

/** The lease of a cursor. */
export interface Lease {
  /** Of one claim alone. */
  lease: string
  leased_until: number
}

/** What is not delivered yet. */
export interface Pending {
  /** At most 10,001: then there are more. */
  pending: number
  /** When the oldest row was made; null for none. */
  oldest: number | null
}

/** The cursors of all sinks and realms. An adapter decides nothing. */
export interface SinkStore {
  /** Adds missing cursors, behind the newest seal, and notes that the others are in use. */
  enter(sink: string, realms: readonly string[], now: number): Promise<void>
  /** Realms with a seal to deliver, whose cursor is in use and due, and has no lease; the longest due first, then by realm. */
  due(sink: string, now: number): Promise<string[]>
  /** ATOMIC. Takes the lease of a due cursor that has none; null when there is no such cursor. */
  claim(key: CursorKey, lease: Lease, now: number): Promise<SinkCursor | null>
  /** ATOMIC. Stores the cursor while it has this lease. False, and nothing changes, when it has another one. */
  save(cursor: SinkCursor, lease: Lease): Promise<boolean>
  /** Deletes cursors that no server has used since, of other sinks than these. */
  forget(sinks: readonly string[], unused_since: number): Promise<void>
}
