/** A bounded store of verified tokens. It holds digests instead of usable tokens. */

import { sha256Characters } from '#platform'
import type { AccessToken } from './access-token.js'
import { utf8, utf8Text } from './utf8.js'

/** Remembers verified tokens, so that a signature is not verified at each request. Times are epoch seconds. */
export interface TokenStore<T extends AccessToken = AccessToken> {
  /** The frozen value that was stored for this token; null when there is none, or it has expired. */
  get(token: string, now: number): T | null
  /** Stores the value until `until`, and at the latest until the token's `exp`. */
  set(token: string, verified: T, until: number): void
}

interface Entry<T> {
  /** The token without the characters that are hashed. */
  beginning: string
  verified: T
  until: number
}

/**
 * How many characters of a JWT are hashed, from its end: as many as fit into two blocks of SHA-256. They contain a whole
 * ES256 or EdDSA signature, and more than 700 bits of an RSA signature. The token cannot be used without them.
 */
export const HASHED_JWT_CHARACTERS = 119

/**
 * Makes a token store. Its keys are digests of the last `hashed` characters of the tokens. The characters before them are
 * stored and compared, because that is faster than hashing them.
 * @param entries The largest number of tokens; the oldest is removed for a new one.
 * @param hashed How many characters are hashed, from the end of the token; all by default.
 */
export function tokenStore<T extends AccessToken = AccessToken>(
  entries: number,
  hashed = Number.POSITIVE_INFINITY,
): TokenStore<T> {
  const stored = new Map<string, Entry<T>>()
  const keyOf = (token: string): string => sha256Characters(token.slice(-hashed))
  const beginningOf = (token: string): string => token.slice(0, -hashed)
  return {
    get(token, now) {
      const key = keyOf(token)
      const entry = stored.get(key)
      if (!entry) return null
      if (now >= entry.until) {
        stored.delete(key)
        return null
      }
      // Not startsWith, which takes ten times as long in V8.
      return beginningOf(token) === entry.beginning ? entry.verified : null
    },
    set(token, verified, until) {
      const key = keyOf(token)
      stored.delete(key)
      const [oldest] = stored.keys()
      if (stored.size >= entries && oldest !== undefined) stored.delete(oldest)
      stored.set(key, {
        beginning: copy(beginningOf(token)),
        // Frozen, because several requests are given the same value.
        verified: deepFreeze(verified),
        until: Math.min(until, verified.claims.exp),
      })
    },
  }
}

/** A copy of a slice: the slice itself would keep the whole token in memory. */
const copy = (text: string): string => utf8Text(utf8(text))

function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  for (const member of Object.values(value)) deepFreeze(member)
  return Object.freeze(value)
}
