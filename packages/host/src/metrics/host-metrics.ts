/** The metrics of a server. A client cannot choose the value of a label. */

import type { PasswordLoad } from '@ostiary/identity'
import type { NewestKey } from '@ostiary/storage-postgres'
import type { MetricObjectWithValues, MetricValue } from 'prom-client'
import type { AnyEvent } from '../log/log-events.js'
import type { StorageFigures } from '../storage/host-storage.js'

export interface RequestOutcome {
  /** One of a fixed list, like `method`: a client cannot add a value. */
  route: string
  method: string
  status: number
  seconds: number
}

/** The metrics of one process, as plain data: each worker sends its snapshot to the process that serves /metrics. */
export type Snapshot = MetricObjectWithValues<MetricValue<string>>[]

export interface HostMetrics {
  countRequest(request: RequestOutcome): void
  /** Counts a refused token request. Issued tokens are counted by their events. @param body The form of the request. */
  countTokenError(body: Uint8Array | null, response: Response): Promise<void>
  /** @param route The label of the request that caused the event; null outside of a request. */
  countEvent(event: AnyEvent, route: string | null): void
  /** The background work of this server has ended a round. */
  ticked(): void
  /** Measures at intervals from now on. */
  start(): void
  stop(): void
  /** The counts so far, and what was measured last. From memory: it waits for nothing. */
  snapshot(): Promise<Snapshot>
}

/** What is measured at intervals. Each function may reject, and may never answer. */
export interface MetricsSources {
  /** The parts of /readyz, and whether the server is ready. */
  readiness(): Promise<Readiness>
  /** Of the whole database; null in a worker whose neighbor measures it, and for records in memory. */
  figures: Pick<StorageFigures, 'database'> | null
  /** The newest signing key of each realm; null like `figures`. */
  newest_keys: (() => Promise<NewestKey[]>) | null
  /** The ids of the configured realms. */
  realms(): readonly string[]
  /** Answers at once. */
  pool: StorageFigures['pool']
  /** Answers at once. */
  passwords(): PasswordLoad
  /** Whether this server does the background work at this moment. */
  leads(): boolean
  /** Seconds that the clock of this server is ahead of that of the database; null where no other server uses the database. */
  clock_ahead(): number | null
  /** The number of the newest migration; null for records in memory. */
  schema: number | null
  /** Epoch milliseconds, of the clock that the server uses. */
  now(): number
}

export interface Readiness {
  ready: boolean
  /** Whether the part works, by its name. */
  parts: Readonly<Record<string, boolean>>
}
