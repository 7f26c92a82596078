/** The way back from a sign-in: the user returns to the client, which gets `access_denied` (RFC 6749 §4.1.2.1). */

import { methodNotAllowed } from '../http/route-responses.js'
import type { Context } from '../realm/context.js'
import { throttle } from '../request/throttle.js'
import { staleRequest } from './login.js'
import { answerRequest, findRequest } from './pending-request.js'
import { redirectToClient, storedTarget } from './redirect-target.js'

/**
 * Answers the pending request, once: a sign-in that ends later in another tab gets no code. Sessions stay. The redirect goes to
 * the stored URI, if a live client still has it registered.
 * @throws OAuthError `invalid_request` for any other client or URI, and 429: the answer to a sealed request is a record.
 */
export async function cancelRequest(c: Context, return_to: string): Promise<Response> {
  // A link, an image or a redirect of another site must not answer for the user.
  if (c.request.method !== 'POST') return methodNotAllowed(['POST'])
  const waiting = await findRequest(c, return_to)
  if (waiting === null) return staleRequest(c)
  const target = await storedTarget(c, waiting.pending.request)
  await throttle(c, 'cancel', c.realm.settings.throttle.authorize)
  if (!(await answerRequest(c, { ...waiting.pending, sealed: waiting.sealed }))) return staleRequest(c)
  c.emit({ type: 'authorization.cancelled', client_id: target.client.client_id })
  const error_description = 'The user went back without signing in'
  return redirectToClient(c, target, { error: 'access_denied', error_description })
}
