/** The client credentials grant, for a token of the client itself: RFC 6749 §4.4. */

import type { Context } from '../context.js'
import { OAuthError } from '../errors.js'
import type { Params } from '../protocol/params.js'
import { requestedAccess } from '../realm.js'
import { boundTo, claimProof } from '../steps/dpop-proof.js'
import { accessTokenLifetime } from '../steps/grant-lifetime.js'
import { signAccessToken, type TokenResponse } from '../steps/issue-tokens.js'
import type { TokenRequester } from './grant-type.js'

export async function clientCredentials(
  c: Context,
  { client, method, proof }: TokenRequester,
  params: Params,
): Promise<TokenResponse> {
  if (method === 'none')
    throw new OAuthError('unauthorized_client', 'A public client cannot use client_credentials')
  const { scopes: inPlay, resource } = requestedAccess(c.realm, client, params)
  // offline_access needs a user (OpenID Connect Core §11).
  const scopes = inPlay.filter((scope) => scope !== 'offline_access')
  const audience = resource ?? c.realm.issuer

  const response: TokenResponse = await signAccessToken(c, {
    client,
    proof,
    sub: client.client_id,
    user: null,
    audience,
    scopes,
    grant_id: null,
    expires_at: c.now() + accessTokenLifetime(c, client, c.realm.settings.tokens.client_credentials),
  })
  await claimProof(c, proof)
  const { client_id } = client
  const grant_type = 'client_credentials'
  c.emit({
    type: 'token.issued',
    client_id,
    grant_type,
    sub: client_id,
    grant_id: null,
    scopes,
    audience,
    ...boundTo(proof),
  })
  if (scopes.length > 0) response.scope = scopes.join(' ')
  return response
}
