/** Access tokens whose signature was verified a moment ago. Whether one is still good is asked each time all the same. */

import { type AccessToken, END_OF_JWT, type TokenStore, tokenStore } from '@ostiary/resource-server'

interface VerifiedToken extends AccessToken {
  /** Of the key that verified it. */
  kid: string
}

/** No token is kept as such, and none beyond its `exp`. */
export type VerifiedTokens = TokenStore<VerifiedToken>

/** In one process, whatever the number of realms. */
const MAX_VERIFIED_TOKENS = 1000

/** A token is shown many times while it lives, and its signature costs more than all else that is asked of it. */
export const verifiedTokens = (): VerifiedTokens => tokenStore(MAX_VERIFIED_TOKENS, END_OF_JWT)
