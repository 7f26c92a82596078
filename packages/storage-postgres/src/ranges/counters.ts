/** Counters of a database of which one range may be unavailable. */

import type { Throttle } from '@ostiary/core'
import { isUnavailable, RangeFullError } from '../connection/availability.js'

/**
 * Counters of how often something is done: by addresses, by clients, in a realm. Not those of guesses at what one person knows, a password
 * or a user code: while these cannot be counted, guesses are refused.
 */
const RATES =
  /^(?:authorize|cancel|client-secret|consent|device|device-client|device-poll|document-clients|login:(?:address|peer|site)|logout|par|par-client|register|registrations)(?:-others)?(?: share)?(?::|$)/

/** Counters that this process keeps while those of a range are away. */
const MAX_KEPT = 10_000

/** While the database of a rate is unavailable, this process counts alone, with the same limits. Other counters fail. */
export function withOwnRates(counters: Throttle): Throttle {
  const own = new Map<string, number>()
  const nameOf = (key: string, window_seconds: number, now: number) =>
    `${window_seconds} ${Math.floor(now / window_seconds)} ${key}`

  function change(name: string, by: 1 | -1): number {
    const hits = Math.max(0, (own.get(name) ?? 0) + by)
    own.delete(name)
    own.set(name, hits)
    const [oldest] = own.keys()
    if (own.size > MAX_KEPT && oldest !== undefined) own.delete(oldest)
    return hits
  }

  function unlessRate(error: unknown, key: string): void {
    // A sender does not leave its counters by filling its places.
    if (error instanceof RangeFullError || !isUnavailable(error) || !RATES.test(key)) throw error
  }

  return {
    ...counters,
    async hit(key, window_seconds, now) {
      try {
        return await counters.hit(key, window_seconds, now)
      } catch (error) {
        unlessRate(error, key)
        return change(nameOf(key, window_seconds, now), 1)
      }
    },
    async release(key, window_seconds, now) {
      try {
        await counters.release(key, window_seconds, now)
      } catch (error) {
        unlessRate(error, key)
        change(nameOf(key, window_seconds, now), -1)
      }
    },
  }
}
