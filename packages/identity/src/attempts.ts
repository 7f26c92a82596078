/** How often somebody may try to sign in: per account and per client address. */

import { addressKey, type Throttle } from '@ostiary/core'
import type { Sign } from './secrets.js'

export interface AttemptLimits {
  per_account: number
  per_address: number
  /** Seconds. */
  window: number
}

export interface Attempt {
  realm: string
  /** Whether it names an account or not: an unknown one is counted all the same. */
  username_key: string
  /** Null when the host does not know it: then only the account counts, or strangers would lock each other out. */
  address: string | null
}

export interface Attempts {
  /** Counts the attempt; false when it is one too many. */
  allowed(attempt: Attempt, now: number): Promise<boolean>
  /** Seconds after which everybody may try again. */
  window: number
}

export function createAttempts(
  throttle: (realm: string) => Throttle,
  sign: Sign,
  { per_account, per_address, window }: AttemptLimits,
): Attempts {
  return {
    window,
    async allowed({ realm, username_key, address }, now) {
      // Keyed hashes, so that the counters name neither people nor addresses.
      const account = sign('account', realm, username_key)
      const hit = (key: string) => throttle(realm).hit(`login:${key}`, window, now)
      const [account_hits, address_hits] = await Promise.all([
        hit(account),
        address === null ? 0 : hit(sign('address', realm, addressKey(address))),
      ])
      return account_hits <= per_account && address_hits <= per_address
    },
  }
}
