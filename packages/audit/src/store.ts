/** The store of the audit: rows and seals. An adapter decides nothing. */

import type { AuditRow } from './row.js'

/** What a list is about. Every given filter has to match. */
export interface AuditFilter {
  sub?: string
  client_id?: string
  actor?: string
  /** A type, or the beginning of types with a dot at its end: `client.` */
  type?: string
  flow?: string
  /** One of `refs`. */
  reference?: string
  /** Epoch seconds. */
  since?: number
  until?: number
}

/** A seal over some rows. */
export interface AuditSeal {
  realm: string
  /** 1 for the first seal of the realm. */
  number: number
  /** The time of its newest row, epoch seconds. */
  last_time: number
  /** The compact JWS over what the seal says, signed by a key of the realm. */
  jws: string
  /** Its rows are deleted, because they were older than `keep_days`. */
  expired: boolean
}

/** A row and its place in a seal. */
export interface SealedPlace {
  audit_id: string
  place: number
  hash: string
}

/** Rows and seals of all realms. */
export interface AuditStore {
  /** Stores the rows, or replaces those with the same id that have no seal yet. */
  put(rows: readonly AuditRow[]): Promise<void>
  find(realm: string, audit_id: string): Promise<AuditRow | null>
  /** The newest rows first, from the one before `before`. */
  list(realm: string, page: { filter: AuditFilter; before?: string; limit: number }): Promise<AuditRow[]>
  /** All rows, the oldest first, from the one after `after`. */
  page(realm: string, page: { after?: string; until?: string; limit: number }): Promise<AuditRow[]>
  /** The realms that have rows without a seal. */
  open(): Promise<string[]>
  /** Rows without a seal whose time is before `before`, the oldest first. */
  unsealed(realm: string, before: number, limit: number): Promise<AuditRow[]>
  /**
   * ATOMIC. Stores the seal and marks its rows. False, and nothing changes, when there is a seal with its number, or one of the rows has a seal,
   * is gone or has changed.
   */
  seal(seal: AuditSeal, rows: readonly (SealedPlace & { row: AuditRow })[]): Promise<boolean>
  /** From the one after `after`, in the order of their numbers. */
  seals(realm: string, page: { after: number; limit: number }): Promise<AuditSeal[]>
  lastSeal(realm: string): Promise<AuditSeal | null>
  /** The rows that are marked with the seal, in the order of `place` and id. */
  rowsOf(realm: string, seal: number): Promise<AuditRow[]>
  /** ATOMIC for each seal. Deletes the rows of at most `limit` seals of all realms whose newest row is older, and marks these seals as expired; then as many rows without a seal. Returns how many rows. */
  purge(before: number, limit: number): Promise<number>
  /** Deletes private part and salt of the rows of a user. Returns how many rows. */
  erase(realm: string, sub: string): Promise<number>
}
