/** Whether a sign-in at an upstream can begin, and its ID tokens can be verified: for `doctor` and administrators. */

import { HINTS } from './hints.js'
import { limitedFetch, type UpstreamFetch } from './protocol/limited-fetch.js'
import { protocolOf } from './protocol/protocol-of.js'
import { UpstreamRefusal } from './refusal.js'
import type { UpstreamSettings } from './settings.js'

/** Characters of a text of the provider. */
const MAX_SHOWN = 200

const NO_KEYS = {
  reason: 'no_keys',
  hint: 'The signing keys at jwks_uri cannot be read: no ID token can be verified.',
}

/**
 * Reads the discovery document as a sign-in does, and the keys; GitHub has neither.
 * @returns Null where a sign-in can begin; otherwise the reason and what to do.
 */
export async function upstreamProblem(
  settings: UpstreamSettings,
  fetch: UpstreamFetch,
): Promise<{ reason: string; hint: string } | null> {
  const now = () => Math.floor(Date.now() / 1000)
  const trip = { redirect_uri: '', state: '', nonce: '', code_verifier: '' }
  let document: Response | undefined
  const send = limitedFetch(fetch)
  const kept: UpstreamFetch = async (url, init) => {
    // Read to its end: one that has none would never be let go by a copy.
    const answer = await send(url, init)
    document = answer.clone()
    return answer
  }
  try {
    await protocolOf(settings, { fetch: kept, now }).authorizationUrl(trip, {
      login_hint: null,
      fresh: false,
    })
    return document === undefined || (await hasKeys(document, send)) ? null : NO_KEYS
  } catch (error) {
    if (!(error instanceof UpstreamRefusal)) throw error
    const hint = HINTS[error.reason]
    // The issuer of the document.
    if (typeof error.cause !== 'string') return { reason: error.reason, hint }
    const both = `It is ${JSON.stringify(error.cause.slice(0, MAX_SHOWN))}, and not ${JSON.stringify(settings.issuer)}.`
    return { reason: error.reason, hint: `${hint} ${both}` }
  }
}

/** @throws UpstreamRefusal `unreachable` */
async function hasKeys(document: Response, send: UpstreamFetch): Promise<boolean> {
  const { jwks_uri } = (await document.json()) as { jwks_uri?: unknown }
  const url = String(jwks_uri)
  if (!URL.canParse(url)) return false
  const answer = await send(url, {})
  const body = answer.status === 200 ? await answer.json().catch(() => null) : null
  const keys = (body as { keys?: unknown } | null)?.keys
  return Array.isArray(keys) && keys.length > 0
}
