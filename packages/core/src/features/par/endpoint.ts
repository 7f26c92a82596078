/** `POST /oauth/par`: the pushed authorization request endpoint, RFC 9126 §2. */

import { authorizationRequest } from '../../authorize/authorization-request.js'
import { redirectTarget } from '../../authorize/redirect-target.js'
import { authenticateClient } from '../../clients/client-auth.js'
import { boundToKey } from '../../dpop/jkt.js'
import { claimProof, nextNonce, requestProof } from '../../dpop/proof.js'
import { OAuthError } from '../../http/errors.js'
import { refuseRepeated } from '../../http/params.js'
import { json, proofCors } from '../../http/responses.js'
import type { Context } from '../../realm/context.js'
import { form } from '../../request/read-params.js'
import { countPushedRequest, PUSHED_REQUEST_SECONDS, storePushedRequest } from './pushed-request.js'

/** Every error is JSON, with the code that the authorization endpoint would redirect with (RFC 9126 §2.3). */
export async function pushedAuthorizationRequest(c: Context): Promise<Response> {
  const params = await form(c)
  refuseRepeated(params)
  const { urls, policy } = c.realm
  const endpoint = urls.pushed_authorization_request_endpoint
  const authenticated = await authenticateClient(c, {
    params,
    endpoint,
    other_endpoint: urls.token_endpoint,
    may_fetch: true,
  })
  if (params.get('request_uri') !== null)
    throw new OAuthError('invalid_request', 'A pushed authorization request cannot have a request_uri')
  const proof = await requestProof(c, endpoint)
  const { client_id } = authenticated.client
  const target = await redirectTarget(c, params, client_id)
  const sent = await authorizationRequest(c, target, { params, is_pushed: true })
  const request = boundToKey(sent, proof?.jkt ?? null)
  await countPushedRequest(c, authenticated)
  await claimProof(c, proof)
  const request_uri = await storePushedRequest(c, request)
  c.emit({ type: 'authorization.pushed', client_id })
  const cors = proofCors(policy)
  const headers = proof === null ? cors : { ...cors, ...nextNonce(c, proof) }
  return json({ request_uri, expires_in: PUSHED_REQUEST_SECONDS }, { status: 201, headers })
}
