import type { Storage } from '@ostiary/core'
import type { AddressEntries } from '@ostiary/email-sign-in'
import type { Factors, Links, RememberedDevices, Tickets, Users } from '@ostiary/identity'
import type { MailQueue } from '@ostiary/identity/mail'
import type { DatabaseFigures, Executor, Lease, NewestKey, PooledExecutor } from '@ostiary/storage-postgres'

/** Resolves when a part works. */
export type PartCheck = () => Promise<unknown>

/** A part without which some requests are still answered, and which the other servers do not have either. */
export interface PartlyNeeded {
  check: PartCheck
  /** Whether the server is ready while the check fails. */
  readyWithout(): boolean
}

/** The parts of a server, by name. A bare check is of a part that every request needs. */
export type HealthParts = Readonly<Record<string, PartCheck | PartlyNeeded>>

/** The stores of a server, opened. */
export interface HostStorage {
  storage: Storage
  users: Users
  factors: Factors
  tickets: Tickets
  remembered_devices: RememberedDevices
  /** Loaded with the first sign-in at another provider. */
  links: Links
  /** Absent where they are in memory. */
  addresses?: (realm: string) => AddressEntries
  /** Of all realms. */
  mails: MailQueue
  /** The database, for parts that have statements of their own. Absent when the records are in memory. */
  records?: Executor
  /** Deletes what a Redis has of a deleted realm. Absent without one. */
  deleteQuick?(realm: string): Promise<unknown>
  /** By the name that /readyz shows. */
  parts: HealthParts
  /** Of a divided database, by name: at least one of them must work. */
  ranges?: Readonly<Record<string, PartCheck>>
  /** Answers a request, so that what it does in a range is bounded for its sender. Absent: nothing is bounded. */
  asSender?<T>(sender: string, answer: () => Promise<T>): Promise<T>
  /** Whether the database was restored, so that nothing may be answered from it. Absent where that is not noticed. */
  isRestored?: () => boolean
  /** For the background work, which one server does at a time. Absent when this process is the only one. */
  lease?: Lease
  /** For /metrics. Absent when the records are in memory. */
  figures?: StorageFigures
  /** @param within_ms How long running queries may take; 5,000 when absent. Then they fail. */
  close(within_ms?: number): Promise<void>
}

/** How `openStorage` opens a database. */
export interface OpenOptions {
  /** Whether a PostgreSQL is refused while it is a restored one; true when absent. Commands work on it before it is safe. */
  guarded?: boolean
}

/** What metrics show of a database. Each function is one statement, for one realm or for thousands. */
export interface StorageFigures {
  database(): Promise<DatabaseFigures>
  newest_keys(): Promise<NewestKey[]>
  /** The number of the newest migration. */
  schema: number
  pool?: PooledExecutor['load']
}
