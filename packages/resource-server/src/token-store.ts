/** Tokens that were found good, for a while: bounded in number and in time, and no token is kept as such. */

import type { AccessToken } from './access-token.js'
import { sha256 } from './sha256.js'

export interface TokenStore {
  get(token: string, now: number): AccessToken | null
  /** Kept until then, and never longer than until its `exp`. */
  set(token: string, verified: AccessToken, until: number): void
}

/** Keyed by SHA-256 of the token. The oldest one makes room. */
export function tokenStore(entries: number): TokenStore {
  const kept = new Map<string, { verified: AccessToken; until: number }>()
  return {
    get(token, now) {
      const key = sha256(token)
      const found = kept.get(key)
      if (!found) return null
      if (now < found.until) return found.verified
      kept.delete(key)
      return null
    },
    set(token, verified, until) {
      const key = sha256(token)
      kept.delete(key)
      if (kept.size >= entries)
        for (const oldest of kept.keys()) {
          kept.delete(oldest)
          break
        }
      // Several requests will be given the same one.
      kept.set(key, { verified: deepFreeze(verified), until: Math.min(until, verified.claims.exp) })
    },
  }
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  for (const member of Object.values(value)) deepFreeze(member)
  return Object.freeze(value)
}
