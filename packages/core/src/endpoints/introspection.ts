/** `POST /oauth/introspect`: RFC 7662. */

import { BearerError } from '@ostiary/resource-server'
import type { Context } from '../context.js'
import { refuseRepeated, required } from '../protocol/params.js'
import { json } from '../responses.js'
import { authenticateConfidentialClient } from '../steps/client-auth.js'
import { type FoundToken, findToken } from '../steps/find-token.js'
import { liveToken } from '../steps/oidc-guard.js'
import { form } from '../steps/params.js'
import type { Client } from '../storage.js'

export async function introspection(c: Context): Promise<Response> {
  const params = await form(c)
  refuseRepeated(params)
  const client = await authenticateConfidentialClient(c, params)
  const found = await findToken(c, required(params, 'token'), params.get('token_type_hint'))
  const active = found !== null && mayIntrospect(client, found) && (await isActive(c, found))
  return json(active ? { active: true, ...describe(c, found) } : { active: false })
}

/** Its own client, or one that an access token is addressed to. */
function mayIntrospect({ client_id }: Client, found: FoundToken): boolean {
  if (found.client_id === client_id) return true
  return found.kind === 'access_token' && found.token.audience.includes(client_id)
}

async function isActive(c: Context, found: FoundToken): Promise<boolean> {
  if (found.kind === 'refresh_token') {
    const { grant, refresh_token } = found
    const live =
      grant.revoked_at === null && refresh_token.spent_at === null && refresh_token.expires_at > c.now()
    return live && (await c.accounts.find(grant.sub, c.realm)) !== null
  }
  try {
    await liveToken(c, found.token)
    return true
  } catch (error) {
    if (error instanceof BearerError) return false
    throw error
  }
}

function describe(c: Context, found: FoundToken): Record<string, unknown> {
  if (found.kind === 'refresh_token') {
    const { grant, refresh_token } = found
    return {
      ...(grant.scopes.length > 0 && { scope: grant.scopes.join(' ') }),
      client_id: grant.client_id,
      sub: grant.sub,
      exp: refresh_token.expires_at,
      iss: c.realm.issuer,
    }
  }
  const { claims, audience, scopes } = found.token
  const { client_id, sub, exp, iat, nbf, jti, iss, act } = claims
  return {
    token_type: 'Bearer',
    ...(scopes.length > 0 && { scope: scopes.join(' ') }),
    client_id,
    ...(sub !== client_id && { sub }),
    ...{ exp, iat, nbf, jti, iss },
    aud: audience,
    ...(act && { act }),
  }
}
