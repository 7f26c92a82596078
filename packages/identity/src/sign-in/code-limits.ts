/** The limits of wrong one-time codes and recovery codes. */

import type { Throttle } from '@ostiary/core'
import type { CodeLimitName } from '../events.js'
import type { KeyedHash } from '../web/keyed-hash.js'
import { type LimitedCounter, type LimitReached, type Reservation, reserveIn } from './attempts.js'
import { accountPrefix } from './login-limits.js'

/** How many wrong codes are allowed in a window of this many seconds. Right ones are not counted. */
interface CodeLimit {
  failures: number
  window: number
}

const SHORT: CodeLimit = { failures: 5, window: 300 }
const DAY: CodeLimit = { failures: 20, window: 86_400 }

/**
 * A code of 6 digits has 20 bits, and three of them are right at a time. So the limits are those of the account, from all addresses. A
 * known device has its own: an attacker who knows the password cannot lock the owner out.
 */
export const CODE_LIMITS: Readonly<Record<CodeLimitName, CodeLimit>> = {
  code: SHORT,
  code_day: DAY,
  code_device: SHORT,
  code_device_day: DAY,
}

/** An attempt with a code. */
export interface CodeAttempt {
  /** The realm's id. */
  realm: string
  /** Of the account whose code it is. */
  username_key: string
  /**
   * The id of a device on which the account has completed a second step before; otherwise null. A device that has only shown the password
   * must be null: it would give each browser of an attacker who knows the password counters of its own.
   */
  device: string | null
}

export interface CodeAttempts {
  /**
   * Counts the attempt before its code is checked, so that parallel guesses cannot exceed a limit. Release it when the code was right, or
   * was not checked. @param now Epoch seconds.
   */
  reserve(attempt: CodeAttempt, now: number): Promise<Reservation | LimitReached>
}

export interface CodeAttemptOptions {
  throttle: (realm: string) => Throttle
  /** `throttleHash` of the provider's secret: operators find the counters by it. */
  hash: KeyedHash
}

export function createCodeAttempts({ throttle, hash }: CodeAttemptOptions): CodeAttempts {
  return {
    reserve: (attempt, now) => reserveIn(throttle(attempt.realm), codeCounters(hash, attempt), now),
  }
}

/** The shorter window first: once its limit is reached, an attempt does not count for the day. */
function codeCounters(hash: KeyedHash, { realm, username_key, device }: CodeAttempt): LimitedCounter[] {
  const account = accountPrefix(hash, realm, username_key)
  const counter = (limit: CodeLimitName, owner: string): LimitedCounter => {
    const { failures, window } = CODE_LIMITS[limit]
    return { limit, key: `${account}${limit}${owner}`, window, maximum: failures }
  }
  if (device === null) return [counter('code', ''), counter('code_day', '')]
  const owner = `:${hash('code_device', realm, device)}`
  return [counter('code_device', owner), counter('code_device_day', owner)]
}

const LIMIT_OF_KEY = /^login:account:[\w-]+:(code(?:_device)?(?:_day)?)(?::|$)/

/** The limit of codes that a counter belongs to, or null. */
export const codeLimitOfKey = (key: string): CodeLimitName | null =>
  (LIMIT_OF_KEY.exec(key)?.[1] as CodeLimitName | undefined) ?? null
