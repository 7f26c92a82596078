/** Shows and resets what has been counted at the sign-in, for operators. The keys are keyed hashes. */

import type { Throttle } from '@ostiary/core'
import type { LoginLimit } from '../events.js'
import { usernameKey } from '../users/user-store.js'
import { keyedHash } from '../web/keyed-hash.js'
import {
  accountPrefix,
  addressCounters,
  DEFAULT_LIMITS,
  type Limits,
  limitOfKey,
  maximumFailures,
} from './login-limits.js'

/** One counter that runs. */
export interface LoginThrottle {
  limit: LoginLimit
  /** Failed attempts so far. */
  failures: number
  /** At so many, further attempts are refused. */
  maximum: number
  /** Epoch seconds: then it starts anew. */
  until: number
}

/** What to look at: all that is counted for an account, for an address, or for both. */
export interface LoginThrottleSelection {
  username?: string
  address?: string
}

/** The counters of one realm's sign-in, for an operator. */
export interface LoginThrottles {
  /** Counters that run, those without a failure left out. */
  list(selection: LoginThrottleSelection, now: number): Promise<LoginThrottle[]>
  /** Returns how many counters were reset. */
  reset(selection: LoginThrottleSelection): Promise<number>
}

/** What `loginThrottles` takes: as `createIdentity`, for one realm. */
export interface LoginThrottleOptions {
  /** The realm's id. */
  realm: string
  /** The realm's counters. */
  throttle: Throttle
  /** The one of `createIdentity`: the counters' names are derived from it. */
  secret: string
  /** Those of `createIdentity`. */
  limits?: Limits
}

/** What has been counted at the sign-in of a realm, and a way to reset it. */
export function loginThrottles(options: LoginThrottleOptions): LoginThrottles {
  const { realm, throttle, secret } = options
  const hash = throttleHash(secret)
  const limits = { ...DEFAULT_LIMITS, ...options.limits }
  const prefixes = ({ username, address }: LoginThrottleSelection): string[] => {
    const username_key = username === undefined ? null : usernameKey(username)
    const account = username_key === null ? [] : [accountPrefix(hash, realm, username_key)]
    const from = address === undefined ? [] : addressCounters(hash, realm, address).map(({ key }) => key)
    return [...account, ...from]
  }
  return {
    async list(selection, now) {
      const windows = await Promise.all(prefixes(selection).map((prefix) => throttle.list(prefix, now)))
      return windows.flat().flatMap(({ key, hits, ends_at }) => {
        const limit = limitOfKey(key)
        if (limit === null || hits === 0) return []
        return [{ limit, failures: hits, maximum: maximumFailures(limits, limit), until: ends_at }]
      })
    },
    async reset(selection) {
      let reset = 0
      for (const prefix of prefixes(selection)) reset += await throttle.reset(prefix)
      return reset
    },
  }
}

/** The key of the counters' names. */
export const throttleHash = (secret: string) => keyedHash(secret, 'throttle')
