/** `GET|POST /oauth/authorize`: RFC 6749 §4.1.1, OpenID Connect Core §3.1.2.1; pushed requests: RFC 9126 §4. */

import { authorizationRequest } from '../authorize/authorization-request.js'
import { decide, redirectErrors } from '../authorize/decide.js'
import { holdRequest, type PendingRequest, resumeUrl } from '../authorize/pending-request.js'
import { redirectTarget, storedTarget } from '../authorize/redirect-target.js'
import { sessionCookie } from '../authorize/session.js'
import { findPushedRequest, namesPushedRequest } from '../features/par/pushed-request.js'
import type { Params } from '../http/params.js'
import { redirect } from '../http/route-responses.js'
import type { Context } from '../realm/context.js'
import { queryOrForm } from '../request/read-params.js'

/** Errors are JSON until the redirect target is verified, and redirects after that. */
export async function authorize(c: Context): Promise<Response> {
  const params = await queryOrForm(c)
  return namesPushedRequest(c, params) ? authorizePushed(c, params) : authorizeSent(c, params)
}

async function authorizeSent(c: Context, params: Params): Promise<Response> {
  const target = await redirectTarget(c, params)
  return redirectErrors(c, target, async () => {
    const request = await authorizationRequest(c, target, { params, is_pushed: false })
    if (mayLackCookie(c)) return redirectHere(c, await holdRequest(c, request, { login_reason: null }))
    return decide(c, { target, request, waiting: null })
  })
}

/** Of the parameters, only client_id and request_uri count. */
async function authorizePushed(c: Context, params: Params): Promise<Response> {
  const waiting = await findPushedRequest(c, params)
  const { request } = waiting.pending
  const target = await storedTarget(c, request)
  return redirectErrors(c, target, async () =>
    mayLackCookie(c) ? redirectHere(c, waiting) : decide(c, { target, request, waiting }),
  )
}

/** A form posted from another site sends no SameSite=Lax cookie. After a redirect to this origin, the browser sends it. */
const mayLackCookie = (c: Context): boolean => c.request.method === 'POST' && sessionCookie(c) === null

const redirectHere = (c: Context, waiting: PendingRequest): Response => redirect(resumeUrl(c, waiting), 303)
