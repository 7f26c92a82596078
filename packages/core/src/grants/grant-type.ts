/** The signature of a grant type's function. */

import type { Context } from '../context.js'
import type { Params } from '../protocol/params.js'
import type { TokenResponse } from '../steps/issue-tokens.js'
import type { Client } from '../storage.js'

/** @throws OAuthError with an error code of RFC 6749 §5.2 */
export type GrantType = (c: Context, client: Client, params: Params) => Promise<TokenResponse>
