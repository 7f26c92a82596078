/** `GET|POST /oauth/logout`: OpenID Connect RP-Initiated Logout. */

import type { Context } from '../context.js'
import { MAX_STATE_LENGTH, type Params, refuseLong, refuseRepeated } from '../protocol/params.js'
import { redirectStatus } from '../protocol/profile-rules.js'
import { withoutSecrets, withQuery } from '../protocol/redirect-uri.js'
import { parseUiLocales } from '../protocol/ui-locales.js'
import { redirect, withCookie } from '../route-responses.js'
import { endSession } from '../steps/end-session.js'
import { askLogoutConfirmation, takeLogoutConfirmation } from '../steps/logout-confirmation.js'
import {
  findLiveClient,
  parseLogoutHint,
  parseLogoutRequest,
  revokeLostSession,
} from '../steps/logout-request.js'
import { queryOrForm } from '../steps/params.js'
import { plainSignedOutPage } from '../steps/plain-pages.js'
import { currentSession, expiredCookie, sessionCookie } from '../steps/session.js'
import type { LogoutRequest } from '../storage.js'

export async function logout(c: Context): Promise<Response> {
  const params = await queryOrForm(c)
  refuseRepeated(params)
  refuseLong(params, { state: MAX_STATE_LENGTH })
  const confirmation_token = params.get('confirmation_token')
  if (c.request.method === 'POST' && confirmation_token !== null) return confirm(c, confirmation_token)

  const hint = await parseLogoutHint(c, params)
  const { request, client } = await parseLogoutRequest(c, params, hint)
  // A form posted from another site sends no SameSite=Lax cookie. After a redirect to this origin, the browser sends it.
  if (c.request.method === 'POST' && sessionCookie(c) === null) return redirectToSelf(c, params)
  reportRefusedUri(c, params, request)
  if (hint !== null) await revokeLostSession(c, hint)
  const session = await currentSession(c)
  if (session === null) return signedOut(c, request)
  if (hint?.sub !== session.sub) return askLogoutConfirmation(c, request, { client, session })
  await endSession(c, session.sid, 'logout')
  return signedOut(c, request)
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
  { client_id, post_logout_redirect_uri }: LogoutRequest,
): void {
  const sent = params.get('post_logout_redirect_uri')
  if (sent === null || post_logout_redirect_uri !== null) return
  const reason = client_id === null ? 'no_known_client' : 'unregistered_post_logout_redirect_uri'
  c.emit({
    type: 'logout.redirect_refused',
    client_id,
    reason,
    post_logout_redirect_uri: withoutSecrets(sent),
  })
}

/** The same request as a GET. */
function redirectToSelf(c: Context, params: Params): Response {
  const names = ['id_token_hint', 'client_id', 'post_logout_redirect_uri', 'state']
  const query = Object.fromEntries(names.map((name) => [name, params.exact(name)]))
  const ui_locales = parseUiLocales(params.get('ui_locales')).join(' ') || null
  const location = withQuery(c.realm.urls.end_session_endpoint, { ...query, ui_locales })
  return redirect(location, redirectStatus(c.realm.settings, c.request.method))
}

/** Redirects to the client's post-logout redirect URI; without one, shows the signed-out page. */
async function signedOut(c: Context, request: LogoutRequest): Promise<Response> {
  const { client_id, post_logout_redirect_uri: uri, state, ui_locales = [] } = request
  const cookie = expiredCookie(c.realm)
  if (uri !== null) {
    const location = state === null ? uri : withQuery(uri, { state })
    return redirect(location, redirectStatus(c.realm.settings, c.request.method), [cookie])
  }
  const client = client_id === null ? null : await findLiveClient(c, client_id)
  const prompt = { realm: c.realm, client, ui_locales, request: c.request }
  const page = await (c.interactions.signedOut ?? plainSignedOutPage)(prompt)
  return withCookie(page, cookie)
}
