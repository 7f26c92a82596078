/** `GET|POST /oauth/logout`: OpenID Connect RP-Initiated Logout. */

import type { Context } from '../context.js'
import { OAuthError } from '../errors.js'
import { type Params, refuseLong, refuseRepeated, STATE_LIMIT } from '../protocol/params.js'
import { withQuery } from '../protocol/redirect-uri.js'
import { newSecret, sha256 } from '../protocol/secret.js'
import { redirect, withCookie } from '../responses.js'
import { endSession as end } from '../steps/end-session.js'
import { personError } from '../steps/login.js'
import { queryOrForm } from '../steps/params.js'
import { plainLogoutPage, plainSignedOutPage } from '../steps/plain-pages.js'
import { currentSession, forgetCookie, sessionCookie } from '../steps/session.js'
import { publishedKey } from '../steps/signing-keys.js'
import { throttleSession } from '../steps/throttle.js'
import type { Client, LogoutRequest, Session } from '../storage.js'
import { type IdTokenHint, verifyIdTokenHint } from '../tokens/id-token-hint.js'

export async function endSession(c: Context): Promise<Response> {
  const params = await queryOrForm(c)
  refuseRepeated(params)
  refuseLong(params, { state: STATE_LIMIT })
  const confirmation_token = params.get('confirmation_token')
  if (c.request.method === 'POST' && confirmation_token !== null) return confirmed(c, confirmation_token)

  const hint = await parseHint(c, params)
  const { request, client } = await logoutRequest(c, params, hint)
  // A form posted from another site carries no SameSite=Lax cookie; a redirect back to us does.
  if (c.request.method === 'POST' && sessionCookie(c) === null) return askAgain(c, params)
  if (hint !== null) await revokeLeftBehind(c, hint)
  const session = await currentSession(c)
  if (session === null) return signedOut(c, request)
  if (hint?.sub !== session.sub) return askConfirmation(c, request, { client, session })
  await end(c, session.sid, 'logout')
  return signedOut(c, request)
}

/**
 * A session that storage has lost cannot be ended any more, and its grants would live on: they end here, by the `sid` of
 * the hint. A session that lives is left to its own browser.
 */
async function revokeLeftBehind(c: Context, { sub, sid }: IdTokenHint): Promise<void> {
  if (sid === null) return
  const live = await c.storage.sessions.list(sub)
  if (live.some((session) => session.sid === sid)) return
  const grants = await c.storage.grants.revoke({ sid }, c.now())
  if (grants > 0) c.emit({ type: 'grant.revoked', sub, client_id: null, grants })
}

/** The same request as a GET. */
function askAgain(c: Context, params: Params): Response {
  const names = ['id_token_hint', 'client_id', 'post_logout_redirect_uri', 'state']
  const same = Object.fromEntries(names.map((name) => [name, params.exact(name)]))
  return redirect(withQuery(c.realm.urls.end_session_endpoint, same), c.request.method)
}

/** A hint that does not verify is no hint: the person is asked. */
async function parseHint(c: Context, params: Params): Promise<IdTokenHint | null> {
  const hint = params.get('id_token_hint')
  if (hint === null) return null
  return verifyIdTokenHint(hint, c.realm.issuer, (kid) => publishedKey(c, kid)).catch((error: unknown) => {
    if (error instanceof OAuthError) return null
    throw error
  })
}

/** The redirect counts only when the hint's or the named client has registered exactly this URI. */
async function logoutRequest(c: Context, params: Params, hint: IdTokenHint | null) {
  const client_id = params.get('client_id') ?? hint?.aud[0] ?? null
  if (hint && client_id !== null && !hint.aud.includes(client_id))
    throw new OAuthError('invalid_request', 'The client_id is not the audience of the id_token_hint')
  const found = client_id === null ? null : await c.storage.clients.find(client_id)
  const client = found?.revoked_at === null ? found : null
  const request: LogoutRequest = {
    client_id: client?.client_id ?? null,
    post_logout_redirect_uri: params.get('post_logout_redirect_uri'),
    state: params.exact('state'),
  }
  return { request: proven(request, client), client }
}

/** Without the redirect, unless it is one that this client has registered. */
function proven(request: LogoutRequest, client: Client | null): LogoutRequest {
  const { post_logout_redirect_uri: uri } = request
  const registered =
    uri !== null && client?.revoked_at === null && client.post_logout_redirect_uris.includes(uri)
  return registered ? request : { ...request, post_logout_redirect_uri: null }
}

async function askConfirmation(
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
    user: await c.accounts.find(session.sub, c.realm),
    confirmation_token,
    action: c.realm.urls.end_session_endpoint,
    redirect_uri: request.post_logout_redirect_uri,
    request: c.request,
  })
}

/** The person said yes, in the session that was asked. */
async function confirmed(c: Context, confirmation_token: string): Promise<Response> {
  const pending_hash = sha256(confirmation_token)
  const pending = await c.storage.pending.find(pending_hash)
  const session = await currentSession(c)
  if (pending?.kind !== 'logout' || pending.expires_at <= c.now() || pending.sid !== session?.sid)
    return personError(
      c,
      new OAuthError('access_denied', 'This question has expired or was answered already. Sign out again.', {
        reason: 'bad_confirmation_token',
      }),
    )
  await c.storage.pending.take(pending_hash)
  await end(c, pending.sid, 'logout')
  const { client_id } = pending.request
  // The client may have changed while the person read the question.
  const client = client_id === null ? null : await c.storage.clients.find(client_id)
  return signedOut(c, proven(pending.request, client))
}

/** On to the client where one may be redirected to; otherwise a page of ours. */
async function signedOut(c: Context, request: LogoutRequest): Promise<Response> {
  const { post_logout_redirect_uri: uri, state } = request
  const answer =
    uri === null
      ? await (c.interactions.signedOut ?? plainSignedOutPage)({ realm: c.realm, request: c.request })
      : redirect(state === null ? uri : withQuery(uri, { state }), c.request.method)
  return withCookie(answer, forgetCookie(c.realm))
}
