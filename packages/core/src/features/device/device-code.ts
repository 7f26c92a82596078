/** The device code grant: RFC 8628 §3.4 and §3.5. The user's approval has made the grant; a poll redeems it. */

import { invalidGrant, OAuthError, type OAuthErrorCode } from '../../http/errors.js'
import { type Params, required } from '../../http/params.js'
import type { Context, TokenRequester, TokenResponse } from '../../realm/context.js'
import { requireGrantedResource } from '../../realm/realm.js'
import type { CatalogReason } from '../../refusals/hints.js'
import type { AuthorizationCode, Client, Grant } from '../../storage/storage.js'
import { isRevoked } from '../../tokens/grant-lifetime.js'
import { bindingFault, redeemCode } from '../../tokens/issue-tokens.js'
import { requireDeviceClient } from './device-client.js'
import { isEarlyPoll } from './limits.js'
import { DEVICE_CODE } from './names.js'
import type { DeviceAnswer } from './records.js'
import { findDeviceCode, type PolledDevice } from './requests.js'

export async function deviceCode(
  c: Context,
  requester: TokenRequester,
  params: Params,
): Promise<TokenResponse> {
  const { client } = requester
  requireDeviceClient(c.realm, client)
  const polled = await findDeviceCode(c, required(params, 'device_code'))
  if (polled === null) throw invalidGrant('unknown_device_code')
  const { request } = polled
  // Before anything is counted or told: the owner of the code is unharmed by a stranger who has found it.
  if (request.client_id !== client.client_id) throw invalidGrant('wrong_client')
  const binding_fault = bindingFault(request.dpop_jkt, requester)
  if (binding_fault !== null) throw invalidGrant(binding_fault)
  const approved = await approvedGrant(c, client, polled)
  requireGrantedResource(c.realm, { client, grant: approved.grant }, params)
  return redeemCode(c, requester, {
    ...approved,
    grant_type: DEVICE_CODE,
    nonce: null,
    replayed: async () => invalidGrant('redeemed_device_code'),
  })
}

interface ApprovedGrant {
  code: AuthorizationCode
  grant: Grant
}

/** @throws OAuthError for a request that waits, was refused, has expired, or whose approval has ended. */
async function approvedGrant(
  c: Context,
  client: Client,
  { request, answer }: PolledDevice,
): Promise<ApprovedGrant> {
  const is_expired = request.code_expires_at <= c.now()
  if (answer !== null && answer.approved === null) throw pollError('access_denied', 'device_refused')
  if (answer === null && !is_expired) throw await waitError(c, request.pending_hash)
  const found = answer?.approved ? await c.storage.grants.findCode(answer.approved.code_hash) : null
  if (found !== null && found.code.redeemed_at !== null) throw invalidGrant('redeemed_device_code')
  if (is_expired) throw pollError('expired_token', 'expired_token')
  if (found === null || isRevoked(found.grant, client) || !(await isStillApproved(c, found.grant, answer)))
    throw pollError('access_denied', 'device_approval_ended')
  return found
}

/** Until its tokens are issued, a grant ends with the session in which the user has approved it, and with the user. */
async function isStillApproved(c: Context, grant: Grant, answer: DeviceAnswer | null): Promise<boolean> {
  if (grant.expires_at <= c.now()) return false
  const [sessions, user] = await Promise.all([
    c.storage.sessions.list(grant.sub),
    c.accounts.find(grant.sub, c.realm, grant),
  ])
  const lives = sessions.some(({ sid, expires_at }) => sid === answer?.approved?.sid && expires_at > c.now())
  return lives && user !== null
}

async function waitError(c: Context, device_hash: string): Promise<OAuthError> {
  const code = (await isEarlyPoll(c, device_hash)) ? 'slow_down' : 'authorization_pending'
  return pollError(code, code)
}

const DESCRIPTIONS = {
  authorization_pending: 'The user has not answered yet: poll again after the interval',
  slow_down: 'The poll came too early: wait 5 seconds longer before this and each later poll',
  access_denied: 'The user has refused, or has ended the access again',
  expired_token: 'The device code has expired: start a new device authorization request',
} as const satisfies Partial<Record<OAuthErrorCode, string>>

/** RFC 6749 §5.2: 400, whatever the code. */
const pollError = (code: keyof typeof DESCRIPTIONS, reason: CatalogReason): OAuthError =>
  new OAuthError(code, DESCRIPTIONS[code], { reason, status: 400 })
