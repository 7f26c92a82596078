/** The parameters of a logout request: OpenID Connect RP-Initiated Logout §2, §3. */

import { OAuthError } from '../../http/errors.js'
import type { Params } from '../../http/params.js'
import type { Context } from '../../realm/context.js'
import type { Client, LogoutRequest } from '../../storage/storage.js'
import { type IdTokenHint, verifyIdTokenHint } from '../../tokens/id-token-hint.js'
import { publishedKey } from '../../tokens/signing-keys.js'
import { parseUiLocales } from '../../util/ui-locales.js'

/** A hint that does not verify counts as absent: the user is asked for confirmation. */
export async function parseLogoutHint(c: Context, params: Params): Promise<IdTokenHint | null> {
  const hint = params.get('id_token_hint')
  if (hint === null) return null
  return verifyIdTokenHint(hint, c.realm.issuer, (kid) => publishedKey(c, kid)).catch((error: unknown) => {
    if (error instanceof OAuthError) return null
    throw error
  })
}

/** @throws OAuthError `invalid_request` when `client_id` is not an audience of the hint. */
export async function parseLogoutRequest(
  c: Context,
  params: Params,
  hint: IdTokenHint | null,
): Promise<{ request: LogoutRequest; client: Client | null }> {
  const client_id = params.get('client_id') ?? hint?.aud[0] ?? null
  if (hint && client_id !== null && !hint.aud.includes(client_id))
    throw new OAuthError(
      'invalid_request',
      'The client_id is not the audience of the id_token_hint',
      'wrong_hint_audience',
    )
  const client = client_id === null ? null : await findLiveClient(c, client_id)
  const ui_locales = parseUiLocales(params.get('ui_locales'))
  const request: LogoutRequest = {
    client_id: client?.client_id ?? null,
    post_logout_redirect_uri: params.get('post_logout_redirect_uri'),
    state: params.exact('state'),
    ...(ui_locales.length > 0 && { ui_locales }),
  }
  return { request: withRegisteredUri(request, client), client }
}

/** Null for an unknown and for a revoked client. */
export async function findLiveClient(c: Context, client_id: string): Promise<Client | null> {
  const client = await c.clients.shown(client_id)
  return client?.revoked_at === null ? client : null
}

/** The request without its redirect URI, unless this client has registered exactly this one. */
export function withRegisteredUri(request: LogoutRequest, client: Client | null): LogoutRequest {
  const { post_logout_redirect_uri: uri } = request
  const registered =
    uri !== null && client?.revoked_at === null && client.post_logout_redirect_uris.includes(uri)
  if (uri === null || registered) return request
  return { ...request, post_logout_redirect_uri: null, redirect_refused: true }
}

/**
 * A session that storage has lost can no longer be ended, and its grants would stay valid: they are revoked here, by the
 * `sid` of the hint. A session that still exists is ended only from its own browser.
 * @returns Whether grants were revoked.
 */
export async function revokeLostSession(c: Context, { sub, sid }: IdTokenHint): Promise<boolean> {
  if (sid === null) return false
  const sessions = await c.storage.sessions.list(sub)
  if (sessions.some((session) => session.sid === sid)) return false
  const grants = await c.storage.grants.revoke({ sid }, c.now())
  if (grants > 0) c.emit({ type: 'grant.revoked', sub, client_id: null, grants })
  return grants > 0
}
