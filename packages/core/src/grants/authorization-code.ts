/** The authorization code grant: RFC 6749 §4.1.3, RFC 7636 §4.6. */

import { mayOmitPkce, verifyPkce } from '../authorize/pkce.js'
import { invalidGrant, type OAuthError } from '../http/errors.js'
import { type Params, required } from '../http/params.js'
import type { Context, TokenRequester, TokenResponse } from '../realm/context.js'
import { requireGrantedResource } from '../realm/realm.js'
import type { AuthorizationCode, Client, Grant } from '../storage/storage.js'
import { presentedHash } from '../storage/tag.js'
import { isRevoked } from '../tokens/grant-lifetime.js'
import { bindingFault, redeemCode } from '../tokens/issue-tokens.js'

export async function authorizationCode(
  c: Context,
  requester: TokenRequester,
  params: Params,
): Promise<TokenResponse> {
  const { client } = requester
  c.facts.redirect_uri = params.get('redirect_uri')
  const code_hash = presentedHash(c.hashes, required(params, 'code'))
  const found = code_hash === null ? null : await c.storage.grants.findCode(code_hash)
  if (!found) throw invalidGrant('unknown_code')
  const { code, grant } = found
  c.facts.sub = grant.sub
  // Checked before replay: another client that presents the code must not revoke the tokens of the code's own client.
  if (grant.client_id !== client.client_id) throw invalidGrant('wrong_client')
  if (code.redeemed_at !== null) throw await replayError(c, grant)
  if (isRevoked(grant, client)) throw invalidGrant('revoked_grant')
  if (code.expires_at <= c.now() || grant.expires_at <= c.now()) throw invalidGrant('expired_code')
  c.facts.registered_uris = [code.redirect_uri]
  if (!sameRedirectUri(code, c.facts.redirect_uri)) throw invalidGrant('redirect_uri_mismatch')
  requireVerifier(c, client, { code, params })
  const binding_fault = bindingFault(code.dpop_jkt, requester)
  if (binding_fault !== null) throw invalidGrant(binding_fault)
  requireGrantedResource(c.realm, { client, grant }, params)
  return redeemCode(c, requester, {
    grant_type: 'authorization_code',
    grant,
    code,
    nonce: code.nonce,
    replayed: () => replayError(c, grant),
  })
}

/** Revokes the grant of a code that is used twice, with its tokens (RFC 6749 §4.1.2). Returns the error for the client. */
async function replayError(c: Context, { grant_id, client_id, sub }: Grant): Promise<OAuthError> {
  await c.storage.grants.revoke({ grant_id }, c.now())
  c.emit({ type: 'code.replayed', client_id, sub, grant_id })
  return invalidGrant('replayed_code')
}

/** `redirect_uri` is required if the authorization request had it, and must be the same (RFC 6749 §4.1.3). */
const sameRedirectUri = (code: AuthorizationCode, uri: string | null): boolean =>
  uri === null ? !code.redirect_uri_sent : uri === code.redirect_uri

/** A verifier for a code without a challenge is refused too: the request's challenge may have been removed (RFC 9700 §4.8.2). */
function requireVerifier(
  c: Context,
  client: Client,
  { code: { code_challenge }, params }: { code: AuthorizationCode; params: Params },
): void {
  const code_verifier = params.get('code_verifier')
  if (code_challenge !== null) {
    if (code_verifier === null) throw invalidGrant('missing_code_verifier')
    if (!verifyPkce(code_verifier, code_challenge, c.hashes)) throw invalidGrant('pkce_mismatch')
    return
  }
  if (code_verifier !== null) throw invalidGrant('unexpected_code_verifier')
  if (!mayOmitPkce(client, c.realm.policy)) throw invalidGrant('pkce_required')
}
