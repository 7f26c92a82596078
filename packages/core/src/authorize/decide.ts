/** Decides what an authorization request needs next: a login, the user's consent, or its code. */

import { OAuthError } from '../http/errors.js'
import { MissingViewError } from '../http/program-errors.js'
import { RULE_REASONS } from '../realm/access.js'
import { canMeetAcrValues, meetsAcrValues, requiresAcr } from '../realm/acr.js'
import type { Context } from '../realm/context.js'
import type { Account } from '../realm/ports.js'
import { scopeAssignment } from '../realm/realm.js'
import { refusal } from '../request/refusal.js'
import type { AuthorizationRequest, LoginReason, Session } from '../storage/storage.js'
import { accessDenial, type Denial, refusedPage } from './access.js'
import { askConsent, mustAskConsent } from './ask-consent.js'
import { grantableScopes } from './consent-rules.js'
import { issueCode } from './issue-code.js'
import { askLogin, staleRequest } from './login.js'
import { promptsLogin } from './parse-request.js'
import { answerRequest, holdRequest, type PendingRequest } from './pending-request.js'
import { type RedirectTarget, redirectToClient } from './redirect-target.js'
import { type UserSession, userSession } from './session.js'

/** A validated request with its verified target; `waiting` when it has waited for a login. */
export interface Authorization {
  target: RedirectTarget
  request: AuthorizationRequest
  waiting: PendingRequest | null
}

/** Runs a step, and redirects to the client with its errors, also unexpected ones. @throws MissingViewError */
export async function redirectErrors(
  c: Context,
  target: RedirectTarget,
  step: () => Promise<Response>,
): Promise<Response> {
  try {
    return await step()
  } catch (cause) {
    if (cause instanceof MissingViewError) throw cause
    const error = cause instanceof OAuthError ? cause : c.failure(cause)
    c.emit({ type: 'authorization.refused', ...refusal(c, error) })
    return redirectToClient(c, target, { error: error.code, error_description: error.description })
  }
}

/**
 * Asks for a login, asks for consent, or issues the code.
 * @throws OAuthError `login_required`, `consent_required`, `unmet_authentication_requirements`
 */
export async function decide(c: Context, sent: Authorization): Promise<Response> {
  const { target, waiting } = sent
  const request = grantableRequest(c, sent)
  const authorization = { target, request, waiting }
  const silent = request.prompt.includes('none')
  const signedIn = await userSession(c)
  if (signedIn && request.hinted_sub !== null && request.hinted_sub !== signedIn.session.sub)
    throw new OAuthError('login_required', 'The signed-in user is not the one of the id_token_hint', {
      reason: 'hint_names_another_user',
    })
  const reason = loginReason(c, authorization, signedIn?.session ?? null)
  if (signedIn === null || reason !== null) {
    if (silent) throw silentError(c, authorization, { reason, session: signedIn?.session ?? null })
    await requireReachableAcr(c, authorization, reason === 'prompt' ? null : (signedIn?.user ?? null))
    emitRequested(c, { request, signedIn, outcome: 'login' })
    return askLogin(c, waiting ?? request, reason ?? 'signed_out')
  }
  const denied = await accessDenial(c, target.client, signedIn)
  if (denied !== null) return refuseAccess(c, authorization, { user: signedIn.user, denied })
  if (await mustAskConsent(c, authorization, signedIn)) {
    if (silent) throw new OAuthError('consent_required', 'The user must consent')
    emitRequested(c, { request, signedIn, outcome: 'consent' })
    return askConsent(c, authorization, signedIn)
  }
  if (waiting && !(await answerRequest(c, { ...waiting.pending, sealed: waiting.sealed })))
    return staleRequest(c)
  emitRequested(c, { request, signedIn, outcome: 'code' })
  return issueCode(c, { target, request, session: signedIn.session })
}

function grantableRequest({ realm }: Context, { request, target }: Authorization): AuthorizationRequest {
  const { client } = target
  const rules = { catalog: realm.scopes, assignment: scopeAssignment(client, realm) }
  return { ...request, scopes: grantableScopes(client, request.scopes, rules) }
}

/** The page for a user who may not use the client, which may take the user back. @throws OAuthError without one */
async function refuseAccess(
  c: Context,
  { target: { client }, request, waiting }: Authorization,
  { user, denied }: { user: Account; denied: Denial },
): Promise<Response> {
  if (request.prompt.includes('none') || !c.interactions.refused) throw denied.error
  const { redirect_uri, ui_locales = [] } = request
  const { token: return_to } = waiting ?? (await holdRequest(c, request, { login_reason: null }))
  return refusedPage(c, denied, { client, user, return_to, redirect_uri, ui_locales })
}

/** What the request and its client say about the `acr`. */
const acrRequest = ({ request: { acr_values }, target: { client } }: Authorization) => ({
  acr_values,
  client,
})

interface Decision {
  request: AuthorizationRequest
  signedIn: UserSession | null
  outcome: 'code' | 'consent' | 'login'
}

function emitRequested(c: Context, { request: { client_id }, signedIn, outcome }: Decision): void {
  c.emit({ type: 'authorization.requested', client_id, sub: signedIn?.session.sub ?? null, outcome })
}

/**
 * Before a login that cannot satisfy the request is begun.
 * @param user Who is expected to sign in; null: not known.
 * @throws OAuthError `unmet_authentication_requirements`
 */
async function requireReachableAcr(
  c: Context,
  authorization: Authorization,
  user: Account | null,
): Promise<void> {
  const { realm, interactions } = c
  const request = acrRequest(authorization)
  if (!requiresAcr(request, realm.settings)) return
  const requireOneOf = (reached: readonly string[] | undefined) => {
    if (!canMeetAcrValues(request, reached, realm.settings))
      throw unmetRequirements(c, authorization, reached)
  }
  requireOneOf(interactions.reachableAcr?.(realm))
  requireOneOf(user ? await interactions.reachableAcrOf?.(user, realm) : undefined)
}

/**
 * Why this session does not satisfy the request, or null. A login since the request began satisfies every `prompt` and `max_age`,
 * and it is the only one that is asked for because of the `acr`.
 * @throws OAuthError `unmet_authentication_requirements` when that login did not have the `acr`.
 */
function loginReason(c: Context, authorization: Authorization, session: Session | null): LoginReason | null {
  if (session === null) return 'signed_out'
  const { request, waiting } = authorization
  const since = waiting?.pending.login_required_since ?? null
  const is_new = since !== null && Math.max(session.created_at, session.raised_at ?? 0) >= since
  if (!is_new && promptsLogin(request)) return 'prompt'
  if (!is_new && isTooOld(c, request, session)) return 'max_age'
  if (meetsAcrValues(acrRequest(authorization), session.acr, c.realm.settings)) return null
  if (is_new) throw unmetRequirements(c, authorization, acrsOf(session))
  return 'acr'
}

const isTooOld = (c: Context, { max_age }: AuthorizationRequest, { auth_time }: Session): boolean =>
  max_age !== null && (auth_time === null || c.now() - auth_time >= max_age)

const acrsOf = (session: Session | null): string[] => (session?.acr ? [session.acr] : [])

/**
 * OpenID Connect Core Error Code unmet_authentication_requirements 1.0.
 * @param reached What the sign-in reaches: its client may require more, or the request alone.
 */
function unmetRequirements(
  { realm }: Context,
  { target: { client } }: Authorization,
  reached: readonly string[] | undefined,
): OAuthError {
  const code = 'unmet_authentication_requirements'
  return canMeetAcrValues({ acr_values: [], client }, reached, realm.settings)
    ? new OAuthError(code, 'The sign-in does not satisfy the acr_values of the request')
    : new OAuthError(code, 'The sign-in does not satisfy required_acr of the client', {
        reason: RULE_REASONS.acr,
      })
}

interface Silent {
  reason: LoginReason | null
  session: Session | null
}

/** The answer to `prompt=none` when the user would have to sign in. */
const silentError = (c: Context, authorization: Authorization, { reason, session }: Silent): OAuthError =>
  reason === 'acr'
    ? unmetRequirements(c, authorization, acrsOf(session))
    : new OAuthError('login_required', 'The user must sign in')
