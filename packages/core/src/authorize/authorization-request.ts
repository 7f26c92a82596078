/** The authorization request of verified parameters, sent by a browser or pushed by the client. */

import type { Params } from '../http/params.js'
import type { Context } from '../realm/context.js'
import type { AuthorizationRequest } from '../storage/storage.js'
import { verifyIdTokenHint } from '../tokens/id-token-hint.js'
import { publishedKey } from '../tokens/signing-keys.js'
import { parseAuthorizationRequest } from './parse-request.js'
import type { RedirectTarget } from './redirect-target.js'

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
  const { realm } = c
  const signs_up = c.interactions.signsUp?.(realm) === true
  const parsed = parseAuthorizationRequest(params, { client, realm, is_pushed, signs_up })
  const hint = params.get('id_token_hint')
  const hinted =
    hint === null ? null : await verifyIdTokenHint(hint, realm.issuer, (kid) => publishedKey(c, kid))
  return { ...parsed, redirect_uri: uri, redirect_uri_sent: sent, hinted_sub: hinted?.sub ?? null }
}
