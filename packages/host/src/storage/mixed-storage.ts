/** PostgreSQL and Redis as one storage. */

import type { BackgroundStorage, RealmStorage, Storage } from '@ostiary/core'
import type { SessionPlace } from '../config/storage-kinds.js'

/**
 * Durable records are in PostgreSQL, short-lived and often written ones in Redis. `purge` purges both. Used assertions are in
 * PostgreSQL: if Redis lost one, it could be used again.
 * @param sessions Where the sessions are. A grant ends when its session ends: when Redis loses a session, its grants live
 * on until they expire.
 */
export function mixedStorage(
  postgres: Storage,
  redis: Storage,
  sessions: SessionPlace = 'database',
): Storage {
  const stores = (realm: string): RealmStorage => {
    const durable = postgres(realm)
    const quick = redis(realm)
    const { pending, throttle } = quick
    const purge = async (now: number) => (await durable.purge(now)) + (await quick.purge(now))
    const place = sessions === 'redis' ? quick : durable
    return { ...durable, sessions: place.sessions, pending, throttle, purge }
  }
  const { background, issue } = postgres
  return Object.assign(
    stores,
    background && { background: mixedBackground(background, { redis, sessions }) },
    issue && sessions === 'database' && { issue },
  )
}

/**
 * Realms whose records in Redis one round of background work looks at. A cluster cannot search all realms at once, so each
 * round takes the next ones: with a round every 5 seconds, each of 1,000 realms has its turn every 250 seconds. Until then,
 * sessions in Redis that have expired are refused, and their clients are notified later.
 */
const REALMS_PER_ROUND = 20

function mixedBackground(
  durable: BackgroundStorage,
  { redis, sessions }: { redis: Storage; sessions: SessionPlace },
): BackgroundStorage {
  let rounds = 0
  let round: { realms: readonly string[]; durable_expired: boolean } = { realms: [], durable_expired: false }
  return {
    async due(question) {
      const due = await durable.due(question)
      const realms = inTurn(question.realms, rounds)
      rounds += 1
      round = { realms, durable_expired: due.expired }
      return { ...due, sessions: sessions === 'redis' ? realms : due.sessions, expired: true }
    },
    async purge(now) {
      const { realms, durable_expired } = round
      const counts = await Promise.all(realms.map((realm) => redis(realm).purge(now)))
      const purged = counts.reduce((sum, count) => sum + count, 0)
      return purged + (durable_expired ? await durable.purge(now) : 0)
    },
  }
}

function inTurn(realms: readonly string[], rounds: number): string[] {
  const slices = Math.ceil(realms.length / REALMS_PER_ROUND)
  const first = slices === 0 ? 0 : (rounds % slices) * REALMS_PER_ROUND
  return realms.slice(first, first + REALMS_PER_ROUND)
}
