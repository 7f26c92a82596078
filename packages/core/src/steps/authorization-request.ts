/** The authorization request of verified parameters, sent by a browser or pushed by the client. */

import type { Context } from '../context.js'
import { parseAuthorizationRequest } from '../protocol/authorization-request.js'
import type { Params } from '../protocol/params.js'
import type { AuthorizationRequest } from '../storage.js'
import { verifyIdTokenHint } from '../tokens/id-token-hint.js'
import type { RedirectTarget } from './redirect-target.js'
import { publishedKey } from './signing-keys.js'

export interface SentRequest {
  params: Params
  /** Whether the client has pushed it (RFC 9126). */
  is_pushed: boolean
}

/** @throws OAuthError for the first broken rule, in a fixed order. */
export async function authorizationRequest(
  c: Context,
  { client, uri, sent }: RedirectTarget,
  { params, is_pushed }: SentRequest,
): Promise<AuthorizationRequest> {
  const parsed = parseAuthorizationRequest(params, { client, realm: c.realm, is_pushed })
  const hint = params.get('id_token_hint')
  const hinted =
    hint === null ? null : await verifyIdTokenHint(hint, c.realm.issuer, (kid) => publishedKey(c, kid))
  return { ...parsed, redirect_uri: uri, redirect_uri_sent: sent, hinted_sub: hinted?.sub ?? null }
}
