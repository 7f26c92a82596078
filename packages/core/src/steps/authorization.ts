/** What an authorization request needs next: a login, the user's consent, or its code. */

import type { Context } from '../context.js'
import { MissingViewError, OAuthError } from '../errors.js'
import type { ConsentPrompt } from '../ports.js'
import { promptsLogin } from '../protocol/authorization-request.js'
import { consentCovers, needsNoConsent } from '../protocol/consent.js'
import { redirectHost } from '../protocol/redirect-uri.js'
import { newSecret, newTimedId, sha256 } from '../protocol/secret.js'
import type { AuthorizationRequest, Grant, LoginReason, Session } from '../storage.js'
import { askLogin, type StoredRequest, staleRequest, storeRequest } from './login.js'
import { type RedirectTarget, redirectToClient } from './redirect-target.js'
import { type SignedIn, signedIn } from './session.js'

/** A validated request with its proven target; `stored` when it has waited for a login. */
export interface Authorization {
  target: RedirectTarget
  request: AuthorizationRequest
  stored: StoredRequest | null
}

/** Runs a step whose failures, expected or not, go back to the client. */
export async function answering(
  c: Context,
  target: RedirectTarget,
  step: () => Promise<Response>,
): Promise<Response> {
  try {
    return await step()
  } catch (cause) {
    if (cause instanceof MissingViewError) throw cause
    const error = cause instanceof OAuthError ? cause : c.failure(cause)
    const { code, reason, description } = error
    c.emit({ type: 'authorization.refused', client_id: target.client.client_id, error: code, reason })
    return redirectToClient(c, target, { error: code, error_description: description })
  }
}

/** @throws OAuthError `login_required`, `consent_required` */
export async function authorize(c: Context, authorization: Authorization): Promise<Response> {
  const { request, target, stored } = authorization
  const silent = request.prompt.includes('none')
  const present = await signedIn(c)
  if (present && request.hinted_sub !== null && request.hinted_sub !== present.session.sub)
    throw new OAuthError('login_required', 'The signed-in user is not the one of the id_token_hint', {
      reason: 'hint_names_another_user',
    })
  const reason = loginReason(c, authorization, present?.session ?? null)
  if (present === null || reason !== null) {
    if (silent) throw new OAuthError('login_required', 'The user must sign in')
    emitRequested(c, authorization, present, 'login')
    return askLogin(c, stored ?? request, reason ?? 'signed_out')
  }
  if (await mustAskConsent(c, authorization, present)) {
    if (silent) throw new OAuthError('consent_required', 'The user must consent')
    emitRequested(c, authorization, present, 'consent')
    return askConsent(c, authorization, present)
  }
  // A stored request is good for one answer.
  if (stored && (await c.storage.pending.take(stored.pending.pending_hash)) === null) return staleRequest(c)
  emitRequested(c, authorization, present, 'code')
  return issueCode(c, { target, request, session: present.session })
}

function emitRequested(
  c: Context,
  { request: { client_id } }: Authorization,
  present: SignedIn | null,
  outcome: 'code' | 'consent' | 'login',
): void {
  c.emit({ type: 'authorization.requested', client_id, sub: present?.session.sub ?? null, outcome })
}

/** Why this session does not do, or null. A login since the request began satisfies it, whatever it asked for. */
function loginReason(
  c: Context,
  { request, stored }: Authorization,
  session: Session | null,
): LoginReason | null {
  if (session === null) return 'signed_out'
  const since = stored?.pending.login_required_since ?? null
  if (since !== null && session.created_at >= since) return null
  if (promptsLogin(request)) return 'prompt'
  const { max_age } = request
  const tooOld = max_age !== null && (session.auth_time === null || c.now() - session.auth_time >= max_age)
  return tooOld ? 'max_age' : null
}

/** A request that names no resource is consented to for the issuer. */
export const consentedResources = (c: Context, { resource }: AuthorizationRequest): string[] => [
  resource ?? c.realm.issuer,
]

async function mustAskConsent(c: Context, { request, target }: Authorization, { session }: SignedIn) {
  if (needsNoConsent(target.client)) return false
  if (request.prompt.includes('consent')) return true
  const resources = consentedResources(c, request)
  const rows = await c.storage.consents.find(session.sub, request.client_id, resources)
  return !consentCovers(rows, resources, request.scopes)
}

async function askConsent(
  c: Context,
  { request, target, stored }: Authorization,
  { session, user }: SignedIn,
): Promise<Response> {
  if (!c.interactions.consent) throw new MissingViewError('consent')
  const { token, pending } = stored ?? (await storeRequest(c, request, null))
  const auth_token = newSecret(c.random)
  await c.storage.pending.put({
    kind: 'consent',
    pending_hash: sha256(auth_token),
    request,
    sid: session.sid,
    authorization_hash: pending.pending_hash,
    expires_at: pending.expires_at,
  })
  const { hidden, described } = c.realm.scopes
  const shown = request.scopes.filter((scope) => !hidden.has(scope))
  const prompt: ConsentPrompt = {
    realm: c.realm,
    client: target.client,
    user,
    scopes: shown.map((value) => ({ value, description: described.get(value) ?? null })),
    resources: request.resource === null ? [] : [request.resource],
    redirect_host: redirectHost(request.redirect_uri),
    redirect_uri: request.redirect_uri,
    auth_token,
    action: c.realm.urls.consent,
    return_to: token,
    request: c.request,
  }
  return c.interactions.consent(prompt)
}

export interface CodeOrder {
  target: RedirectTarget
  request: AuthorizationRequest
  session: Session
}

/** RFC 6749 §4.1.2. */
export async function issueCode(c: Context, { target, request, session }: CodeOrder): Promise<Response> {
  const { tokens } = c.realm.settings
  const code = newSecret(c.random)
  const grant = newGrant(c, request, session)
  await c.storage.grants.create(grant, {
    code_hash: sha256(code),
    grant_id: grant.grant_id,
    redirect_uri: request.redirect_uri,
    redirect_uri_sent: request.redirect_uri_sent,
    code_challenge: request.code_challenge,
    nonce: request.nonce,
    expires_at: c.now() + tokens.authorization_code,
    redeemed_at: null,
  })
  // Looked at after the grant is stored: either we see that the session has ended, or its end sees the grant.
  if (!(await joinSession(c, session, request.client_id))) {
    await c.storage.grants.revoke({ grant_id: grant.grant_id }, c.now())
    throw new OAuthError('login_required', 'The session ended meanwhile', { reason: 'session_ended' })
  }
  c.emit({ type: 'code.issued', client_id: grant.client_id, sub: grant.sub, grant_id: grant.grant_id })
  return redirectToClient(c, target, { code })
}

async function joinSession(c: Context, session: Session, client_id: string): Promise<boolean> {
  if (!session.client_ids.includes(client_id)) return c.storage.sessions.join(session.sid, client_id)
  return (await c.storage.sessions.find(session.session_hash)) !== null
}

function newGrant(c: Context, request: AuthorizationRequest, session: Session): Grant {
  const offline = request.scopes.includes('offline_access')
  return {
    grant_id: newTimedId(c.random, c.now()),
    client_id: request.client_id,
    sub: session.sub,
    sid: session.sid,
    offline,
    scopes: request.scopes,
    resource: request.resource,
    auth_time: session.auth_time,
    amr: session.amr,
    acr: session.acr,
    created_at: c.now(),
    expires_at: offline ? c.now() + c.realm.settings.tokens.refresh_token : session.expires_at,
    revoked_at: null,
  }
}
