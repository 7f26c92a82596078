/** `GET|POST /oauth/authorize`: RFC 6749 §4.1.1, OpenID Connect Core §3.1.2.1. */

import type { Context } from '../context.js'
import { parseAuthorizationRequest } from '../protocol/authorization-request.js'
import type { Params } from '../protocol/params.js'
import { redirect } from '../route-responses.js'
import { decide, redirectErrors } from '../steps/authorization.js'
import { queryOrForm } from '../steps/params.js'
import { type RedirectTarget, redirectTarget } from '../steps/redirect-target.js'
import { sessionCookie } from '../steps/session.js'
import { publishedKey } from '../steps/signing-keys.js'
import { holdRequest, resumeUrl } from '../steps/waiting-request.js'
import type { AuthorizationRequest } from '../storage.js'
import { verifyIdTokenHint } from '../tokens/id-token-hint.js'

/** Errors are JSON until the redirect target is verified, and redirects after that. */
export async function authorize(c: Context): Promise<Response> {
  const params = await queryOrForm(c)
  const target = await redirectTarget(c, params)
  return redirectErrors(c, target, async () => {
    const request = await authorizationRequest(c, target, params)
    // A form posted from another site sends no SameSite=Lax cookie. After a redirect to this origin, the browser sends it.
    if (c.request.method === 'POST' && sessionCookie(c) === null)
      return redirect(resumeUrl(c, await holdRequest(c, request, { login_reason: null })), 303)
    return decide(c, { target, request, waiting: null })
  })
}

async function authorizationRequest(
  c: Context,
  { client, uri, sent }: RedirectTarget,
  params: Params,
): Promise<AuthorizationRequest> {
  const parsed = parseAuthorizationRequest(params, client, c.realm)
  const hint = params.get('id_token_hint')
  const hinted =
    hint === null ? null : await verifyIdTokenHint(hint, c.realm.issuer, (kid) => publishedKey(c, kid))
  return { ...parsed, redirect_uri: uri, redirect_uri_sent: sent, hinted_sub: hinted?.sub ?? null }
}
