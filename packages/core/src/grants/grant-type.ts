/** What every grant type is. */

import type { Context } from '../context.js'
import { OAuthError } from '../errors.js'
import type { Params } from '../protocol/params.js'
import type { TokenResponse } from '../steps/issue-tokens.js'
import type { Client } from '../storage.js'

/** @throws OAuthError in the words of RFC 6749 §5.2 */
export type GrantType = (c: Context, client: Client, params: Params) => Promise<TokenResponse>

/** The client learns nothing more than that; the event learns the reason. */
export const invalidGrant = (reason: string): OAuthError =>
  new OAuthError('invalid_grant', 'The grant is invalid, expired, revoked, or was issued to another client', {
    reason,
  })
