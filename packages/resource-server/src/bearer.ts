/** Bearer tokens on the wire: RFC 6750 §2.1 and §3, RFC 9728 §5.1. */

export type BearerErrorCode = 'invalid_token' | 'insufficient_scope'

/** Why a bearer is turned away. `reason` is for logs, never for the wire. */
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

/** The token in the `Authorization` header, or null when there is no bearer token. Nowhere else is one read from. */
export function bearerToken(request: Request): string | null {
  const header = request.headers.get('authorization') ?? ''
  const token = /^bearer /i.test(header) ? header.slice('bearer '.length).trim() : ''
  return token === '' ? null : token
}

/** Characters. No header of a request is much longer than this where it arrives at all. */
const LONGEST_TOKEN = 16_384

/** RFC 6750 §2.1, and short enough: what is not, is refused before any work is done for it. */
export const isWellFormed = (token: string): boolean =>
  token.length <= LONGEST_TOKEN && /^[A-Za-z0-9\-._~+/]+=*$/.test(token)

/** The parameters of a `WWW-Authenticate: Bearer` challenge (RFC 6750 §3, RFC 9728 §5.1). */
export interface ChallengeParameters {
  /** The realm id. */
  realm: string
  error?: BearerErrorCode
  /** The scopes that would have been enough; sent with `insufficient_scope`. */
  scope?: readonly string[]
  /** URL of the RFC 9728 document. */
  resource_metadata: string
}

/** The value of `WWW-Authenticate`, its parameters in one fixed order. */
export function challengeHeader({ realm, error, scope, resource_metadata }: ChallengeParameters): string {
  const parameters = [
    ['realm', realm],
    ['error', error],
    ['scope', scope?.join(' ')],
    ['resource_metadata', resource_metadata],
  ]
  const quoted = parameters.flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}="${value.replace(/["\\]/g, '\\$&')}"`],
  )
  return `Bearer ${quoted.join(', ')}`
}

/** 401 or 403 with the challenge; `{"error":"…"}` as the body, or none where there was no token to judge. */
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
