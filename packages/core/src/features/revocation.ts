/** `POST /oauth/revoke`: RFC 7009. The answer is 200 even for an unknown token, so it confirms no token's existence. */

import { authenticateClient } from '../clients/client-auth.js'
import { refuseRepeated, required } from '../http/params.js'
import { PATHS } from '../http/paths.js'
import { CORS, empty } from '../http/responses.js'
import type { Context } from '../realm/context.js'
import { assertionMetadata } from '../realm/policy.js'
import { form } from '../request/read-params.js'
import { tokenOrigin } from '../tokens/access-token.js'
import { findToken, type TokenMatch } from '../tokens/find-token.js'
import type { Feature } from './feature.js'

async function answer(c: Context): Promise<Response> {
  const params = await form(c)
  refuseRepeated(params)
  const { client } = await authenticateClient(c, { params, endpoint: c.realm.urls.revocation_endpoint })
  const found = await findToken(c, required(params, 'token'), params.get('token_type_hint'))
  if (found?.client_id === client.client_id) await revoke(c, found)
  return empty(200, CORS)
}

/** Either token of a pair revokes the grant, and with it both tokens. An exchanged token and one without a grant end alone. */
async function revoke(c: Context, found: TokenMatch): Promise<void> {
  const { client_id } = found
  const grant_id = grantOf(found)
  if (grant_id !== null) await c.storage.grants.revoke({ grant_id }, c.now())
  else if (found.kind === 'access_token')
    await c.storage.revoked_tokens.add(found.token.claims.jti, found.token.claims.exp)
  c.emit({ type: 'token.revoked', client_id, grant_id })
}

/** The grant that the token ends; null: none. */
function grantOf(found: TokenMatch): string | null {
  if (found.kind === 'refresh_token') return found.grant.grant_id
  const origin = tokenOrigin(found.token.claims.jti)
  return origin === null || origin.exchanged ? null : origin.grant_id
}

export const revocation: Feature = {
  spec: 'RFC 7009',
  enabled: ({ settings }) => settings.handlers.revoke,
  endpoints: {
    'oidc.revoke': { methods: ['POST'], path: PATHS.revoke, cors: true, handler: answer },
  },
  metadata: ({ urls, policy }) => ({
    revocation_endpoint: urls.revocation_endpoint,
    revocation_endpoint_auth_methods_supported: policy.auth_methods,
    ...assertionMetadata(policy, 'revocation'),
  }),
}
