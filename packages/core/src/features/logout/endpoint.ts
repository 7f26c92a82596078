/** `GET|POST /oauth/logout`: OpenID Connect RP-Initiated Logout. */

import { endSession } from '../../authorize/end-session.js'
import { currentSession, expiredCookie, sessionCookie } from '../../authorize/session.js'
import { withQuery } from '../../clients/redirect-uri.js'
import { OAuthError } from '../../http/errors.js'
import { MAX_STATE_LENGTH, type Params, refuseLong, refuseRepeated } from '../../http/params.js'
import { redirect, withCookie } from '../../http/route-responses.js'
import { sentOf } from '../../http/sent.js'
import type { Context } from '../../realm/context.js'
import { hintFor } from '../../refusals/hints.js'
import { isNavigation } from '../../request/error-page.js'
import { plainSignedOutPage } from '../../request/plain-pages.js'
import { queryOrForm } from '../../request/read-params.js'
import type { Client, LogoutRequest } from '../../storage/storage.js'
import type { IdTokenHint } from '../../tokens/id-token-hint.js'
import { shownUri, uriDifference } from '../../util/shown-uri.js'
import { parseUiLocales } from '../../util/ui-locales.js'
import { askLogoutConfirmation, takeLogoutConfirmation } from './confirmation.js'
import { findLiveClient, parseLogoutHint, parseLogoutRequest, revokeLostSession } from './logout-request.js'

export async function logout(c: Context): Promise<Response> {
  const params = await queryOrForm(c)
  refuseRepeated(params)
  refuseLong(params, { state: MAX_STATE_LENGTH })
  const confirmation_token = params.get('confirmation_token')
  if (c.request.method === 'POST' && confirmation_token !== null) return confirm(c, confirmation_token)

  const hint = await parseLogoutHint(c, params)
  const { request, client } = await parseLogoutRequest(c, params, hint)
  // A form posted from another site sends no SameSite=Lax cookie. After a redirect to this origin, the browser sends it.
  if (c.request.method === 'POST' && sessionCookie(c) === null && !isBackEnd(c, hint))
    return redirectToSelf(c, params)
  reportRefusedUri(c, params, { request, client })
  const has_revoked = hint !== null && (await revokeLostSession(c, hint))
  const session = await currentSession(c)
  if (session === null && has_revoked) return signedOut(c, request)
  if (session === null) return nobodySignedIn(c, request, hint)
  // An ID token without a session, of the device authorization grant, can end none.
  if (hint?.sub !== session.sub || hint.sid === null)
    return askLogoutConfirmation(c, request, { client, session })
  await endSession(c, session.sid, 'logout')
  return signedOut(c, request)
}

/** An application that has an ID token, but is not the browser of its user. */
const isBackEnd = (c: Context, hint: IdTokenHint | null): boolean => hint !== null && !isNavigation(c.request)

/**
 * A hint alone ends no session of another browser: everybody who has an old ID token could end it from anywhere
 * (OpenID Connect RP-Initiated Logout §2). A back end would take a page with status 200 for success.
 */
async function nobodySignedIn(
  c: Context,
  request: LogoutRequest,
  hint: IdTokenHint | null,
): Promise<Response> {
  if (request.post_logout_redirect_uri !== null || !isBackEnd(c, hint)) return signedOut(c, request, false)
  throw new OAuthError(
    'invalid_request',
    'The request has no session of a browser, so nothing has ended. Send the browser of the user here; to end access from a back end, revoke the refresh token (RFC 7009)',
    { reason: 'no_session_to_end' },
  )
}

/** The user has confirmed the sign-out, in the session that was asked. */
async function confirm(c: Context, confirmation_token: string): Promise<Response> {
  const confirmed = await takeLogoutConfirmation(c, confirmation_token)
  if (confirmed instanceof Response) return confirmed
  await endSession(c, confirmed.sid, 'logout')
  return signedOut(c, confirmed.request)
}

/** The user stays on the signed-out page then: the event tells the operator why. */
function reportRefusedUri(
  c: Context,
  params: Params,
  { request: { client_id, redirect_refused }, client }: { request: LogoutRequest; client: Client | null },
): void {
  if (redirect_refused !== true) return
  const sent = params.get('post_logout_redirect_uri')
  const reason = client_id === null ? 'no_known_client' : 'unregistered_post_logout_redirect_uri'
  const difference = uriDifference(sent, client?.post_logout_redirect_uris ?? [])
  c.emit({
    type: 'logout.redirect_refused',
    client_id,
    reason,
    post_logout_redirect_uri: shownUri(sent),
    sent: sentOf({ request: c.request, params, now: c.now() }, reason),
    hint: difference === null ? hintFor(reason) : `${hintFor(reason)} ${difference}`,
  })
}

/** The same request as a GET. */
function redirectToSelf(c: Context, params: Params): Response {
  const names = ['id_token_hint', 'client_id', 'post_logout_redirect_uri', 'state']
  const query = Object.fromEntries(names.map((name) => [name, params.exact(name)]))
  const ui_locales = parseUiLocales(params.get('ui_locales')).join(' ') || null
  const location = withQuery(c.realm.urls.end_session_endpoint, { ...query, ui_locales })
  return redirect(location, c.realm.policy.redirect_status(c.request.method))
}

/** Redirects to the client's post-logout redirect URI; without one, shows the signed-out page. */
async function signedOut(c: Context, request: LogoutRequest, was_signed_in = true): Promise<Response> {
  const { client_id, post_logout_redirect_uri: uri, state, ui_locales = [] } = request
  const redirect_refused = request.redirect_refused === true
  const cookie = expiredCookie(c.realm)
  if (uri !== null) {
    const location = state === null ? uri : withQuery(uri, { state })
    return redirect(location, c.realm.policy.redirect_status(c.request.method), [cookie])
  }
  const client = client_id === null ? null : await findLiveClient(c, client_id)
  const prompt = { realm: c.realm, client, was_signed_in, redirect_refused, ui_locales, request: c.request }
  const page = await (c.interactions.signedOut ?? plainSignedOutPage)(prompt)
  return withCookie(page, cookie)
}
