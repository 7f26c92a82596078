/** `POST /oauth/introspect`: RFC 7662. */

import { BearerError } from '@ostiary/resource-server'
import { authenticateConfidentialClient } from '../clients/client-auth.js'
import { refuseRepeated, required } from '../http/params.js'
import { PATHS } from '../http/paths.js'
import { json } from '../http/responses.js'
import type { Context } from '../realm/context.js'
import { assertionMetadata } from '../realm/policy.js'
import { isClientOfAudience } from '../realm/realm.js'
import { form } from '../request/read-params.js'
import type { Client } from '../storage/storage.js'
import { authenticationClaims, authenticationOf } from '../tokens/access-token.js'
import { activePrincipal } from '../tokens/bearer-token.js'
import { findToken, type TokenMatch } from '../tokens/find-token.js'
import { hasGrantEnded, isRevoked } from '../tokens/grant-lifetime.js'
import type { Feature } from './feature.js'

async function answer(c: Context): Promise<Response> {
  const params = await form(c)
  refuseRepeated(params)
  const client = await authenticateConfidentialClient(c, {
    params,
    endpoint: c.realm.urls.introspection_endpoint,
  })
  const found = await findToken(c, required(params, 'token'), params.get('token_type_hint'))
  const active =
    found !== null && mayIntrospect(c, client, found) ? await activeToken(c, client, found) : null
  return json(active ? { active: true, ...active } : { active: false })
}

/** The client that the token was issued to; for an access token, also one in its audience, and one that is an API in it. */
function mayIntrospect({ realm }: Context, client: Client, found: TokenMatch): boolean {
  if (found.client_id === client.client_id) return true
  if (found.kind !== 'access_token') return false
  const { audience } = found.token
  return audience.includes(client.client_id) || isClientOfAudience(realm, client, audience)
}

/** Null when the token is not active. */
async function activeToken(
  c: Context,
  client: Client,
  found: TokenMatch,
): Promise<Record<string, unknown> | null> {
  if (found.kind === 'refresh_token') return activeRefreshToken(c, client, found)
  const { claims, audience, scopes } = found.token
  const { client_id, sub, exp, iat, nbf, jti, iss, act, cnf } = claims
  const bearer = await activePrincipal(c, found.token, { use: 'introspection' }).catch(refusedToken)
  return (
    bearer && {
      token_type: cnf === undefined ? 'Bearer' : 'DPoP',
      ...(scopes.length > 0 && { scope: scopes.join(' ') }),
      client_id,
      ...(bearer.kind === 'user' && { sub }),
      exp,
      iat,
      nbf,
      jti,
      iss,
      aud: audience,
      ...(act && { act }),
      ...authenticationClaims(authenticationOf(claims)),
      // RFC 9449 §6.2: the API compares it with the key of the proof that comes with the token.
      ...(cnf !== undefined && { cnf }),
    }
  )
}

function refusedToken(error: unknown): null {
  if (error instanceof BearerError) return null
  throw error
}

/** @param client The caller, which the token was issued to. */
async function activeRefreshToken(
  c: Context,
  client: Client,
  { grant, refresh_token }: Extract<TokenMatch, { kind: 'refresh_token' }>,
): Promise<Record<string, unknown> | null> {
  const { sub, client_id, scopes } = grant
  const spent = isRevoked(grant, client) || refresh_token.spent_at !== null
  if (spent || refresh_token.expires_at <= c.now() || hasGrantEnded(c, grant)) return null
  if ((await c.accounts.find(sub, c.realm, grant)) === null) return null
  const scope = scopes.length > 0 && { scope: scopes.join(' ') }
  return { ...scope, client_id, sub, exp: refresh_token.expires_at, iss: c.realm.issuer }
}

export const introspection: Feature = {
  spec: 'RFC 7662',
  enabled: ({ settings }) => settings.handlers.introspect,
  endpoints: {
    'oidc.introspect': { methods: ['POST'], path: PATHS.introspect, handler: answer },
  },
  metadata: ({ urls, policy }) => ({
    introspection_endpoint: urls.introspection_endpoint,
    introspection_endpoint_auth_methods_supported: policy.auth_methods.filter((method) => method !== 'none'),
    ...assertionMetadata(policy, 'introspection'),
  }),
}
