/** Sending a person to the application's login, and taking them back from it. */

import type { Context } from '../context.js'
import { OAuthError } from '../errors.js'
import type { ErrorPrompt, Login, LoginPrompt } from '../ports.js'
import { promptsLogin } from '../protocol/authorization-request.js'
import { newSecret, sha256 } from '../protocol/secret.js'
import { errorJson, redirect, withCookie } from '../responses.js'
import type { AuthorizationRequest, LoginReason, PendingAuthorization } from '../storage.js'
import { endSession } from './end-session.js'
import { currentSession, forgetCookie, startSession } from './session.js'

/** A stored request and the one-time token that names it. */
export interface StoredRequest {
  token: string
  pending: PendingAuthorization
}

/** @param login_reason Null while no login is asked for. */
export async function storeRequest(
  c: Context,
  request: AuthorizationRequest,
  login_reason: LoginReason | null,
): Promise<StoredRequest> {
  const token = newSecret(c.random)
  const wantsNewLogin = promptsLogin(request) || request.max_age !== null
  const pending: PendingAuthorization = {
    kind: 'authorization',
    pending_hash: sha256(token),
    request,
    login_required_since: login_reason !== null && wantsNewLogin ? c.now() : null,
    login_reason,
    expires_at: c.now() + c.realm.settings.tokens.pending_authorization,
  }
  await c.storage.pending.put(pending)
  return { token, pending }
}

export async function findStoredRequest(c: Context, token: string): Promise<StoredRequest | null> {
  const pending = await c.storage.pending.find(sha256(token))
  return pending?.kind === 'authorization' && pending.expires_at > c.now() ? { token, pending } : null
}

export const resumeUrl = (c: Context, { token }: StoredRequest): string =>
  `${c.realm.urls.resume}?${new URLSearchParams({ id: token })}`

/** Stores the request and hands the person over. Any login from now on satisfies it, so nothing can loop. */
export async function askLogin(
  c: Context,
  waiting: AuthorizationRequest | StoredRequest,
  reason: LoginReason,
): Promise<Response> {
  const session = await currentSession(c)
  if (session) await endSession(c, session.sid, 'login_required')
  const stored =
    'pending' in waiting ? await askedAgain(c, waiting, reason) : await storeRequest(c, waiting, reason)
  const prompt = stored && (await loginPrompt(c, stored))
  const response = prompt ? await c.interactions.login(prompt) : await staleRequest(c)
  return session ? withCookie(response, forgetCookie(c.realm)) : response
}

/** A request that waits for a login goes on waiting; one that did not is stored anew, under another token. */
async function askedAgain(
  c: Context,
  stored: StoredRequest,
  reason: LoginReason,
): Promise<StoredRequest | null> {
  if (stored.pending.login_reason !== null) return stored
  if ((await c.storage.pending.take(stored.pending.pending_hash)) === null) return null
  return storeRequest(c, stored.pending.request, reason)
}

export async function loginPrompt(
  c: Context,
  { token, pending: { request, login_reason } }: StoredRequest,
): Promise<LoginPrompt | null> {
  const { client_id, acr_values, redirect_uri } = request
  const client = await c.storage.clients.find(client_id)
  if (client === null) return null
  const reason = login_reason ?? 'signed_out'
  return { realm: c.realm, client, reason, acr_values, redirect_uri, return_to: token, request: c.request }
}

/** The application has checked who is there: a new session, and on with what waits for it. */
export async function completeLogin(c: Context, login: Login): Promise<Response> {
  const next = await afterLogin(c, login.return_to)
  if (next === null) return staleRequest(c)
  const previous = await currentSession(c)
  if (previous) await endSession(c, previous.sid, 'new_login')
  const { sub, amr, auth_time = c.now() } = login
  const { cookie } = await startSession(c, { sub, amr, auth_time, acr: login.acr ?? defaultAcr(c, amr) })
  return redirect(next, 'POST', [cookie])
}

async function afterLogin(c: Context, return_to: Login['return_to']): Promise<string | null> {
  if (typeof return_to !== 'string') return c.realm.urls.page(return_to.path)
  const stored = await findStoredRequest(c, return_to)
  return stored && resumeUrl(c, stored)
}

/** Two methods or more are worth the second value. */
function defaultAcr(c: Context, amr: string[]): string | null {
  const [one, several] = c.realm.settings.acr_values_supported
  return amr.length === 0 ? null : amr.length === 1 ? one : several
}

/** For a person who followed a link that has had its day. */
export const staleRequest = (c: Context): Promise<Response> =>
  personError(
    c,
    new OAuthError(
      'invalid_request',
      'This sign-in has expired or was used already. Go back to the application and start again.',
      {
        reason: 'stale_request',
      },
    ),
  )

/** The application's error page where it has one. */
export async function personError(c: Context, error: OAuthError): Promise<Response> {
  if (!c.interactions.error) return errorJson(error)
  const prompt: ErrorPrompt = {
    realm: c.realm,
    status: error.status,
    code: error.code,
    description: error.description,
    request: c.request,
  }
  return c.interactions.error(prompt)
}
