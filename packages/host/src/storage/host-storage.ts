import type { Storage } from '@ostiary/core'
import type { Users } from '@ostiary/identity'
import type { Lease, PooledExecutor } from '@ostiary/storage-postgres'

/** The stores of a server, opened. */
export interface HostStorage {
  storage: Storage
  users: Users
  /** By the name that /readyz shows: resolves when the part works. */
  parts: Record<string, () => Promise<unknown>>
  /** For the background work, which one server does at a time. Absent when this process is the only one. */
  lease?: Lease
  /** For /metrics. Absent when the records are in memory. */
  figures?: {
    /** Back-channel logouts that a client has yet to confirm. */
    deliveries_waiting(): Promise<number>
    pool?: PooledExecutor['load']
  }
  /** @param within_ms How long running queries may take; 5,000 when absent. Then they fail. */
  close(within_ms?: number): Promise<void>
}
