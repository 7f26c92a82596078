/** A value of the issuer's that is fetched, kept, and served for a while longer when it cannot be fetched again. */

import { RETRY_AFTER } from './unavailable.js'

export interface Refreshed<T> {
  /** The kept value while it is fresh. @throws what `load` threw once there is none to serve. */
  get(): Promise<T>
  /** Asks again although the value is fresh, unless it was asked within `interval`. @throws what `load` threw. */
  renew(): Promise<T>
}

/** All in seconds. */
export interface Freshness {
  max_age: number
  /** After `max_age`, when the issuer cannot be asked. */
  stale_if_error: number
  /** Between two calls of `renew` that ask. */
  interval: number
  now(): number
}

export function refreshed<T>(load: () => Promise<T>, times: Freshness): Refreshed<T> {
  let kept: { value: T; at: number } | null = null
  let failed: { cause: unknown; at: number } | null = null
  let loading: Promise<T> | null = null

  /** However many ask, one request is under way. */
  const ask = (): Promise<T> => {
    loading ??= load()
      .then(
        (value) => {
          kept = { value, at: times.now() }
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
  /** Asks, unless that failed a moment ago. */
  const attempt = async (): Promise<T> => {
    if (failed && within(failed.at, RETRY_AFTER)) throw failed.cause
    return ask()
  }
  const within = (since: number, seconds: number): boolean => {
    const age = times.now() - since
    return age >= 0 && age < seconds
  }

  return {
    async get() {
      const last = kept
      if (last && within(last.at, times.max_age)) return last.value
      return attempt().catch((cause: unknown) => {
        if (last && within(last.at, times.max_age + times.stale_if_error)) return last.value
        throw cause
      })
    },
    async renew() {
      return kept && within(kept.at, times.interval) && !failed ? kept.value : attempt()
    },
  }
}
