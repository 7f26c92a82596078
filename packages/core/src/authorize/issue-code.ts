/** The authorization code: RFC 6749 §4.1.2. */

import { OAuthError } from '../http/errors.js'
import type { Context } from '../realm/context.js'
import type {
  AuthorizationCode,
  AuthorizationRequest,
  Grant,
  IssueOutcome,
  Session,
} from '../storage/storage.js'
import { newTaggedId, newTaggedSecret, taggedHash, tagOf } from '../storage/tag.js'
import { firstGrantEnd } from '../tokens/grant-lifetime.js'
import { isConsented, neededConsent } from './ask-consent.js'
import { needsNoConsent } from './consent-rules.js'
import { type RedirectTarget, redirectToClient } from './redirect-target.js'

export interface CodeInput {
  target: RedirectTarget
  request: AuthorizationRequest
  session: Session
}

/** Stores a grant with its code, and redirects to the client. */
export async function issueCode(c: Context, input: CodeInput): Promise<Response> {
  const { target, request, session } = input
  const secret = newTaggedSecret(c.random, tagOf(session.sid))
  const grant = newGrant(c, request, session)
  const outcome = await storeGrant(c, input, { grant, code: newCode(c, request, { secret, grant }) })
  if (outcome !== 'stored') {
    await c.storage.grants.revoke({ grant_id: grant.grant_id }, c.now())
    const [error, description] = REFUSALS[outcome]
    throw new OAuthError(error, description, { reason: outcome })
  }
  await c.clients.used(target.client)
  c.emit({ type: 'code.issued', client_id: grant.client_id, sub: grant.sub, grant_id: grant.grant_id })
  return redirectToClient(c, target, { code: secret })
}

const REFUSALS = {
  session_ended: ['login_required', 'The session ended during the request'],
  consent_withdrawn: ['consent_required', 'The consent was withdrawn during the request'],
  client_expired: ['unauthorized_client', 'The client was not used in time. Register it again'],
} as const

interface StoredGrant {
  grant: Grant
  code: AuthorizationCode
}

/**
 * If the session ends, the consent is withdrawn or the client is purged, either this sees it, or it happens later and revokes
 * the grant. Whether the consent to a client with a mark counts depends on a third record, which is checked afterwards.
 */
async function storeGrant(
  c: Context,
  input: CodeInput,
  stored: StoredGrant,
): Promise<IssueOutcome | 'client_expired'> {
  const { client } = input.target
  const { issue } = c.storage
  const outcome =
    issue && c.clients.mark(client) === ''
      ? await issue(stored.grant, stored.code, neededConsent(c, input))
      : await storeThenCheck(c, input, stored)
  if (outcome !== 'stored' || client.expires_at === null) return outcome
  return (await c.storage.clients.keep(client.client_id)) ? 'stored' : 'client_expired'
}

/** Session and consent are checked after the grant is stored. */
async function storeThenCheck(
  c: Context,
  { target, request, session }: CodeInput,
  { grant, code }: StoredGrant,
): Promise<IssueOutcome> {
  await c.storage.grants.create(grant, code)
  if (!(await joinSession(c, session, request.client_id))) return 'session_ended'
  if (needsNoConsent(target.client) || (await isConsented(c, { request, target }, session))) return 'stored'
  return 'consent_withdrawn'
}

async function joinSession(c: Context, session: Session, client_id: string): Promise<boolean> {
  if (!session.client_ids.includes(client_id)) return c.storage.sessions.join(session.sid, client_id)
  return (await c.storage.sessions.find(session.session_hash)) !== null
}

function newCode(
  c: Context,
  request: AuthorizationRequest,
  { secret, grant }: { secret: string; grant: Grant },
): AuthorizationCode {
  return {
    code_hash: taggedHash(c.hashes, secret),
    grant_id: grant.grant_id,
    redirect_uri: request.redirect_uri,
    redirect_uri_sent: request.redirect_uri_sent,
    code_challenge: request.code_challenge,
    nonce: request.nonce,
    dpop_jkt: request.dpop_jkt ?? null,
    expires_at: c.now() + c.realm.settings.tokens.authorization_code,
    redeemed_at: null,
  }
}

function newGrant(c: Context, request: AuthorizationRequest, session: Session): Grant {
  const offline = request.scopes.includes('offline_access')
  return {
    grant_id: newTaggedId(c.random, c.now(), tagOf(session.sid)),
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
