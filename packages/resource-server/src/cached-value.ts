/** A cached value of the issuer, which is used for some time longer while it cannot be fetched again. */

import { RETRY_AFTER_SECONDS } from './unavailable.js'

export interface CachedValue<T> {
  /** The cached value while it is fresh, or a new one. @throws The error of `load` when there is no usable value. */
  get(): Promise<T>
  /** Fetches a fresh value again, unless that was done within `interval`. @throws The error of `load`. */
  renew(): Promise<T>
}

/** How long a value is used. All times are in seconds. */
export interface Freshness {
  max_age: number
  /** Added to `max_age` while the issuer is unavailable. */
  stale_if_error: number
  /** The shortest time between two requests of `renew`. */
  interval: number
  now(): number
}

export function cachedValue<T>(load: () => Promise<T>, times: Freshness): CachedValue<T> {
  let cached: { value: T; at: number } | null = null
  let failed: { cause: unknown; at: number } | null = null
  let loading: Promise<T> | null = null

  /** Concurrent callers share one request. */
  const fetchOnce = (): Promise<T> => {
    loading ??= load()
      .then(
        (value) => {
          cached = { value, at: times.now() }
          failed = null
          return value
        },
        (cause: unknown) => {
          failed = { cause, at: times.now() }
          throw cause
        },
      )
      .finally(() => {
        loading = null
      })
    return loading
  }
  /** Fetches the value, unless the last attempt failed a moment ago. */
  const attempt = async (): Promise<T> => {
    if (failed && within(failed.at, RETRY_AFTER_SECONDS)) throw failed.cause
    return fetchOnce()
  }
  const within = (since: number, seconds: number): boolean => {
    const age = times.now() - since
    return age >= 0 && age < seconds
  }

  return {
    async get() {
      const last = cached
      if (last && within(last.at, times.max_age)) return last.value
      return attempt().catch((cause: unknown) => {
        if (last && within(last.at, times.max_age + times.stale_if_error)) return last.value
        throw cause
      })
    },
    async renew() {
      return cached && within(cached.at, times.interval) && !failed ? cached.value : attempt()
    },
  }
}
