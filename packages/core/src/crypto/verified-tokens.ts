/** A cache of access tokens whose signature was verified. Revocation is still checked at each use. */

import {
  type AccessToken,
  HASHED_JWT_CHARACTERS,
  type TokenStore,
  tokenStore,
} from '@ostiary/resource-server'

interface VerifiedToken extends AccessToken {
  /** The id of the key that verified the token. */
  kid: string
}

/** Keeps hashes instead of tokens, and nothing beyond a token's `exp`. */
export type VerifiedTokens = TokenStore<VerifiedToken>

/** In one process, for all realms together. */
const MAX_VERIFIED_TOKENS = 1000

/** A token is used many times, and its signature costs more than all its other checks. */
export const verifiedTokens = (): VerifiedTokens => tokenStore(MAX_VERIFIED_TOKENS, HASHED_JWT_CHARACTERS)
