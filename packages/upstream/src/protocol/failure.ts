/** From an error of openid-client to the reason of a refusal. The text of the upstream stays in the cause. */

import { type UpstreamReason, UpstreamRefusal } from '../refusal.js'

/** Of an error that openid-client throws, or of one that caused it. */
export interface Failure {
  name?: string
  code?: string
  error?: string
  claim?: string
  claims?: unknown
  cause?: unknown
}

const CLAIMS: Readonly<Record<string, UpstreamReason>> = {
  iss: 'issuer_differs',
  aud: 'audience',
  azp: 'audience',
  nonce: 'nonce',
}

/** The error with the errors that caused it, the outermost first. */
export function chainOf(error: unknown): Failure[] {
  const chain: Failure[] = []
  for (let next = error; typeof next === 'object' && next !== null && chain.length < MAX_CAUSES; ) {
    chain.push(next)
    next = (next as Failure).cause
  }
  return chain
}

const MAX_CAUSES = 6

const CANCELLED = ['access_denied', 'user_cancelled_authorize']

export function refusalOf(error: unknown): UpstreamRefusal {
  const chain = chainOf(error)
  const refusal = chain.find((one) => one instanceof UpstreamRefusal)
  if (refusal instanceof UpstreamRefusal) return refusal
  return new UpstreamRefusal(reasonOf(chain), error)
}

function reasonOf(chain: readonly Failure[]): UpstreamReason {
  const [first = {}] = chain
  if (first.name === 'AuthorizationResponseError')
    return CANCELLED.includes(first.error ?? '') ? 'access_denied' : 'error_response'
  if (first.name === 'ResponseBodyError') return 'error_response'
  const claim = chain.find((one) => typeof one.claim === 'string')?.claim
  if (claim !== undefined && Object.hasOwn(CLAIMS, claim)) return CLAIMS[claim] ?? 'bad_response'
  const expected = (chain.find((one) => 'expected' in one) as { expected?: unknown } | undefined)?.expected
  if (isIssuerParameter(chain) && expected !== undefined) return 'issuer_differs'
  return CODES[first.code ?? ''] ?? 'bad_response'
}

/** `iss` of the authorization response (RFC 9207 §2.4). The library names it in its message alone. */
const isIssuerParameter = (chain: readonly Failure[]): boolean =>
  chain.some((one) => one instanceof Error && one.message.includes('"iss" (issuer) response parameter'))

const CODES: Readonly<Record<string, UpstreamReason>> = {
  OAUTH_JWT_TIMESTAMP_CHECK_FAILED: 'expired',
  // The token endpoint has refused the client with 401.
  OAUTH_WWW_AUTHENTICATE_CHALLENGE: 'error_response',
  OAUTH_TIMEOUT: 'unreachable',
  OAUTH_ABORT: 'unreachable',
}
