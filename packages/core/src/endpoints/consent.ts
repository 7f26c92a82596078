/** `POST|DELETE /oauth/authorize/consent`: the user's answer to the consent view. */

import { requireRules } from '../authorize/access.js'
import { requireShownClient, storeConsent } from '../authorize/ask-consent.js'
import { redirectErrors } from '../authorize/decide.js'
import { issueCode } from '../authorize/issue-code.js'
import { answerRequest, noteFlow } from '../authorize/pending-request.js'
import { redirectToClient, storedTarget } from '../authorize/redirect-target.js'
import { type UserSession, userSession } from '../authorize/session.js'
import { OAuthError } from '../http/errors.js'
import { type Params, refuseRepeated } from '../http/params.js'
import type { Context } from '../realm/context.js'
import type { CatalogReason } from '../refusals/hints.js'
import { findOneTime } from '../request/one-time-token.js'
import { form } from '../request/read-params.js'
import type { PendingConsent } from '../storage/storage.js'

/** `POST` approves. An HTML form cannot send `DELETE`, so it denies with `_method=DELETE`. */
export async function approve(c: Context): Promise<Response> {
  const params = await form(c)
  refuseRepeated(params)
  if (params.get('_method')?.toUpperCase() === 'DELETE') return denyWith(c, params)

  const { pending, signedIn } = await takePending(c, params)
  const { request } = pending
  const target = await storedTarget(c, request)
  return redirectErrors(c, target, async () => {
    requireShownClient(c, target, params.get('auth_token') ?? '')
    requireRules(c, target.client, signedIn)
    const { sub } = signedIn.session
    await storeConsent(c, { request, target }, signedIn.session)
    const { client_id, scopes, resource } = request
    c.emit({ type: 'consent.approved', client_id, sub, scopes, resource })
    try {
      return await issueCode(c, { target, request, session: signedIn.session })
    } catch (error) {
      await withdrawOfDeleted(c, { sub, client_id })
      throw error
    }
  })
}

/** The deletion of a user ends the sessions before it deletes the consents: one that was stored later must not stay. */
async function withdrawOfDeleted(c: Context, { sub, client_id }: ConsentOwner): Promise<void> {
  if ((await c.accounts.find(sub, c.realm)) === null) await c.storage.consents.delete({ sub, client_id })
}

interface ConsentOwner {
  sub: string
  client_id: string
}

/** `DELETE` denies; nothing is stored. */
export async function deny(c: Context): Promise<Response> {
  const params = await form(c)
  refuseRepeated(params)
  return denyWith(c, params)
}

async function denyWith(c: Context, params: Params): Promise<Response> {
  const { pending, signedIn } = await takePending(c, params)
  const target = await storedTarget(c, pending.request)
  c.emit({ type: 'consent.denied', client_id: target.client.client_id, sub: signedIn.session.sub })
  const error_description = 'The user denied the request'
  return redirectToClient(c, target, { error: 'access_denied', error_description })
}

/** Takes the pending consent of this `auth_token`: once, and only in the session that was asked. */
async function takePending(
  c: Context,
  params: Params,
): Promise<{ pending: PendingConsent; signedIn: UserSession }> {
  const authTokenError = (reason: CatalogReason) =>
    new OAuthError('access_denied', 'The auth_token is wrong, expired, used, or of another session', {
      reason,
    })
  const auth_token = params.get('auth_token')
  const pending = auth_token === null ? null : await findOneTime(c, auth_token)
  if (pending?.kind !== 'consent') throw authTokenError('unknown_auth_token')
  noteFlow(c, pending.authorization_hash)
  if (pending.expires_at <= c.now()) throw authTokenError('expired_auth_token')
  const signedIn = await userSession(c)
  if (signedIn === null || signedIn.session.sid !== pending.sid) throw authTokenError('foreign_auth_token')
  if ((await c.storage.pending.take(pending.pending_hash)) === null) throw authTokenError('reused_auth_token')
  // A view that was shown twice has two tokens, but their request can be answered only once.
  const { authorization_hash, authorization_sealed, expires_at } = pending
  const authorization = { pending_hash: authorization_hash, sealed: authorization_sealed, expires_at }
  if (!(await answerRequest(c, authorization))) throw authTokenError('answered_request')
  return { pending, signedIn }
}
