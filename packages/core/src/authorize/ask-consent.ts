/** The user's consent: whether a request needs it, and the view that asks for it. */

import { redirectHost } from '../clients/redirect-uri.js'
import { OAuthError } from '../http/errors.js'
import { MissingViewError } from '../http/program-errors.js'
import type { Context } from '../realm/context.js'
import type { ConsentPrompt } from '../realm/ports.js'
import { throttleSession } from '../request/throttle.js'
import type { AuthorizationRequest, Client, NeededConsent, Session } from '../storage/storage.js'
import { newSecret, sha256 } from '../util/secret.js'
import { asksEveryTime, consentCovers, isLoopbackOnly, needsNoConsent } from './consent-rules.js'
import { holdRequest, type PendingRequest } from './pending-request.js'
import type { RedirectTarget } from './redirect-target.js'
import type { UserSession } from './session.js'
import { shownScopes } from './shown-scopes.js'

interface ConsentSubject {
  target: RedirectTarget
  request: AuthorizationRequest
  waiting: PendingRequest | null
}

/** For a request that names no resource, the consent is stored for the issuer. */
const consentedResource = (c: Context, { resource }: AuthorizationRequest): string =>
  resource ?? c.realm.issuer

/** The consent that must be stored for the request; null when its client needs none. */
export function neededConsent(
  c: Context,
  { request, target }: Pick<ConsentSubject, 'request' | 'target'>,
): NeededConsent | null {
  if (needsNoConsent(target.client)) return null
  return { resource: consentedResource(c, request), scopes: request.scopes }
}

export async function mustAskConsent(
  c: Context,
  { request, target }: ConsentSubject,
  { session }: UserSession,
): Promise<boolean> {
  if (needsNoConsent(target.client)) return false
  const { reuse } = c.realm.settings.clients.registration
  if (asksEveryTime(target.client, { redirect_uri: target.uri, reuse })) return true
  return request.prompt.includes('consent') || !(await isConsented(c, { request, target }, session))
}

/** Whether the stored consent covers the request now. */
export async function isConsented(
  c: Context,
  { request, target }: Pick<ConsentSubject, 'request' | 'target'>,
  { sub }: Session,
): Promise<boolean> {
  const since = await c.clients.consentsFrom(target.client)
  if (since === null) return false
  const resources = [consentedResource(c, request)]
  const rows = await c.storage.consents.find(sub, request.client_id, resources)
  const counting = rows.filter((row) => row.updated_at >= since)
  return consentCovers(counting, resources, request.scopes)
}

/**
 * The `auth_token` ends with the client's mark, which says what the user was shown: the client may change while the view is open.
 * @throws OAuthError `consent_required` when the client is no longer the one that the view has shown.
 */
export function requireShownClient(c: Context, { client }: RedirectTarget, auth_token: string): void {
  if (auth_token.endsWith(c.clients.mark(client))) return
  throw new OAuthError('consent_required', 'The client has changed while the user was asked', {
    reason: 'client_changed',
  })
}

/** Stores what the user has approved now. */
export async function storeConsent(
  c: Context,
  subject: Pick<ConsentSubject, 'request' | 'target'>,
  { sub }: Session,
): Promise<void> {
  const { request, target } = subject
  const now = c.now()
  const { client_id, scopes } = request
  await countFirstApproval(c, target.client, sub)
  const since = await c.clients.consentsFrom(target.client)
  const resource = consentedResource(c, request)
  if (since !== 0) await withdrawStale(c, { sub, client_id, resource }, since)
  await c.storage.consents.merge({ sub, client_id, approved: [{ resource, scopes }] }, now)
  // Before the code is issued, which checks the consent once more.
  if (since === null) await c.clients.approved(target.client, now)
}

/** A client that the user has approved before, for whatever resource, is not counted again. */
async function countFirstApproval(c: Context, client: Client, sub: string): Promise<void> {
  if (c.clients.mark(client) === '') return
  const consents = await c.storage.consents.list(sub)
  if (consents.some(({ client_id }) => client_id === client.client_id)) return
  await c.clients.firstApproval(client, sub)
}

/** A consent that no longer counts is withdrawn, since the user has not been shown its scopes again. */
async function withdrawStale(
  c: Context,
  { sub, client_id, resource }: { sub: string; client_id: string; resource: string },
  since: number | null,
): Promise<void> {
  for (const { updated_at } of await c.storage.consents.find(sub, client_id, [resource]))
    if (since === null || updated_at < since)
      await c.storage.consents.revoke({ sub, client_id, resource }, c.now())
}

export async function askConsent(
  c: Context,
  { request, target, waiting }: ConsentSubject,
  { session, user }: UserSession,
): Promise<Response> {
  if (!c.interactions.consent) throw new MissingViewError('consent')
  await throttleSession(c, session, 'consent')
  const { token, pending, sealed } = waiting ?? (await holdRequest(c, request, { login_reason: null }))
  const auth_token = newSecret(c.random) + c.clients.mark(target.client)
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
    client_host: clientHost(target.client),
    client_origin: target.client.origin,
    loopback_only: isLoopbackOnly(target.client),
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

const clientHost = ({ client_id, origin }: Client): string | null =>
  origin === 'metadata_document' ? new URL(client_id).host : null
