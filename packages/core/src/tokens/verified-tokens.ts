/** Access tokens whose signature was verified a moment ago. Whether one is still good is asked each time all the same. */

import { type AccessToken, END_OF_JWT, tokenStore } from '@ostiary/resource-server'

export interface VerifiedTokens {
  get(token: string, now: number): VerifiedToken | null
  /** No token is kept as such, and none beyond its `exp`. */
  set(token: string, verified: VerifiedToken): void
}

export interface VerifiedToken {
  token: AccessToken
  /** Of the key that verified it. */
  kid: string
}

/** In one process, whatever the number of realms. */
const KEEP = 1000

/** A token is shown many times while it lives, and its signature costs more than all else that is asked of it. */
export function verifiedTokens(): VerifiedTokens {
  const store = tokenStore(KEEP, END_OF_JWT)
  const kids = new WeakMap<AccessToken, string>()
  return {
    get(value, now) {
      const token = store.get(value, now)
      return token && { token, kid: kids.get(token) ?? '' }
    },
    set(value, { token, kid }) {
      kids.set(token, kid)
      store.set(value, token, token.claims.exp)
    },
  }
}
