/** Counts failed attempts, and refuses to check a password when a limit is reached. */

import type { Throttle } from '@ostiary/core'
import type { LoginLimit } from '../events.js'
import type { KeyedHash } from '../web/keyed-hash.js'
import { type Attempt, type Counter, countersOf, type Limits, maximumFailures } from './login-limits.js'

/** An attempt that counts as failed until it is released. */
interface Reservation {
  release(): Promise<void>
}

/** A limit that has been reached. */
export interface LimitReached {
  limit: LoginLimit
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
  limits: Required<Limits>
}

export function createAttempts({ throttle, hash, limits }: AttemptOptions): Attempts {
  const { window } = limits
  return {
    async reserve(attempt, now) {
      const counts = throttle(attempt.realm)
      const counted: Counter[] = []
      // With the time of the attempt: its window may have ended since.
      const release = async () => {
        await Promise.all(counted.map(({ key }) => counts.release(key, window, now)))
      }
      for (const counter of countersOf(hash, attempt)) {
        counted.push(counter)
        if ((await counts.hit(counter.key, window, now)) <= maximumFailures(limits, counter.limit)) continue
        await release()
        return { limit: counter.limit, retry_after: window - (now % window) }
      }
      return { release }
    },
  }
}
