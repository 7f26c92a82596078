/** Lists and resets the counters of failed sign-ins and of wrong codes, for operators. Their keys contain keyed hashes, not names. */

import type { Throttle } from '@ostiary/core'
import { usernameKey } from '@ostiary/core/common'
import type { LoginLimitName } from '../events.js'
import { keyedHash } from '../web/keyed-hash.js'
import { CODE_LIMITS, codeLimitOfKey } from './code-limits.js'
import {
  accountPrefix,
  addressCounters,
  DEFAULT_LOGIN_LIMITS,
  type LoginLimits,
  limitOfKey,
  maximumFailures,
  peerCounter,
} from './login-limits.js'

/** A counter whose window has not ended. */
export interface LoginThrottle {
  limit: LoginLimitName
  /** Failed attempts in this window. */
  failures: number
  /** After this many failures, further attempts are refused. */
  maximum: number
  /** The end of the window, in epoch seconds. */
  until: number
}

/** Selects the counters of an account, of an address, or of both. */
export interface LoginThrottleSelection {
  username?: string
  address?: string
}

/** The counters of one realm's sign-in. */
export interface LoginThrottles {
  /** The counters that have a failure. @param now Epoch seconds. */
  list(selection: LoginThrottleSelection, now: number): Promise<LoginThrottle[]>
  /** Returns how many counters were reset. */
  reset(selection: LoginThrottleSelection): Promise<number>
}

/** The options of `loginThrottles`: those of `createIdentity`, for one realm. */
export interface LoginThrottleOptions {
  /** The realm's id. */
  realm: string
  /** The realm's counters. */
  throttle: Throttle
  /** The secret of `createIdentity`, from which the counters' keys are derived. */
  secret: string
  /** The limits of `createIdentity`. */
  limits?: LoginLimits
}

/** Lists and resets the counters of failed sign-ins of one realm. */
export function loginThrottles(options: LoginThrottleOptions): LoginThrottles {
  const { realm, throttle, secret } = options
  const hash = throttleHash(secret)
  const limits = { ...DEFAULT_LOGIN_LIMITS, ...options.limits }
  const prefixes = ({ username, address }: LoginThrottleSelection): string[] => {
    const username_key = username === undefined ? null : usernameKey(username)
    const account = username_key === null ? [] : [accountPrefix(hash, realm, username_key)]
    const from =
      address === undefined
        ? []
        : [peerCounter(hash, realm, address), ...addressCounters(hash, realm, address)]
    return [...account, ...from.map(({ key }) => key)]
  }
  return {
    async list(selection, now) {
      const windows = await Promise.all(prefixes(selection).map((prefix) => throttle.list(prefix, now)))
      return windows.flat().flatMap(({ key, hits, ends_at }) => {
        const limited = limitedBy(key, limits)
        return limited === null || hits === 0 ? [] : [{ ...limited, failures: hits, until: ends_at }]
      })
    },
    async reset(selection) {
      let reset = 0
      for (const prefix of prefixes(selection)) reset += await throttle.reset(prefix)
      return reset
    },
  }
}

/** The limit that a counter belongs to, and its maximum; null for a key of something else. */
function limitedBy(
  key: string,
  limits: Required<LoginLimits>,
): Pick<LoginThrottle, 'limit' | 'maximum'> | null {
  const code = codeLimitOfKey(key)
  if (code !== null) return { limit: code, maximum: CODE_LIMITS[code].failures }
  const limit = limitOfKey(key)
  return limit === null ? null : { limit, maximum: maximumFailures(limits, limit) }
}

/** The hash of usernames, addresses and proofs in the counters' keys. */
export const throttleHash = (secret: string) => keyedHash(secret, 'throttle')
