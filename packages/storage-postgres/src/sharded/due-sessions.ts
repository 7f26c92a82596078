/** Sessions that are due, bucket by bucket. */

import type { Session } from '@ostiary/core'
import type { Queries } from '../connection/executor.js'
import { EXPIRED_IN_BUCKET } from '../stores/sessions.js'
import { ALL_BUCKETS, firstInBuckets } from './buckets.js'

/** In which buckets sessions of a realm are due, as far as it is known. */
export interface DueSessions {
  add(realm: string, bucket: number): void
  remove(realm: string, bucket: number): void
  buckets(realm: string): number[]
  realms(): string[]
}

export function dueSessions(): DueSessions {
  const known = new Map<string, Set<number>>()
  return {
    add(realm, bucket) {
      const buckets = known.get(realm)
      if (buckets) buckets.add(bucket)
      else known.set(realm, new Set([bucket]))
    },
    remove(realm, bucket) {
      const buckets = known.get(realm)
      buckets?.delete(bucket)
      if (buckets?.size === 0) known.delete(realm)
    },
    buckets: (realm) => [...(known.get(realm) ?? [])],
    realms: () => [...known.keys()],
  }
}

interface Search {
  realm: string
  due: DueSessions
  now: number
  limit: number
}

/** Searches the buckets that are known, else all: nobody has asked what is due. */
export async function expiredSessions(db: Queries, { realm, due, now, limit }: Search): Promise<Session[]> {
  const known = due.buckets(realm)
  return firstInBuckets(known.length > 0 ? known : ALL_BUCKETS, limit, async (bucket) => {
    const sessions = await db.query<Session>(EXPIRED_IN_BUCKET, [realm, bucket, now, limit])
    if (sessions.length < limit) due.remove(realm, bucket)
    return sessions
  })
}
