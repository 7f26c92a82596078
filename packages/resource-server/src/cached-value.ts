/** Caches a value from the issuer. While the issuer is unavailable, an expired value is used for a limited time. */

import { RETRY_AFTER_SECONDS } from './unavailable.js'

export interface CachedValue<T> {
  /** The cached value while it is fresh, otherwise null. */
  fresh(): T | null
  /** The cached value while it is fresh, otherwise a new one. @throws The error of `load` when no usable value is left. */
  get(): Promise<T>
  /** Fetches the value again, even while it is fresh, but at most once per `interval`. @throws The error of `load`. */
  renew(): Promise<T>
}

/** How long a value is used. Durations are in seconds. */
export interface Freshness {
  max_age: number
  /** Added to `max_age` while the issuer is unavailable. */
  stale_if_error: number
  /** The shortest time between two requests that `renew` sends. */
  interval: number
  /** Epoch seconds. */
  now(): number
}

type Outcome<T> = { value: T } | { cause: unknown }

export function cachedValue<T>(load: () => Promise<T>, times: Freshness): CachedValue<T> {
  let cached: { value: T; at: number } | null = null
  let failure: { cause: unknown; at: number } | null = null
  let loading: Promise<Outcome<T>> | null = null

  const start = (): Promise<Outcome<T>> => {
    const started = load()
      .then(
        (value): Outcome<T> => {
          cached = { value, at: times.now() }
          failure = null
          return { value }
        },
        (cause: unknown): Outcome<T> => {
          failure = { cause, at: times.now() }
          return { cause }
        },
      )
      .finally(() => {
        if (loading === started) loading = null
      })
    loading = started
    return started
  }
  /** Concurrent callers share one request. */
  const outcome = async (): Promise<Outcome<T>> => {
    const shared = loading ?? start()
    try {
      return await shared
    } catch {
      // A load does not reject. workerd rejects its promise for the others when the incoming request that caused it has ended
      // early, because its client disconnected: then the load never ends, and another one is needed.
      if (loading === shared) loading = null
      return outcome()
    }
  }
  const fetchOnce = async (): Promise<T> => {
    const ended = await outcome()
    if ('cause' in ended) throw ended.cause
    return ended.value
  }
  /** Fetches the value. After a failure, throws the same error for `RETRY_AFTER_SECONDS` without a request. */
  const fetchUnlessFailing = async (): Promise<T> => {
    if (failure && within(failure.at, RETRY_AFTER_SECONDS)) throw failure.cause
    return fetchOnce()
  }
  const within = (since: number, seconds: number): boolean => {
    const age = times.now() - since
    return age >= 0 && age < seconds
  }

  const fresh = (): T | null => (cached && within(cached.at, times.max_age) ? cached.value : null)

  return {
    fresh,
    async get() {
      const last = cached
      const current = fresh()
      if (current !== null) return current
      return fetchUnlessFailing().catch((cause: unknown) => {
        if (last && within(last.at, times.max_age + times.stale_if_error)) return last.value
        throw cause
      })
    },
    async renew() {
      return cached && within(cached.at, times.interval) && !failure ? cached.value : fetchUnlessFailing()
    },
  }
}
