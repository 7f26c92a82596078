/** Counters whose keys may lie in different databases. */

import type { Throttle, ThrottleWindow } from '@ostiary/core'
import { countOf, type Queries } from '../connection/executor.js'
import { endOfRange, LIST_IN_BUCKET, MAX_LISTED, RESET_IN_BUCKET } from '../stores/throttle.js'
import { ALL_BUCKETS, inBuckets } from './buckets.js'

/** @param counters Of the realm. */
export function throttleInBuckets(db: Queries, realm: string, counters: Throttle): Throttle {
  return {
    ...counters,
    async hitBoth({ first, max, second }, window_seconds, now) {
      const hits = await counters.hit(first, window_seconds, now)
      if (hits > max) return { first: hits, second: 0 }
      return { first: hits, second: await counters.hit(second, window_seconds, now) }
    },
    async list(prefix, now) {
      const range = [realm, prefix, endOfRange(prefix), now]
      const windows = await inBuckets(ALL_BUCKETS, (bucket) =>
        db.query<ThrottleWindow>(LIST_IN_BUCKET, [...range, bucket]),
      )
      return windows.flat().sort(byKey).slice(0, MAX_LISTED)
    },
    async reset(prefix) {
      const range = [realm, prefix, endOfRange(prefix)]
      const counts = await inBuckets(ALL_BUCKETS, (bucket) =>
        countOf(db.query(RESET_IN_BUCKET, [...range, bucket])),
      )
      return counts.reduce((total, count) => total + count, 0)
    },
  }
}

/** In the order of their bytes, and then of their ends. */
const byKey = (a: ThrottleWindow, b: ThrottleWindow): number =>
  Buffer.compare(Buffer.from(a.key), Buffer.from(b.key)) || a.ends_at - b.ends_at
