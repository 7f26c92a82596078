/** The page that asks the user whether to sign out, and its answer: OpenID Connect RP-Initiated Logout §2. */

import { errorPage } from '../../authorize/login.js'
import { currentSession } from '../../authorize/session.js'
import { OAuthError } from '../../http/errors.js'
import type { Context } from '../../realm/context.js'
import { findOneTime } from '../../request/one-time-token.js'
import { plainLogoutPage } from '../../request/plain-pages.js'
import { throttleSession } from '../../request/throttle.js'
import type { Client, LogoutRequest, Session } from '../../storage/storage.js'
import { newSecret, sha256 } from '../../util/secret.js'
import { withRegisteredUri } from './logout-request.js'

export async function askLogoutConfirmation(
  c: Context,
  request: LogoutRequest,
  { client, session }: { client: Client | null; session: Session },
): Promise<Response> {
  await throttleSession(c, session, 'logout')
  const confirmation_token = newSecret(c.random)
  await c.storage.pending.put({
    kind: 'logout',
    pending_hash: sha256(confirmation_token),
    request,
    sid: session.sid,
    expires_at: c.now() + c.realm.settings.tokens.pending_authorization,
  })
  return (c.interactions.logout ?? plainLogoutPage)({
    realm: c.realm,
    client,
    user: await c.accounts.find(session.sub, c.realm, session),
    confirmation_token,
    action: c.realm.urls.end_session_endpoint,
    redirect_uri: request.post_logout_redirect_uri,
    ui_locales: request.ui_locales ?? [],
    request: c.request,
  })
}

export interface ConfirmedLogout {
  sid: string
  request: LogoutRequest
}

/** Takes the logout request of this token: once, and only in the session that was asked. Otherwise an error page. */
export async function takeLogoutConfirmation(
  c: Context,
  confirmation_token: string,
): Promise<ConfirmedLogout | Response> {
  const pending = await findOneTime(c, confirmation_token)
  const session = await currentSession(c)
  if (pending?.kind !== 'logout' || pending.expires_at <= c.now() || pending.sid !== session?.sid)
    return errorPage(
      c,
      new OAuthError('access_denied', 'This confirmation has expired or was already used. Sign out again.', {
        reason: 'bad_confirmation_token',
      }),
    )
  const { client_id } = pending.request
  // The client may have changed while the page was open.
  const client = client_id === null ? null : await c.storage.clients.find(client_id)
  await c.storage.pending.take(pending.pending_hash)
  return { sid: pending.sid, request: withRegisteredUri(pending.request, client) }
}
