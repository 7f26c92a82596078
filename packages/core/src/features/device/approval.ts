/** The user's approval of a device: it makes the grant at once, so that the user can end it on the account page at once. */

import { OAuthError } from '../../http/errors.js'
import type { Context } from '../../realm/context.js'
import type { AuthorizationCode, Client, Grant, Session } from '../../storage/storage.js'
import { newTaggedId, newTaggedSecret, taggedHash, tagOf } from '../../storage/tag.js'
import type { DeviceRequest } from './records.js'
import { storeAnswer } from './requests.js'

export interface ApprovedDevice {
  request: DeviceRequest
  client: Client
  session: Session
}

/** @throws OAuthError `login_required` when the session has ended meanwhile: the device is refused then. */
export async function approveDevice(c: Context, { request, client, session }: ApprovedDevice): Promise<void> {
  const { sub, sid } = session
  const grant = newGrant(c, request, session)
  const code = newCode(c, request, grant)
  await c.storage.grants.create(grant, code)
  // If the session ends now or before, either this sees it, or what ends it finds the grant.
  if ((await c.storage.sessions.find(session.session_hash)) === null) {
    await c.storage.grants.revoke({ grant_id: grant.grant_id }, c.now())
    await storeAnswer(c, request, null)
    throw new OAuthError('login_required', 'The session ended during the request', {
      reason: 'session_ended',
    })
  }
  await storeAnswer(c, request, { sid, code_hash: code.code_hash })
  await c.clients.used(client)
  const { client_id, scopes, resource } = request
  c.emit({ type: 'device.approved', client_id, sub, grant_id: grant.grant_id, scopes, resource })
}

/** A client that publishes its document is counted, and its description kept, as after a consent. No consent is stored. */
export async function countApprovedClient(c: Context, client: Client, sub: string): Promise<void> {
  if (c.clients.mark(client) === '') return
  const { client_id } = client
  const [consents, grants] = await Promise.all([
    c.storage.consents.list(sub),
    c.storage.grants.list(sub, c.now()),
  ])
  if (![...consents, ...grants].some((row) => row.client_id === client_id))
    await c.clients.firstApproval(client, sub)
  if ((await c.clients.consentsFrom(client)) === null) await c.clients.approved(client, c.now())
}

/** It belongs to no session, and is offline in every rule. Until it is redeemed, it ends with the codes of the request. */
function newGrant(c: Context, request: DeviceRequest, session: Session): Grant {
  return {
    grant_id: newTaggedId(c.random, c.now(), tagOf(session.sid)),
    client_id: request.client_id,
    sub: session.sub,
    sid: '',
    offline: true,
    scopes: request.scopes,
    resource: request.resource,
    auth_time: session.auth_time,
    amr: session.amr,
    acr: session.acr,
    client_auth: null,
    jkt: null,
    created_at: c.now(),
    expires_at: request.code_expires_at,
    revoked_at: null,
  }
}

/** The code of the grant is for its record alone: its text is unknown, so that no token request can present it. */
const newCode = (
  c: Context,
  { code_expires_at: expires_at, dpop_jkt }: DeviceRequest,
  { grant_id }: Grant,
): AuthorizationCode => ({
  code_hash: taggedHash(c.hashes, newTaggedSecret(c.random, tagOf(grant_id))),
  grant_id,
  redirect_uri: '',
  redirect_uri_sent: true,
  code_challenge: null,
  nonce: null,
  dpop_jkt,
  expires_at,
  redeemed_at: null,
})
