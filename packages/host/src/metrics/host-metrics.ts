/** What a server counts. No label takes a value that a client can choose. */

import type { OidcEvent } from '@ostiary/core'
import type { IdentityEvent } from '@ostiary/identity'
import type { MetricObjectWithValues, MetricValue } from 'prom-client'
import type { HostStorage } from '../storage/host-storage.js'

export interface RequestOutcome {
  /** One of a fixed list, as is `method`. */
  route: string
  method: string
  status: number
  seconds: number
}

/** The metrics of one process, as plain data: the processes of one server send theirs to the one that shows them. */
export type Snapshot = MetricObjectWithValues<MetricValue<string>>[]

export interface HostMetrics {
  countRequest(request: RequestOutcome): void
  /** Counts a request that got no token; issued tokens are events. @param body The form that was sent. */
  countTokenError(body: Uint8Array | null, response: Response): Promise<void>
  countEvent(event: OidcEvent | IdentityEvent): void
  /** What was counted, with the values that are measured now. */
  snapshot(sources: GaugeSources): Promise<Snapshot>
}

/** What is measured for a snapshot. A value that cannot be measured is left out. */
export interface GaugeSources {
  figures: HostStorage['figures']
  /** Seconds since the newest signing key was made, by realm. */
  keyAges: () => Promise<[realm: string, seconds: number][]>
}
