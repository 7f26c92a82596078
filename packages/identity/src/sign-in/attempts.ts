/** Counts failed attempts, and refuses to check a password when a limit is reached. */

import type { Throttle } from '@ostiary/core'
import type { LoginLimitName } from '../events.js'
import type { KeyedHash } from '../web/keyed-hash.js'
import { type Attempt, type Counter, countersOf, type LoginLimits, maximumFailures } from './login-limits.js'

/** An attempt that counts as failed until it is released. */
interface Reservation {
  release(): Promise<void>
}

/** A limit that has been reached. */
export interface LimitReached {
  limit: LoginLimitName
  /** Seconds until the window ends. */
  retry_after: number
}

export interface Attempts {
  /**
   * Counts the attempt before its password is checked, so that parallel guesses cannot exceed a limit. Release it when the
   * password was right, or was not checked.
   */
  reserve(attempt: Attempt, now: number): Promise<Reservation | LimitReached>
}

export interface AttemptOptions {
  throttle: (realm: string) => Throttle
  hash: KeyedHash
  limits: Required<LoginLimits>
}

export function createAttempts({ throttle, hash, limits }: AttemptOptions): Attempts {
  const { window } = limits
  return {
    async reserve(attempt, now) {
      const counts = throttle(attempt.realm)
      const hitCounters: Counter[] = []
      // With the time of the attempt, because its window may have ended.
      const release = async () => {
        await Promise.all(hitCounters.map(({ key }) => counts.release(key, window, now)))
      }
      for (const counter of countersOf(hash, attempt)) {
        hitCounters.push(counter)
        if ((await counts.hit(counter.key, window, now)) <= maximumFailures(limits, counter.limit)) continue
        await release()
        return { limit: counter.limit, retry_after: window - (now % window) }
      }
      return { release }
    },
  }
}
