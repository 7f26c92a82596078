/** PostgreSQL and Redis as one storage. */

import type { Storage } from '@ostiary/core'
import type { SessionPlace } from '../config/storage-kinds.js'

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
