/** Tokens that were found good, for a while: bounded in number and in time, and no token is kept as such. */

import type { AccessToken } from './access-token.js'
import { sha256 } from './sha256.js'

/** For those who verify tokens again and again: an API, and the provider itself. Times are epoch seconds. */
export interface TokenStore<T extends AccessToken = AccessToken> {
  /** What was found, as long as it is good; frozen. */
  get(token: string, now: number): T | null
  /** Kept until then, and never longer than until its `exp`. */
  set(token: string, verified: T, until: number): void
}

interface Entry<T> {
  /** What precedes the hashed part. */
  front: string
  verified: T
  until: number
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the bounds of ASCII
const NOT_ASCII = /[^\x00-\x7f]/

/**
 * Characters, as many as fit into two blocks of SHA-256. Without the end of its signature a JWT is of no use to anybody:
 * an ES256 or EdDSA signature is in it as a whole, and of an RSA one more than 700 bits.
 */
export const END_OF_JWT = 119

/**
 * Keyed by SHA-256 of the token, or of its end; what precedes that is compared as it is, which is faster.
 * The oldest entry makes room.
 * @param entries The most that are kept.
 * @param hashed Characters, from the end.
 */
export function tokenStore<T extends AccessToken = AccessToken>(
  entries: number,
  hashed = Number.POSITIVE_INFINITY,
): TokenStore<T> {
  const kept = new Map<string, Entry<T>>()
  const keyOf = (token: string): string => sha256(token.slice(-hashed))
  const frontOf = (token: string): string => token.slice(0, -hashed)
  return {
    get(token, now) {
      // The hash is of ASCII: another letter could pass for one of a token's.
      if (NOT_ASCII.test(token)) return null
      const key = keyOf(token)
      const found = kept.get(key)
      if (!found) return null
      if (now >= found.until) {
        kept.delete(key)
        return null
      }
      // Not startsWith: in V8 that takes ten times as long.
      return frontOf(token) === found.front ? found.verified : null
    },
    set(token, verified, until) {
      const key = keyOf(token)
      kept.delete(key)
      const [oldest] = kept.keys()
      if (kept.size >= entries && oldest !== undefined) kept.delete(oldest)
      // Frozen, as several requests will be given the same one.
      const shared = { front: copy(frontOf(token)), verified: deepFreeze(verified) }
      kept.set(key, { ...shared, until: Math.min(until, verified.claims.exp) })
    },
  }
}

/** A string of its own: a slice would keep the whole token in memory. */
const copy = (text: string): string => new TextDecoder().decode(new TextEncoder().encode(text))

function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  for (const member of Object.values(value)) deepFreeze(member)
  return Object.freeze(value)
}
