/** Sends the user to the application's login, and continues when the application has authenticated the user. */

import { OAuthError } from '../http/errors.js'
import { errorJson } from '../http/responses.js'
import { redirect, withCookie } from '../http/route-responses.js'
import type { Context } from '../realm/context.js'
import type { Login, LoginPrompt } from '../realm/ports.js'
import { keepKind, pageForBrowser } from '../request/error-page.js'
import { refusal } from '../request/refusal.js'
import type { AuthorizationRequest, LoginReason } from '../storage/storage.js'
import { endSession } from './end-session.js'
import { endsSession } from './parse-request.js'
import { findRequest, holdForLogin, holdRequest, type PendingRequest, resumeUrl } from './pending-request.js'
import {
  type BrowserSession,
  currentSession,
  expiredCookie,
  loginOrigin,
  type ReportedLogin,
  raiseSession,
  startSession,
} from './session.js'

/**
 * Asks the application for a login. Any login from now on satisfies the request, so that it cannot loop. A stronger login raises
 * the session in place: until then, and if the user goes back, it stays as it is. So it does until the login of a new account.
 */
export async function askLogin(
  c: Context,
  waiting: AuthorizationRequest | PendingRequest,
  reason: LoginReason,
): Promise<Response> {
  const request = 'pending' in waiting ? waiting.pending.request : waiting
  const session = keepsSession(request, reason) ? null : await currentSession(c)
  if (session) await endSession(c, session.sid, 'login_required')
  const held =
    'pending' in waiting
      ? await keepOrReplaceToken(c, waiting, reason)
      : await holdRequest(c, waiting, { login_reason: reason })
  const prompt = held && (await loginPrompt(c, held))
  const response = prompt ? await c.interactions.login(prompt) : await staleRequest(c)
  return session ? withCookie(response, expiredCookie(c.realm)) : response
}

/** Whether the session goes on until the login, and beyond it for the same user. */
const keepsSession = (request: AuthorizationRequest, reason: LoginReason): boolean =>
  reason === 'acr' || (request.prompt.includes('create') && !endsSession(request))

/**
 * A request that waits for a login keeps its token. One that waited for consent, or whose login did not have the `acr`, gets a
 * token that has the reason.
 */
async function keepOrReplaceToken(
  c: Context,
  waiting: PendingRequest,
  login_reason: LoginReason,
): Promise<PendingRequest | null> {
  const { login_reason: shown } = waiting.pending
  const has_reason = shown !== null && (login_reason !== 'acr' || shown === 'acr')
  return has_reason ? waiting : holdForLogin(c, waiting, login_reason)
}

export async function loginPrompt(
  c: Context,
  { token, pending: { request, login_reason } }: PendingRequest,
): Promise<LoginPrompt | null> {
  const { client_id, acr_values, ui_locales = [], redirect_uri, login_hint = null } = request
  const creates = request.prompt.includes('create') && c.interactions.signsUp?.(c.realm) === true
  const client = await c.clients.find(client_id, 'token', c)
  if (client === null) return null
  const reason = login_reason ?? 'signed_out'
  const { realm } = c
  const shown = { realm, client, reason, acr_values, ui_locales, redirect_uri, login_hint }
  return { ...shown, ...(creates && { creates_account: true }), return_to: token, request: c.request }
}

/**
 * The application has authenticated the user: starts a session and continues the pending request. A request that needs a
 * stronger login raises the session that the same user has.
 * @param prompted The pending request that was read for the prompt of the same HTTP request: it is not read again. That it is answered
 * once is compared and set when the sign-in continues it.
 */
export async function completeLogin(c: Context, login: Login, prompted?: PendingRequest): Promise<Response> {
  const next = await afterLogin(c, login.return_to, prompted)
  return next === null ? staleRequest(c) : signIn(c, login, next)
}

/** The same, but it raises the session that the user has for every reason. */
export async function confirmLogin(c: Context, login: Login): Promise<Response> {
  const next = await afterLogin(c, login.return_to)
  return next === null ? staleRequest(c) : signIn(c, login, { ...next, raises: true })
}

interface Continuation {
  location: string
  /** Of the pending request; null without one. */
  client_id: string | null
  /** Whether a session of the same user goes on. */
  raises: boolean
}

async function afterLogin(
  c: Context,
  return_to: Login['return_to'],
  prompted?: PendingRequest,
): Promise<Continuation | null> {
  if (typeof return_to !== 'string') {
    const location = c.realm.urls.page(return_to.path)
    return location === null ? null : { location, client_id: null, raises: false }
  }
  const waiting = prompted?.token === return_to ? prompted : await findRequest(c, return_to)
  if (waiting === null) return null
  c.facts.client_id = waiting.pending.request.client_id
  const { request, login_reason } = waiting.pending
  return {
    location: resumeUrl(c, waiting),
    client_id: request.client_id,
    raises: keepsSession(request, login_reason ?? 'signed_out'),
  }
}

async function signIn(c: Context, login: Login, next: Continuation): Promise<Response> {
  const { sub, amr, auth_time = c.now() } = login
  const authenticated = {
    login: { sub, amr, auth_time, acr: login.acr ?? defaultAcr(c, amr) },
    origin: loginOrigin(c, next.client_id, login.username),
  }
  const raised = next.raises ? await raiseCurrent(c, authenticated) : null
  const { session, cookie } = raised ?? (await replaceSession(c, authenticated))
  if (login.still_valid && !(await login.still_valid(session))) {
    await endSession(c, session.sid, 'login_required')
    return staleRequest(c)
  }
  return redirect(next.location, 303, [cookie])
}

async function raiseCurrent(c: Context, login: ReportedLogin): Promise<BrowserSession | null> {
  const session = await currentSession(c)
  return session?.sub === login.login.sub ? raiseSession(c, session, login) : null
}

/** When another login has raised the session meanwhile, the cookie of this request finds none, and both sessions remain. */
async function replaceSession(c: Context, login: ReportedLogin): Promise<BrowserSession> {
  const previous = await currentSession(c)
  if (previous) await endSession(c, previous.sid, 'new_login')
  return startSession(c, login)
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

/** Reports a refusal, and answers with the application's error page to a browser that navigates, and with JSON to a program. */
export async function errorPage(c: Context, error: OAuthError): Promise<Response> {
  c.emit({ type: 'request.refused', route: null, ...refusal(c, error) })
  return pageForBrowser(keepKind(errorJson(error), error), c)
}
