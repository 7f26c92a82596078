/** The token exchange grant, for access tokens: RFC 8693. The exchange policy decides; an application can replace it. */

import { type AccessToken, BearerError, type DpopProof } from '@ostiary/resource-server'
import type { Context } from '../context.js'
import { invalidGrant, OAuthError } from '../errors.js'
import type { Account, ExchangeRequest } from '../ports.js'
import { authenticationOf, tellsAuthentication } from '../protocol/acr.js'
import { type Params, required } from '../protocol/params.js'
import { parseScope } from '../protocol/scope.js'
import { findResource } from '../realm.js'
import { activePrincipal, verifyOwnToken } from '../steps/bearer-token.js'
import { boundKeyOf, keyFault } from '../steps/dpop-binding.js'
import { boundTo, claimProof } from '../steps/dpop-proof.js'
import { accessTokenLifetime } from '../steps/grant-lifetime.js'
import { signAccessToken, type TokenResponse } from '../steps/issue-tokens.js'
import type { Client } from '../storage.js'
import type { TokenRequester } from './grant-type.js'

export const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'
const ACCESS_TOKEN_TYPE = 'urn:ietf:params:oauth:token-type:access_token'

export async function tokenExchange(
  c: Context,
  { client, method, proof }: TokenRequester,
  params: Params,
): Promise<TokenResponse> {
  if (method === 'none' && !client.trusted)
    throw new OAuthError('unauthorized_client', 'A public client cannot exchange tokens unless it is trusted')
  if (params.get('actor_token') !== null)
    throw new OAuthError('invalid_request', 'The parameter actor_token is not supported')
  // RFC 8693 §2.1: actor_token_type must not be sent without an actor_token.
  if (params.get('actor_token_type') !== null)
    throw new OAuthError('invalid_request', 'The parameter actor_token_type is not supported')
  requireAccessTokenType(required(params, 'subject_token_type'), 'subject_token_type')
  requireAccessTokenType(params.get('requested_token_type') ?? ACCESS_TOKEN_TYPE, 'requested_token_type')
  const subject_token = required(params, 'subject_token')
  const target = parseTarget(c, params)
  const { token, user } = await subjectToken(c, subject_token)
  requireKey(token, client, proof)
  const requested = parseScope(params.get('scope'))

  const request: ExchangeRequest = {
    realm: c.realm,
    client,
    subject: token,
    audience: target.audience,
    owned_scopes: target.owned_scopes,
    requested_scopes: requested.length > 0 ? requested : null,
  }
  const { scopes } = await c.exchange_policy(request)

  const { claims } = token
  // The new token of a user with this `sub` would look like a token of the client itself.
  if (user !== null && claims.sub === client.client_id) throw invalidGrant('subject_is_named_like_the_client')
  // A token without a user becomes a token of the client that exchanges it.
  const sub = user === null ? client.client_id : claims.sub
  const lifetime = accessTokenLifetime(c, client, c.realm.settings.tokens.access_token)
  const issued = await signAccessToken(c, {
    client,
    proof,
    sub,
    user,
    audience: target.audience,
    scopes,
    grant_id: null,
    expires_at: Math.min(c.now() + lifetime, claims.exp),
    act: { sub: client.client_id, ...(claims.act && { act: claims.act }) },
    authentication: user !== null && tellsAuthentication(c.realm.settings) ? authenticationOf(claims) : null,
  })
  await claimProof(c, proof)
  const { audience } = target
  const { client_id } = client
  c.emit({
    type: 'token.issued',
    client_id,
    grant_type: TOKEN_EXCHANGE,
    sub,
    grant_id: null,
    scopes,
    audience,
    ...boundTo(proof),
  })
  return {
    ...issued,
    issued_token_type: ACCESS_TOKEN_TYPE,
    ...(scopes.length > 0 && { scope: scopes.join(' ') }),
  }
}

function requireAccessTokenType(value: string, name: string): void {
  if (value !== ACCESS_TOKEN_TYPE)
    throw new OAuthError('invalid_request', `The parameter ${name} must be ${ACCESS_TOKEN_TYPE}`, {
      reason: 'token_type',
    })
}

/** The target that `audience` or `resource` names. @throws OAuthError when they name different targets, or are both absent. */
function parseTarget(c: Context, params: Params): { audience: string; owned_scopes: readonly string[] } {
  const resolve = (name: string | null) => {
    if (name === null) return null
    const found = findResource(c.realm, name)
    const realmScopes = found?.uri === c.realm.issuer ? [...c.realm.scopes.realm] : []
    return {
      audience: found?.uri ?? name,
      owned_scopes: [...realmScopes, ...(found?.resource?.scopes ?? [])],
    }
  }
  const audience = resolve(params.get('audience'))
  const resource = resolve(params.get('resource'))
  if (audience && resource && audience.audience !== resource.audience)
    throw new OAuthError('invalid_target', 'The parameters audience and resource name different targets')
  const target = audience ?? resource
  if (!target) throw new OAuthError('invalid_request', 'The parameter audience or resource is missing')
  return target
}

/**
 * A subject token that is bound to a key needs a proof of that key, unless it is addressed to the client that exchanges it: an
 * API has checked the proof when it was called, and cannot make one itself. The new token is bound to the key of this request's
 * proof.
 */
function requireKey(token: AccessToken, { client_id }: Client, proof: DpopProof | null): void {
  if (token.audience.includes(client_id)) return
  const fault = keyFault(boundKeyOf(token), proof)
  if (fault !== null) throw invalidGrant(`subject_token_${fault}`)
}

/** `user` is null for a token without a user. */
async function subjectToken(
  c: Context,
  value: string,
): Promise<{ token: AccessToken; user: Account | null }> {
  try {
    const token = await verifyOwnToken(c, value)
    const principal = await activePrincipal(c, token)
    return { token, user: principal.kind === 'client' ? null : principal.user }
  } catch (error) {
    if (error instanceof BearerError) throw invalidGrant(`subject_token_${error.reason}`)
    throw error
  }
}
