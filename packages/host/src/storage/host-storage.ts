import type { Storage } from '@ostiary/core'
import type { Users } from '@ostiary/identity'
import type { PooledExecutor } from '@ostiary/storage-postgres'

/** The stores of a server, opened. */
export interface HostStorage {
  storage: Storage
  users: Users
  /** By the name that /readyz shows: resolves when the part does its work. */
  parts: Record<string, () => Promise<unknown>>
  /** For /metrics. Absent where nobody can tell. */
  figures?: {
    /** Back-channel logouts that some client has yet to hear of. */
    deliveries_waiting(): Promise<number>
    pool?: PooledExecutor['load']
  }
  close(): Promise<void>
}
