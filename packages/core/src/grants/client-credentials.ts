/** The client credentials grant, for a token of the client itself: RFC 6749 §4.4. */

import { OAuthError } from '../http/errors.js'
import type { Params } from '../http/params.js'
import type { Context, TokenRequester, TokenResponse } from '../realm/context.js'
import { requestedAccess } from '../realm/realm.js'
import { accessTokenLifetime } from '../tokens/grant-lifetime.js'
import { issueToken } from '../tokens/issue-tokens.js'

export async function clientCredentials(
  c: Context,
  requester: TokenRequester,
  params: Params,
): Promise<TokenResponse> {
  const { client, method } = requester
  if (method === 'none')
    throw new OAuthError('unauthorized_client', 'A public client cannot use client_credentials')
  const { scopes: inPlay, resource } = requestedAccess(c.realm, client, params)
  // offline_access needs a user (OpenID Connect Core §11).
  const scopes = inPlay.filter((scope) => scope !== 'offline_access')
  return issueToken(c, requester, {
    grant_type: 'client_credentials',
    token: {
      client,
      sub: client.client_id,
      user: null,
      audience: resource ?? c.realm.issuer,
      scopes,
      grant_id: null,
      expires_at: c.now() + accessTokenLifetime(c, client, c.realm.settings.tokens.client_credentials),
    },
  })
}
