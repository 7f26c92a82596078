/** Whether the user may use the client of an authorization request, or of a device, and the page for one who may not. */

import { OAuthError, unavailable } from '../http/errors.js'
import { brokenRule, RULE_REASONS } from '../realm/access.js'
import type { AccessRequest, DeniedRule } from '../realm/access-ports.js'
import type { Context } from '../realm/context.js'
import type { RefusalReason } from '../refusals/hints.js'
import { referenceOf } from '../request/error-page.js'
import { refusal } from '../request/refusal.js'
import type { Client } from '../storage/storage.js'
import { unlessAborted } from '../util/unless-aborted.js'
import type { UserSession } from './session.js'

/** Milliseconds. */
const POLICY_TIME = 1000
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
export function ruleDenial(c: Context, client: Client, signedIn: UserSession): Denial | null {
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
  const late = new Error(`access_policy has not answered within ${POLICY_TIME} ms`)
  const timer = setTimeout(() => limit.abort(late), POLICY_TIME)
  try {
    const asked = (async () => c.access_policy?.(request))()
    const answer: unknown = await unlessAborted(limit.signal, asked)
    if (answer === true) return null
    const reason = (answer as { reason?: unknown } | null | undefined)?.reason
    if (typeof reason === 'string' && POLICY_REASON.test(reason)) return `application_${reason}`
    throw new Error(
      'access_policy must return true, or { reason } with 1 to 64 of the characters a-z, 0-9 and _',
    )
  } catch (cause) {
    c.failure(cause)
    throw unavailable()
  } finally {
    clearTimeout(timer)
  }
}

/** An authorization request that waits; null for the code of a device. */
interface Waiting {
  return_to: string
  redirect_uri: string
  ui_locales: string[]
}

/** The page for a user who may not use the client. @throws OAuthError where the application has none */
export async function refusedPage(
  c: Context,
  client: Client,
  { user, denied, waiting }: { user: UserSession['user']; denied: Denial; waiting: Waiting | null },
): Promise<Response> {
  if (!c.interactions.refused) throw denied.error
  c.emit({ type: 'authorization.refused', ...refusal(c, denied.error) })
  return c.interactions.refused({
    realm: c.realm,
    client,
    user,
    rule: denied.rule,
    return_to: waiting?.return_to ?? null,
    redirect_uri: waiting?.redirect_uri ?? null,
    reference: c.request_id === undefined ? null : referenceOf(c.request_id),
    ui_locales: waiting?.ui_locales ?? [],
    request: c.request,
  })
}
