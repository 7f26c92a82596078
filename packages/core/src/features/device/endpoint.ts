/** `POST /oauth/device_authorization`: the device authorization endpoint, RFC 8628 §3.1 and §3.2. */

import { authenticateClient } from '../../clients/client-auth.js'
import { claimProof, nextNonce, requestProof } from '../../dpop/proof.js'
import { refuseRepeated } from '../../http/params.js'
import { json, proofCors } from '../../http/responses.js'
import type { Context } from '../../realm/context.js'
import { requestedAccess } from '../../realm/realm.js'
import { form } from '../../request/read-params.js'
import { requireDeviceClient } from './device-client.js'
import { countDeviceRequest, POLL_INTERVAL } from './limits.js'
import { DEVICE_CODE_LIFETIME, storeDeviceRequest } from './requests.js'
import { deviceEndpoint, devicePageUrl } from './urls.js'
import { shownUserCode } from './user-code.js'

/** The proof of a request with DPoP names the key that has to poll. */
export async function deviceAuthorization(c: Context): Promise<Response> {
  const params = await form(c)
  refuseRepeated(params)
  const { realm } = c
  const endpoint = deviceEndpoint(realm)
  const other_endpoint = realm.urls.token_endpoint
  const { client } = await authenticateClient(c, { params, endpoint, other_endpoint, may_fetch: true })
  requireDeviceClient(realm, client)
  const proof = await requestProof(c, endpoint)
  const access = requestedAccess(realm, client, params)
  await countDeviceRequest(c, client)
  await claimProof(c, proof)
  const { client_id } = client
  const { device_code, user_code } = await storeDeviceRequest(c, {
    client_id,
    ...access,
    dpop_jkt: proof?.jkt ?? null,
    // What a peer claims is not shown to the user.
    address: c.peer === null ? c.address : null,
  })
  c.emit({ type: 'device.requested', client_id })
  const cors = proofCors(realm.policy)
  const headers = proof === null ? cors : { ...cors, ...nextNonce(c, proof) }
  const shown = shownUserCode(user_code)
  const verification_uri = devicePageUrl(realm)
  const complete = `${verification_uri}?${new URLSearchParams({ user_code: shown })}`
  const answer = {
    device_code,
    user_code: shown,
    verification_uri,
    ...(client.verification_uri_complete && { verification_uri_complete: complete }),
    expires_in: DEVICE_CODE_LIFETIME,
    interval: POLL_INTERVAL,
  }
  return json(answer, { headers })
}
