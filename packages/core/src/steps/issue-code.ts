/** The authorization code: RFC 6749 §4.1.2. */

import type { Context } from '../context.js'
import { OAuthError } from '../errors.js'
import { needsNoConsent } from '../protocol/consent.js'
import { newSecret, newTimedId, sha256 } from '../protocol/secret.js'
import type { AuthorizationRequest, Grant, Session } from '../storage.js'
import { isConsented } from './ask-consent.js'
import { firstGrantEnd } from './grant-lifetime.js'
import { type RedirectTarget, redirectToClient } from './redirect-target.js'
import { renewStoredDocument } from './stored-documents.js'

export interface CodeInput {
  target: RedirectTarget
  request: AuthorizationRequest
  session: Session
}

/** Stores a grant with its code, and redirects to the client. */
export async function issueCode(c: Context, { target, request, session }: CodeInput): Promise<Response> {
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
    dpop_jkt: request.dpop_jkt ?? null,
    expires_at: c.now() + tokens.authorization_code,
    redeemed_at: null,
  })
  const refusal = await lateRefusal(c, { target, request, session })
  if (refusal) {
    await c.storage.grants.revoke({ grant_id: grant.grant_id }, c.now())
    throw refusal
  }
  await renewStoredDocument(c, target.client)
  c.emit({ type: 'code.issued', client_id: grant.client_id, sub: grant.sub, grant_id: grant.grant_id })
  return redirectToClient(c, target, { code })
}

/**
 * Checked after the grant is stored: if the session ends, the consent is withdrawn or the client is purged, either this
 * check sees it, or it happens later and revokes the grant.
 */
async function lateRefusal(c: Context, input: CodeInput): Promise<OAuthError | null> {
  const { target, request, session } = input
  if (!(await joinSession(c, session, request.client_id)))
    return new OAuthError('login_required', 'The session ended during the request', {
      reason: 'session_ended',
    })
  if (!needsNoConsent(target.client) && !(await isConsented(c, { request, target }, session)))
    return new OAuthError('consent_required', 'The consent was withdrawn during the request', {
      reason: 'consent_withdrawn',
    })
  const unused = target.client.expires_at !== null
  if (unused && !(await c.storage.clients.keep(request.client_id)))
    return new OAuthError('unauthorized_client', 'The client was not used in time. Register it again', {
      reason: 'client_expired',
    })
  return null
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
    client_auth: null,
    jkt: null,
    created_at: c.now(),
    expires_at: firstGrantEnd(c, session, offline),
    revoked_at: null,
  }
}
