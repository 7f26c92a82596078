/** Reads bearer tokens from requests, and writes challenges: RFC 6750 §2.1 and §3, RFC 9728 §5.1. */

/** The error codes of RFC 6750 §3.1 and RFC 9470 §3 that a guard uses. */
export type BearerErrorCode = 'invalid_token' | 'insufficient_scope' | 'insufficient_user_authentication'

/** A token was refused. `reason` is for logs; it is not sent to the client. */
export class BearerError extends Error {
  readonly code: BearerErrorCode
  readonly reason: string

  constructor(code: BearerErrorCode, reason: string, cause?: unknown) {
    super(`${code}: ${reason}`, cause === undefined ? undefined : { cause })
    this.name = 'BearerError'
    this.code = code
    this.reason = reason
  }
}

/** The token in the `Authorization` header, or null when it has no bearer token. Other places are not read. */
export function bearerToken(request: Request): string | null {
  const header = request.headers.get('authorization') ?? ''
  const token = /^bearer /i.test(header) ? header.slice('bearer '.length).trim() : ''
  return token === '' ? null : token
}

/** Servers limit the headers of a request to about this length. */
const MAX_TOKEN_CHARACTERS = 16_384

/** Whether a token has the syntax of RFC 6750 §2.1 and is not too long. Other tokens are refused without further checks. */
export const isWellFormed = (token: string): boolean =>
  token.length <= MAX_TOKEN_CHARACTERS && /^[A-Za-z0-9\-._~+/]+=*$/.test(token)

/** The parameters of a `WWW-Authenticate: Bearer` challenge (RFC 6750 §3, RFC 9728 §5.1). */
export interface ChallengeParameters {
  /** The realm id. */
  realm: string
  error?: BearerErrorCode
  /** The required scopes: of the operation with `insufficient_scope`, otherwise those that a client should ask for. */
  scope?: readonly string[]
  /** What the operation requires of the user's authentication (RFC 9470 §3). */
  acr_values?: readonly string[]
  /** Seconds. */
  max_age?: number
  /** URL of the RFC 9728 document. */
  resource_metadata: string
}

/** The value of `WWW-Authenticate`, with its parameters in a fixed order. */
export function challengeHeader(challenge: ChallengeParameters): string {
  const { realm, error, scope, acr_values, max_age, resource_metadata } = challenge
  const parameters = [
    ['realm', realm],
    ['error', error],
    ['scope', scope?.join(' ')],
    ['acr_values', acr_values?.join(' ')],
    ['max_age', max_age?.toString()],
    ['resource_metadata', resource_metadata],
  ]
  const quoted = parameters.flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}="${value.replace(/["\\]/g, '\\$&')}"`],
  )
  return `Bearer ${quoted.join(', ')}`
}

/** 401 or 403 with the challenge. The body is `{"error":"…"}`, or empty when the request had no token. */
export function challenge(parameters: ChallengeParameters): Response {
  const headers = new Headers({
    'www-authenticate': challengeHeader(parameters),
    'cache-control': 'no-store',
  })
  if (parameters.error === undefined) return new Response(null, { status: 401, headers })
  headers.set('content-type', 'application/json')
  const status = parameters.error === 'insufficient_scope' ? 403 : 401
  return new Response(JSON.stringify({ error: parameters.error }), { status, headers })
}
