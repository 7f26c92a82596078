/** PostgreSQL and Redis as one storage. */

import type { Storage } from '@ostiary/core'
import type { SessionPlace } from '../config/storage-kinds.js'

/**
 * Durable records are in PostgreSQL, short-lived and often written ones in Redis. `purge` purges both.
 * @param sessions Where the sessions are. A grant ends when its session ends: when Redis loses a session, its grants live
 * on until they expire.
 */
export function mixedStorage(
  postgres: Storage,
  redis: Storage,
  sessions: SessionPlace = 'database',
): Storage {
  return (realm) => {
    const durable = postgres(realm)
    const quick = redis(realm)
    const { pending, throttle } = quick
    const purge = async (now: number) => (await durable.purge(now)) + (await quick.purge(now))
    const place = sessions === 'redis' ? quick : durable
    return { ...durable, sessions: place.sessions, pending, throttle, purge }
  }
}
