/** Counts failed attempts, and refuses to check a password when a limit is reached. */

import type { Throttle } from '@ostiary/core'
import type { LoginLimitName } from '../events.js'
import type { KeyedHash } from '../web/keyed-hash.js'
import { type Attempt, countersOf, type LoginLimits, maximumFailures } from './login-limits.js'

/** An attempt that counts as failed until it is released. */
export interface Reservation {
  release(): Promise<void>
}

/** A limit that has been reached. */
export interface LimitReached<Name extends string = LoginLimitName> {
  limit: Name
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
    reserve(attempt, now) {
      const counters = countersOf(hash, attempt).map(({ limit, key }) => ({
        limit,
        key,
        window,
        maximum: maximumFailures(limits, limit),
      }))
      return reserveIn(throttle(attempt.realm), counters, now)
    },
  }
}

/** A counter, and how many failures are allowed in its window of this many seconds. */
export interface LimitedCounter<Name extends string = LoginLimitName> {
  limit: Name
  key: string
  window: number
  maximum: number
}

/** Counts an attempt in each counter, in this order, until a limit is reached. Then none of them has counted it. */
export async function reserveIn<Name extends string>(
  counts: Throttle,
  counters: readonly LimitedCounter<Name>[],
  now: number,
): Promise<Reservation | LimitReached<Name>> {
  const hitCounters: LimitedCounter<Name>[] = []
  // With the time of the attempt, because its window may have ended.
  const release = async () => {
    await Promise.all(hitCounters.map(({ key, window }) => counts.release(key, window, now)))
  }
  for (const counter of counters) {
    const { limit, key, window, maximum } = counter
    hitCounters.push(counter)
    if ((await counts.hit(key, window, now)) <= maximum) continue
    await release()
    return { limit, retry_after: window - (now % window) }
  }
  return { release }
}
