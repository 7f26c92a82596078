/** The signature of a grant type's function. */

import type { DpopProof } from '@ostiary/resource-server'
import type { Context } from '../context.js'
import type { Params } from '../protocol/params.js'
import type { AuthenticatedClient } from '../steps/client-auth.js'
import type { TokenResponse } from '../steps/issue-tokens.js'

/** Who makes a token request, and the key that it proves to have. */
export interface TokenRequester extends AuthenticatedClient {
  /** Each grant claims it, just before it issues tokens; null when there is none. */
  proof: DpopProof | null
}

/** @throws OAuthError with an error code of RFC 6749 §5.2 */
export type GrantType = (c: Context, requester: TokenRequester, params: Params) => Promise<TokenResponse>
