/** The way back from a sign-in: the user returns to the client, which gets an error. */

import { methodNotAllowed } from '../http/route-responses.js'
import type { Context } from '../realm/context.js'
import { throttle } from '../request/throttle.js'
import { staleRequest } from './login.js'
import { answerRequest, findRequest } from './pending-request.js'
import { redirectToClient, storedTarget } from './redirect-target.js'

/**
 * What the client gets: `access_denied` (RFC 6749 §4.1.2.1) when absent; or `unmet_authentication_requirements`, when the user cannot or will
 * not sign in as strongly as the client asks.
 */
export type CancelError = 'access_denied' | 'unmet_authentication_requirements'

const DESCRIPTIONS: Readonly<Record<CancelError, string>> = {
  access_denied: 'The user went back without signing in',
  unmet_authentication_requirements: 'The user went back without the sign-in that the acr_values ask for',
}

/**
 * Answers the pending request, once: a sign-in that ends later in another tab gets no code. Sessions stay. The redirect goes to
 * the stored URI, if a live client still has it registered.
 * @throws OAuthError `invalid_request` for any other client or URI, and 429: the answer to a sealed request is a record.
 */
export async function cancelRequest(
  c: Context,
  return_to: string,
  error: CancelError = 'access_denied',
): Promise<Response> {
  // A link, an image or a redirect of another site must not answer for the user.
  if (c.request.method !== 'POST') return methodNotAllowed(['POST'])
  const waiting = await findRequest(c, return_to)
  if (waiting === null) return staleRequest(c)
  const target = await storedTarget(c, waiting.pending.request)
  await throttle(c, 'cancel', c.realm.settings.throttle.authorize)
  if (!(await answerRequest(c, { ...waiting.pending, sealed: waiting.sealed }))) return staleRequest(c)
  c.emit({ type: 'authorization.cancelled', client_id: target.client.client_id })
  return redirectToClient(c, target, { error, error_description: DESCRIPTIONS[error] })
}
