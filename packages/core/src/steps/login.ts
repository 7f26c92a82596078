/** Sends the user to the application's login, and continues when the application has authenticated the user. */

import type { Context } from '../context.js'
import { errorKind } from '../error-page.js'
import { OAuthError } from '../errors.js'
import type { ErrorPrompt, Login, LoginPrompt } from '../ports.js'
import { uiLocalesOf } from '../protocol/ui-locales.js'
import { errorJson } from '../responses.js'
import { redirect, withCookie } from '../route-responses.js'
import type { AuthorizationRequest, LoginReason } from '../storage.js'
import { clientOrStaleDocument } from './document-clients.js'
import { endSession } from './end-session.js'
import { currentSession, expiredCookie, startSession } from './session.js'
import { findRequest, holdForLogin, holdRequest, resumeUrl, type WaitingRequest } from './waiting-request.js'

/** Asks the application for a login. Any login from now on satisfies the request, so that it cannot loop. */
export async function askLogin(
  c: Context,
  waiting: AuthorizationRequest | WaitingRequest,
  reason: LoginReason,
): Promise<Response> {
  const session = await currentSession(c)
  if (session) await endSession(c, session.sid, 'login_required')
  const held =
    'pending' in waiting
      ? await keepOrReplaceToken(c, waiting, reason)
      : await holdRequest(c, waiting, { login_reason: reason })
  const prompt = held && (await loginPrompt(c, held))
  const response = prompt ? await c.interactions.login(prompt) : await staleRequest(c)
  return session ? withCookie(response, expiredCookie(c.realm)) : response
}

/**
 * A request that waits for a login keeps its token. One that waited for consent, or whose login did not have the `acr`, gets a
 * token that has the reason.
 */
async function keepOrReplaceToken(
  c: Context,
  waiting: WaitingRequest,
  login_reason: LoginReason,
): Promise<WaitingRequest | null> {
  const { login_reason: shown } = waiting.pending
  const has_reason = shown !== null && (login_reason !== 'acr' || shown === 'acr')
  return has_reason ? waiting : holdForLogin(c, waiting, login_reason)
}

export async function loginPrompt(
  c: Context,
  { token, pending: { request, login_reason } }: WaitingRequest,
): Promise<LoginPrompt | null> {
  const { client_id, acr_values, ui_locales = [], redirect_uri } = request
  const client = await clientOrStaleDocument(c, client_id)
  if (client === null) return null
  const reason = login_reason ?? 'signed_out'
  const { realm } = c
  const shown = { realm, client, reason, acr_values, ui_locales, redirect_uri }
  return { ...shown, return_to: token, request: c.request }
}

/** The application has authenticated the user: starts a session and continues the waiting request. */
export async function completeLogin(c: Context, login: Login): Promise<Response> {
  const next = await afterLogin(c, login.return_to)
  if (next === null) return staleRequest(c)
  const previous = await currentSession(c)
  if (previous) await endSession(c, previous.sid, 'new_login')
  const { sub, amr, auth_time = c.now() } = login
  const acr = login.acr ?? defaultAcr(c, amr)
  const { session, cookie } = await startSession(c, { sub, amr, auth_time, acr })
  if (login.still_valid && !(await login.still_valid())) {
    await endSession(c, session.sid, 'login_required')
    return staleRequest(c)
  }
  return redirect(next, 303, [cookie])
}

async function afterLogin(c: Context, return_to: Login['return_to']): Promise<string | null> {
  if (typeof return_to !== 'string') return c.realm.urls.page(return_to.path)
  const waiting = await findRequest(c, return_to)
  return waiting && resumeUrl(c, waiting)
}

/** The second value is for two or more authentication methods. */
function defaultAcr(c: Context, amr: string[]): string | null {
  const [one, several] = c.realm.settings.acr_values_supported
  if (amr.length === 0) return null
  return amr.length === 1 ? one : several
}

/** The answer to a user who has followed a link that has expired. */
export const staleRequest = (c: Context): Promise<Response> =>
  errorPage(
    c,
    new OAuthError(
      'invalid_request',
      'This sign-in has expired or was used already. Go back to the application and start again.',
      {
        reason: 'stale_request',
      },
    ),
  )

/** The application's error page; JSON when it has none. */
export async function errorPage(c: Context, error: OAuthError): Promise<Response> {
  if (!c.interactions.error) return errorJson(error)
  const prompt: ErrorPrompt = {
    realm: c.realm,
    status: error.status,
    code: error.code,
    description: error.description,
    kind: errorKind(error),
    ui_locales: uiLocalesOf(c.request),
    request: c.request,
  }
  return c.interactions.error(prompt)
}
