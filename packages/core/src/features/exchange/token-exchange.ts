/** The token exchange grant, for access tokens: RFC 8693. The exchange policy decides; an application can replace it. */

import { invalidGrant, OAuthError } from '../../http/errors.js'
import { type Params, required } from '../../http/params.js'
import type { Context, TokenRequester, TokenResponse } from '../../realm/context.js'
import type { ExchangeRequest } from '../../realm/ports.js'
import { findClientResource, findResource, type Resource, unknownDefault } from '../../realm/realm.js'
import { requestedScopes } from '../../realm/scope.js'
import type { Client } from '../../storage/storage.js'
import { authenticationOf, tokenOrigin } from '../../tokens/access-token.js'
import { accessTokenLifetime } from '../../tokens/grant-lifetime.js'
import { issueToken } from '../../tokens/issue-tokens.js'
import { actorsWith, exchangeProof, isAddressedTo, requireUse, subjectToken } from './exchange-subject.js'
import { TOKEN_EXCHANGE } from './settings.js'

const ACCESS_TOKEN_TYPE = 'urn:ietf:params:oauth:token-type:access_token'
/** Another name for the same tokens: a JWT that is no access token of this issuer is refused as any other bad token is. */
const JWT_TYPE = 'urn:ietf:params:oauth:token-type:jwt'

export async function tokenExchange(
  c: Context,
  requester: TokenRequester,
  params: Params,
): Promise<TokenResponse> {
  const { client, method } = requester
  if (method === 'none' && !client.trusted)
    throw new OAuthError('unauthorized_client', 'A public client cannot exchange tokens unless it is trusted')
  refuseActorToken(params)
  requireTokenType(params, 'subject_token_type', [ACCESS_TOKEN_TYPE, JWT_TYPE])
  if (params.get('requested_token_type') !== null)
    requireTokenType(params, 'requested_token_type', [ACCESS_TOKEN_TYPE])
  const subject_token = required(params, 'subject_token')
  const target = parseTarget(c, client, params)
  const { audience, resource } = target
  resource?.admit?.(client, [])
  const { token, user } = await subjectToken(c, subject_token)
  if (user !== null) await requireUse(c, client, { token, user })
  const requested = requestedScopes(params)

  const request: ExchangeRequest = {
    realm: c.realm,
    client,
    subject: token,
    addressed: isAddressedTo(c.realm, requester, token),
    audience,
    owned_scopes: target.owned_scopes,
    requested_scopes: requested.length > 0 ? requested : null,
  }
  const { scopes, token_type } = await c.exchange_policy(request)
  resource?.admit?.(client, scopes)
  const proof = exchangeProof(c.realm, { requester, token }, { audience, token_type })

  const { claims } = token
  // The new token of a user with this `sub` would look like a token of the client itself.
  if (user !== null && claims.sub === client.client_id) throw invalidGrant('subject_is_named_like_the_client')
  // A token without a user becomes a token of the client that exchanges it.
  const sub = user === null ? client.client_id : claims.sub
  const grant_id = tokenOrigin(claims.jti)?.grant_id ?? null
  const lifetime = accessTokenLifetime(c, client, c.realm.settings.tokens.access_token)
  return issueToken(c, requester, {
    grant_type: TOKEN_EXCHANGE,
    bound_to: proof,
    issued_token_type: ACCESS_TOKEN_TYPE,
    token: {
      client,
      sub,
      user,
      audience,
      scopes,
      grant_id,
      expires_at: Math.min(c.now() + lifetime, claims.exp),
      act: actorsWith(client.client_id, claims.act),
      authentication: user !== null && c.realm.policy.tells_authentication ? authenticationOf(claims) : null,
    },
  })
}

/** The client itself is the actor. */
function refuseActorToken(params: Params): void {
  if (params.get('actor_token') !== null)
    throw new OAuthError('invalid_request', 'The parameter actor_token is not supported')
  // RFC 8693 §2.1: actor_token_type must not be sent without an actor_token.
  if (params.get('actor_token_type') !== null)
    throw new OAuthError('invalid_request', 'The parameter actor_token_type is not supported')
}

function requireTokenType(
  params: Params,
  name: 'subject_token_type' | 'requested_token_type',
  types: readonly string[],
): void {
  if (!types.includes(required(params, name)))
    throw new OAuthError('invalid_request', `The parameter ${name} must be ${types.join(' or ')}`, {
      reason: name,
    })
}

/** What the new token is addressed to, and the scopes that are owned there. */
interface Target {
  audience: string
  /** Null for the issuer, and for an audience that is not registered. */
  resource: Resource | null
  owned_scopes: readonly string[]
}

/**
 * The target that `audience` or `resource` names, or else the client's `default_resource`.
 * @throws OAuthError when they name different targets, or there is none.
 */
function parseTarget(c: Context, client: Client, params: Params): Target {
  const audience = namedTarget(c, params.get('audience'))
  const resource = namedTarget(c, params.get('resource'))
  if (audience && resource && audience.audience !== resource.audience)
    throw new OAuthError('invalid_target', 'The parameters audience and resource name different targets', {
      reason: 'different_targets',
    })
  return audience ?? resource ?? defaultTarget(c, client)
}

function namedTarget(c: Context, name: string | null): Target | null {
  if (name === null) return null
  const found = findResource(c.realm, name)
  const realmScopes = found?.uri === c.realm.issuer ? [...c.realm.scopes.realm] : []
  const resource = found?.resource ?? null
  return {
    audience: found?.uri ?? name,
    resource,
    owned_scopes: [...realmScopes, ...(resource?.scopes ?? [])],
  }
}

function defaultTarget(c: Context, { default_resource: name }: Client): Target {
  if (name === null)
    throw new OAuthError(
      'invalid_request',
      'The parameter audience or resource is missing, and this client has no default_resource',
      { reason: 'no_exchange_target' },
    )
  const target = namedTarget(c, findClientResource(c.realm, name)?.uri ?? null)
  if (target) return target
  throw unknownDefault()
}
