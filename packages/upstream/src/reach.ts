/** Whether an upstream answers, for `doctor`. */

import { HINTS } from './hints.js'
import type { UpstreamFetch } from './protocol/limited-fetch.js'
import { protocolOf } from './protocol/protocol-of.js'
import { UpstreamRefusal } from './refusal.js'
import type { UpstreamSettings } from './settings.js'

/** Characters of a text of the provider. */
const MAX_SHOWN = 200

/**
 * Reads the discovery document as a sign-in does; GitHub has none.
 * @returns Null where a sign-in can begin; otherwise the reason and what to do.
 */
export async function upstreamProblem(
  settings: UpstreamSettings,
  fetch: UpstreamFetch,
): Promise<{ reason: string; hint: string } | null> {
  const now = () => Math.floor(Date.now() / 1000)
  const trip = { redirect_uri: 'https://id.example/', state: '', nonce: '', code_verifier: '' }
  try {
    await protocolOf(settings, { fetch, now }).authorizationUrl(trip, { login_hint: null, fresh: false })
    return null
  } catch (error) {
    if (!(error instanceof UpstreamRefusal)) throw error
    const hint = HINTS[error.reason]
    // The issuer of the document.
    if (typeof error.cause !== 'string') return { reason: error.reason, hint }
    const both = `It is ${JSON.stringify(error.cause.slice(0, MAX_SHOWN))}, and not ${JSON.stringify(settings.issuer)}.`
    return { reason: error.reason, hint: `${hint} ${both}` }
  }
}
