/** The metrics of a server. A client cannot choose the value of a label. */

import type { OidcEvent } from '@ostiary/core'
import type { IdentityEvent } from '@ostiary/identity'
import type { MetricObjectWithValues, MetricValue } from 'prom-client'
import type { HostStorage } from '../storage/host-storage.js'

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
  countEvent(event: OidcEvent | IdentityEvent): void
  /** The counts so far, and the gauges as they are now. */
  snapshot(sources: GaugeSources): Promise<Snapshot>
}

/** The gauges, which are read for each snapshot. A gauge that cannot be read is left out. */
export interface GaugeSources {
  figures: HostStorage['figures']
  /** Seconds since the newest signing key was created, by realm. */
  keyAges: () => Promise<[realm: string, seconds: number][]>
}
