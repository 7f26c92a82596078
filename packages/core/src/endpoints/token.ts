/** `POST /oauth/token`: RFC 6749 §3.2. */

import { authenticateClient } from '../clients/client-auth.js'
import { nextNonce, requestProof } from '../dpop/proof.js'
import { authorizationCode } from '../grants/authorization-code.js'
import { clientCredentials } from '../grants/client-credentials.js'
import { refreshToken } from '../grants/refresh-token.js'
import { OAuthError } from '../http/errors.js'
import { refuseRepeated, required } from '../http/params.js'
import { json, proofCors } from '../http/responses.js'
import type { Context, GrantType } from '../realm/context.js'
import { form } from '../request/read-params.js'

const GRANTS: ReadonlyMap<string, GrantType> = new Map([
  ['authorization_code', authorizationCode],
  ['refresh_token', refreshToken],
  ['client_credentials', clientCredentials],
])

export async function token(c: Context): Promise<Response> {
  const params = await form(c)
  refuseRepeated(params)
  const grant_type = required(params, 'grant_type')
  const grant = GRANTS.get(grant_type) ?? c.grants.get(grant_type)
  if (!grant) throw new OAuthError('unsupported_grant_type', 'This grant_type is not supported')
  const endpoint = c.realm.urls.token_endpoint
  const authenticated = await authenticateClient(c, { params, endpoint, may_fetch: true })
  if (!authenticated.client.grant_types.includes(grant_type))
    throw new OAuthError('unauthorized_client', 'This client is not registered for this grant_type')
  const proof = await requestProof(c, endpoint)
  const response = await grant(c, { ...authenticated, proof }, params)
  // The tokens are issued: a failure now must not cost the client its rotated refresh token.
  await c.clients.used(authenticated.client)?.catch((cause: unknown) => void c.failure(cause))
  const cors = proofCors(c.realm.policy)
  return json(response, { headers: proof === null ? cors : { ...cors, ...nextNonce(c, proof) } })
}
