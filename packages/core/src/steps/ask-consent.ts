/** The user's consent: whether a request needs it, and the view that asks for it. */

import type { Context } from '../context.js'
import type { ConsentPrompt } from '../ports.js'
import { MissingViewError } from '../program-errors.js'
import { consentCovers, needsNoConsent } from '../protocol/consent.js'
import { redirectHost } from '../protocol/redirect-uri.js'
import { newSecret, sha256 } from '../protocol/secret.js'
import { shownScopes } from '../protocol/shown-scopes.js'
import type { AuthorizationRequest, Session } from '../storage.js'
import type { RedirectTarget } from './redirect-target.js'
import type { UserSession } from './session.js'
import { throttleSession } from './throttle.js'
import { holdRequest, type WaitingRequest } from './waiting-request.js'

interface ConsentSubject {
  target: RedirectTarget
  request: AuthorizationRequest
  waiting: WaitingRequest | null
}

/** For a request that names no resource, the consent is stored for the issuer. */
export const consentedResources = (c: Context, { resource }: AuthorizationRequest): string[] => [
  resource ?? c.realm.issuer,
]

export async function mustAskConsent(
  c: Context,
  { request, target }: ConsentSubject,
  { session }: UserSession,
): Promise<boolean> {
  if (needsNoConsent(target.client)) return false
  return request.prompt.includes('consent') || !(await isConsented(c, request, session))
}

/** Whether the stored consent covers the request now. */
export async function isConsented(
  c: Context,
  request: AuthorizationRequest,
  { sub }: Session,
): Promise<boolean> {
  const resources = consentedResources(c, request)
  const rows = await c.storage.consents.find(sub, request.client_id, resources)
  return consentCovers(rows, resources, request.scopes)
}

export async function askConsent(
  c: Context,
  { request, target, waiting }: ConsentSubject,
  { session, user }: UserSession,
): Promise<Response> {
  if (!c.interactions.consent) throw new MissingViewError('consent')
  await throttleSession(c, session, 'consent')
  const { token, pending, sealed } = waiting ?? (await holdRequest(c, request, { login_reason: null }))
  const auth_token = newSecret(c.random)
  await c.storage.pending.put({
    kind: 'consent',
    pending_hash: sha256(auth_token),
    request,
    sid: session.sid,
    authorization_hash: pending.pending_hash,
    authorization_sealed: sealed,
    expires_at: pending.expires_at,
  })
  const prompt: ConsentPrompt = {
    realm: c.realm,
    client: target.client,
    user,
    scopes: shownScopes(c.realm.scopes, request.scopes),
    offline_access: request.scopes.includes('offline_access'),
    resources: request.resource === null ? [] : [request.resource],
    redirect_host: redirectHost(request.redirect_uri),
    redirect_uri: request.redirect_uri,
    auth_token,
    action: c.realm.urls.consent,
    return_to: token,
    ui_locales: request.ui_locales ?? [],
    request: c.request,
  }
  return c.interactions.consent(prompt)
}
