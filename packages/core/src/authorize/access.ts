/** Whether the user may use the client of an authorization request, or of a device, and the page for one who may not. */

import { OAuthError, unavailable } from '../http/errors.js'
import { brokenRule, RULE_REASONS } from '../realm/access.js'
import type { AccessRequest, DeniedRule } from '../realm/access-ports.js'
import type { Context } from '../realm/context.js'
import type { RefusedPrompt } from '../realm/ports.js'
import type { RefusalReason } from '../refusals/hints.js'
import { referenceOf } from '../request/error-page.js'
import { refusal } from '../request/refusal.js'
import type { Client } from '../storage/storage.js'
import { unlessAborted } from '../util/unless-aborted.js'
import type { UserSession } from './session.js'

const POLICY_MS = 1000
const POLICY_REASON = /^[a-z0-9_]{1,64}$/

/** Why a user may not use a client. */
export interface Denial {
  rule: DeniedRule
  error: OAuthError
}

/**
 * By the rules of the client, and then by the policy of the application. Null: the user may use it.
 * @throws OAuthError `temporarily_unavailable` when the policy does not answer
 */
export async function accessDenial(
  c: Context,
  client: Client,
  signedIn: UserSession,
): Promise<Denial | null> {
  const rule = ruleDenial(c, client, signedIn)
  if (rule !== null || c.access_policy === undefined) return rule
  const reason = await policyReason(c, { realm: c.realm, client, ...signedIn })
  return reason === null ? null : denial(c, client, { ...signedIn, rule: 'policy', reason })
}

/** By the rules of the client alone. */
function ruleDenial(c: Context, client: Client, signedIn: UserSession): Denial | null {
  const { user, session } = signedIn
  const rule = brokenRule(c.realm, client, { user, acr: session.acr })
  return rule && denial(c, client, { ...signedIn, rule, reason: RULE_REASONS[rule] })
}

/** At the end of an authorization: the groups of the user may have changed while a page was open. @throws OAuthError `access_denied` */
export function requireRules(c: Context, client: Client, signedIn: UserSession): void {
  const denied = ruleDenial(c, client, signedIn)
  if (denied !== null) throw denied.error
}

function denial(
  c: Context,
  { client_id }: Client,
  { session: { sub }, rule, reason }: UserSession & { rule: DeniedRule; reason: RefusalReason },
): Denial {
  c.facts.sub = sub
  c.emit({ type: 'access.denied', client_id, sub, rule })
  return { rule, error: new OAuthError('access_denied', 'The user may not use this client', { reason }) }
}

/** Null: the policy allows it. */
async function policyReason(c: Context, request: AccessRequest): Promise<RefusalReason | null> {
  const limit = new AbortController()
  const timer = setTimeout(
    () => limit.abort(new Error(`access_policy: no answer in ${POLICY_MS} ms`)),
    POLICY_MS,
  )
  try {
    const asked = (async () => c.access_policy?.(request))()
    const answer: unknown = await unlessAborted(limit.signal, asked)
    if (answer === true) return null
    const reason = (answer as { reason?: unknown } | null | undefined)?.reason
    if (typeof reason === 'string' && POLICY_REASON.test(reason)) return `application_${reason}`
    throw new Error('access_policy must return true, or { reason } of a-z, 0-9 and _')
  } catch (cause) {
    c.failure(cause)
    throw unavailable()
  } finally {
    clearTimeout(timer)
  }
}

/** For `refusedPage`, where no authorization request waits. */
export const NO_REQUEST = { return_to: null, redirect_uri: null, ui_locales: [] }

/** The page for a user who may not use the client. @throws OAuthError where the application has none */
export async function refusedPage(
  c: Context,
  { rule, error }: Denial,
  shown: Omit<RefusedPrompt, 'realm' | 'rule' | 'reference' | 'request'>,
): Promise<Response> {
  const { realm, request, request_id, interactions } = c
  if (!interactions.refused) throw error
  c.emit({ type: 'authorization.refused', ...refusal(c, error) })
  const reference = request_id === undefined ? null : referenceOf(request_id)
  return interactions.refused({ realm, rule, reference, request, ...shown })
}
