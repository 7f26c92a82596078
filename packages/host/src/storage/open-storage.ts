/** The storage that the configuration names, opened. */

import type { Storage } from '@ostiary/core'
import { memoryStorage } from '@ostiary/core/memory'
import { memoryUsers, type Users } from '@ostiary/identity'
import type { PooledExecutor } from '@ostiary/storage-postgres'
import type { SessionPlace, StorageChoice } from '../config/storage-choice.js'
import type { Log } from '../log/log.js'

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

/**
 * Sets an empty database up.
 * @throws StorageError when a server does not answer or its schema is not this version's, or another process has the
 * embedded database; ConfigError when the folder of that cannot be made.
 */
export async function openStorage(choice: StorageChoice, log: Log): Promise<HostStorage> {
  if (choice.kind === 'memory') return openMemory()
  // The clients of databases cost memory: they are loaded where they are used.
  const { openDurable } = await import('./durable-storage.js')
  return openDurable(choice, log)
}

/** Lost with the process. */
const openMemory = (): HostStorage => ({
  storage: memoryStorage(),
  users: memoryUsers(),
  parts: {},
  close: async () => {},
})

/**
 * Records that must outlive everything in Postgres; in Redis short-lived and busy ones. Both purge.
 * @param sessions Where those are. What was granted ends with its session, so a Redis that loses them leaves it alive.
 */
export function mixedStorage(
  inPostgres: Storage,
  inRedis: Storage,
  sessions: SessionPlace = 'database',
): Storage {
  return (realm) => {
    const durable = inPostgres(realm)
    const quick = inRedis(realm)
    const { pending, throttle } = quick
    const purge = async (now: number) => (await durable.purge(now)) + (await quick.purge(now))
    const place = sessions === 'redis' ? quick : durable
    return { ...durable, sessions: place.sessions, pending, throttle, purge }
  }
}
