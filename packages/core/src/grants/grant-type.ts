/** The signature of a grant type's function. */

import type { Context } from '../context.js'
import type { Params } from '../protocol/params.js'
import type { TokenRequester, TokenResponse } from '../steps/issue-tokens.js'

/** @throws OAuthError with an error code of RFC 6749 §5.2 */
export type GrantType = (c: Context, requester: TokenRequester, params: Params) => Promise<TokenResponse>
