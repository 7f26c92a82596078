/** `POST|DELETE /oauth/authorize/consent`: the user's answer to the consent view. */

import type { Context } from '../context.js'
import { OAuthError } from '../errors.js'
import { type Params, refuseRepeated } from '../protocol/params.js'
import { sha256 } from '../protocol/secret.js'
import { consentedResources } from '../steps/ask-consent.js'
import { redirectErrors } from '../steps/authorization.js'
import { issueCode } from '../steps/issue-code.js'
import { form } from '../steps/params.js'
import { redirectToClient, storedTarget } from '../steps/redirect-target.js'
import { type UserSession, userSession } from '../steps/session.js'
import { answerRequest } from '../steps/waiting-request.js'
import type { PendingConsent } from '../storage.js'

/** `POST` approves; an HTML form denies with `_method=DELETE`, since it has no other way. */
export async function approve(c: Context): Promise<Response> {
  const params = await form(c)
  refuseRepeated(params)
  if (params.get('_method')?.toUpperCase() === 'DELETE') return denyWith(c, params)

  const { pending, present } = await takePending(c, params)
  const { request } = pending
  const target = await storedTarget(c, request)
  return redirectErrors(c, target, async () => {
    const { sub } = present.session
    const resources = consentedResources(c, request).toSorted()
    const approved = resources.map((resource) => ({ resource, scopes: request.scopes }))
    await c.storage.consents.merge({ sub, client_id: request.client_id, approved }, c.now())
    const { client_id, scopes, resource } = request
    c.emit({ type: 'consent.approved', client_id, sub, scopes, resource })
    return issueCode(c, { target, request, session: present.session })
  })
}

/** `DELETE` denies: nothing is stored. */
export async function deny(c: Context): Promise<Response> {
  const params = await form(c)
  refuseRepeated(params)
  return denyWith(c, params)
}

async function denyWith(c: Context, params: Params): Promise<Response> {
  const { pending, present } = await takePending(c, params)
  const target = await storedTarget(c, pending.request)
  c.emit({ type: 'consent.denied', client_id: target.client.client_id, sub: present.session.sub })
  const error_description = 'The user denied the request'
  return redirectToClient(c, target, { error: 'access_denied', error_description })
}

/** The request that this `auth_token` stands for, once, and only in the session that was asked. */
async function takePending(
  c: Context,
  params: Params,
): Promise<{ pending: PendingConsent; present: UserSession }> {
  const refused = (reason: string) =>
    new OAuthError('access_denied', 'The auth_token is wrong, expired, used, or of another session', {
      reason,
    })
  const auth_token = params.get('auth_token')
  const pending_hash = auth_token === null ? null : sha256(auth_token)
  const found = pending_hash === null ? null : await c.storage.pending.find(pending_hash)
  if (pending_hash === null || found?.kind !== 'consent') throw refused('unknown_auth_token')
  if (found.expires_at <= c.now()) throw refused('expired_auth_token')
  const present = await userSession(c)
  if (present === null || present.session.sid !== found.sid) throw refused('foreign_auth_token')
  if ((await c.storage.pending.take(pending_hash)) === null) throw refused('reused_auth_token')
  // A view that was shown twice has two tokens, but the request behind them is good for one answer.
  const { authorization_hash, authorization_sealed, expires_at } = found
  const authorization = { pending_hash: authorization_hash, sealed: authorization_sealed, expires_at }
  if (!(await answerRequest(c, authorization))) throw refused('answered_request')
  return { pending: found, present }
}
