/** The user's answer to the page that asks about a device: once, and only in the session that was asked. */

import { requireRules } from '../../authorize/access.js'
import { userSession } from '../../authorize/session.js'
import { OAuthError } from '../../http/errors.js'
import type { Params } from '../../http/params.js'
import type { Context } from '../../realm/context.js'
import { findOneTime } from '../../request/one-time-token.js'
import { approveDevice, countApprovedClient } from './approval.js'
import { confirmedClient } from './confirmation.js'
import type { DevicePage } from './prompts.js'
import { claimAnswer, storeAnswer, waitingDevice } from './requests.js'

/**
 * Null when the page was open for too long, or is of another session, or the device was answered elsewhere.
 * @throws OAuthError for an answer that is neither `allow` nor `refuse`: the token is not used up
 */
export async function answerDevice(
  c: Context,
  params: Params,
  confirmation_token: string,
): Promise<DevicePage | null> {
  const answer = params.get('answer')
  if (answer !== 'allow' && answer !== 'refuse')
    throw new OAuthError('invalid_request', 'The parameter answer must be allow or refuse', {
      reason: 'bad_device_answer',
    })
  const confirmation = await findOneTime(c, confirmation_token)
  const signedIn = await userSession(c)
  if (confirmation?.kind !== 'device_confirmation' || signedIn?.session.sid !== confirmation.sid) return null
  const waiting = await waitingDevice(c, confirmation)
  const client = waiting && (await confirmedClient(c, waiting.request))
  if (waiting === null || client === null || !confirmation_token.endsWith(c.clients.mark(client))) return null
  const { session } = signedIn
  if (answer === 'allow') requireRules(c, client, signedIn)
  if (answer === 'allow') await countApprovedClient(c, client, session.sub)
  if ((await c.storage.pending.take(confirmation.pending_hash)) === null || !(await claimAnswer(c, waiting)))
    return null
  const { request } = waiting
  if (answer === 'allow') await approveDevice(c, { request, client, session })
  else {
    await storeAnswer(c, request, null)
    c.emit({ type: 'device.refused', client_id: request.client_id, sub: session.sub })
  }
  return { page: answer === 'allow' ? 'approved' : 'refused', client }
}
