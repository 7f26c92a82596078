/** Reads access tokens from requests, and writes challenges: RFC 6750 §2.1 and §3, RFC 9449 §7.1, RFC 9728 §5.1. */

/** The error codes of RFC 6750 §3.1 and RFC 9470 §3 that a guard uses, and with DPoP those of RFC 9449 §7.1 and §9. */
export type BearerErrorCode =
  | 'invalid_token'
  | 'insufficient_scope'
  | 'insufficient_user_authentication'
  | 'invalid_request'
  | 'invalid_dpop_proof'
  | 'use_dpop_nonce'

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

/** The scheme of a credential: that of a token whose holder may use it, or of one that is bound to a key. */
export type TokenScheme = 'Bearer' | 'DPoP'

/** A token with the scheme that presents it (RFC 9110 §11.4). */
export interface TokenCredentials {
  scheme: TokenScheme
  token: string
}

/** The token in the `Authorization` header, or null when it has no bearer token. Other places are not read. */
export const bearerToken = (request: Request): string | null =>
  tokenCredentials(request, ['Bearer'])?.token ?? null

/** The token in the `Authorization` header, or null when it has no token of these schemes. Other places are not read. */
export function tokenCredentials(request: Request, schemes: readonly TokenScheme[]): TokenCredentials | null {
  const header = request.headers.get('authorization') ?? ''
  const scheme = schemes.find(
    (name) => header.slice(0, name.length + 1).toLowerCase() === `${name.toLowerCase()} `,
  )
  const token = scheme === undefined ? '' : header.slice(scheme.length).trim()
  return scheme === undefined || token === '' ? null : { scheme, token }
}

/** Requests with more than one `Authorization` header, of which Node keeps only the first. */
const ambiguous = new WeakSet<Request>()

/** @internal */
export const markAmbiguous = (request: Request): void => void ambiguous.add(request)

/**
 * Whether the request has two tokens: two headers of the same name are joined by a comma, which no token contains.
 * @internal
 */
export const hasSeveralTokens = (request: Request, { token }: TokenCredentials): boolean =>
  token.includes(',') || ambiguous.has(request)

/** Servers limit the headers of a request to about this length. */
const MAX_TOKEN_CHARACTERS = 16_384

/**
 * Whether a token has the syntax of RFC 6750 §2.1 and is not too long. Other tokens are refused without further checks.
 * @internal
 */
export const isWellFormed = (token: string): boolean =>
  token.length <= MAX_TOKEN_CHARACTERS && /^[A-Za-z0-9\-._~+/]+=*$/.test(token)

/** What a challenge says when DPoP is on (RFC 9449 §7.1). */
export interface DpopChallenge {
  /** The accepted signature algorithms of proofs. */
  algorithms: readonly string[]
  /** The scheme that the request used: the error belongs to it. */
  scheme: TokenScheme
  /** The value of `DPoP-Nonce`. */
  nonce?: string
}

/** The parameters of a `WWW-Authenticate` challenge (RFC 6750 §3, RFC 9728 §5.1). */
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
  /** Adds a challenge of the scheme `DPoP`. */
  dpop?: DpopChallenge
}

/** The value of `WWW-Authenticate` with one scheme, by default `Bearer`, and its parameters in a fixed order. */
export function challengeHeader(challenge: ChallengeParameters, scheme: TokenScheme = 'Bearer'): string {
  const { realm, error, scope, acr_values, max_age, resource_metadata, dpop } = challenge
  const parameters = [
    ['realm', realm],
    ['error', scheme === (dpop?.scheme ?? scheme) ? error : undefined],
    ['scope', scope?.join(' ')],
    ['acr_values', acr_values?.join(' ')],
    ['max_age', max_age?.toString()],
    ['algs', scheme === 'DPoP' ? dpop?.algorithms.join(' ') : undefined],
    ['resource_metadata', resource_metadata],
  ]
  const quoted = parameters.flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}="${value.replace(/["\\]/g, '\\$&')}"`],
  )
  return `${scheme} ${quoted.join(', ')}`
}

const STATUS: Partial<Record<BearerErrorCode, number>> = { insufficient_scope: 403, invalid_request: 400 }

/** The challenges of each response, because `Headers` joins them. */
const challenges = new WeakMap<Response, readonly string[]>()

/** 400, 401 or 403 with the challenges. The body is `{"error":"…"}`, or empty when the request had no token. */
export function challenge(parameters: ChallengeParameters): Response {
  const { dpop, error } = parameters
  const schemes: TokenScheme[] = dpop ? ['Bearer', 'DPoP'] : ['Bearer']
  const values = schemes.map((scheme) => challengeHeader(parameters, scheme))
  const headers = new Headers({ 'www-authenticate': values.join(', '), 'cache-control': 'no-store' })
  if (dpop?.nonce !== undefined) headers.set('dpop-nonce', dpop.nonce)
  if (error !== undefined) headers.set('content-type', 'application/json')
  const body = error === undefined ? null : JSON.stringify({ error })
  const response = new Response(body, { status: (error && STATUS[error]) ?? 401, headers })
  challenges.set(response, values)
  return response
}

/** The challenges of a response of `challenge`, one per scheme. A server that can, sends each as a header of its own. */
export const challengesOf = (response: Response): string[] => [...(challenges.get(response) ?? [])]

/** A copy with these headers too, and with the challenges: the headers of a guard's response may be immutable. */
export function withHeaders(response: Response, headers: Record<string, string>): Response {
  const { body, status, statusText } = response
  const all = { ...Object.fromEntries(response.headers), ...headers }
  const copy = new Response(body, { status, statusText, headers: all })
  challenges.set(copy, challengesOf(response))
  return copy
}

/**
 * The headers of a response, each challenge as a value of its own: for adapters to frameworks.
 * @internal
 */
export function headerValues(response: Response): [name: string, value: string | string[]][] {
  const values = challengesOf(response)
  return [...response.headers].map(([name, value]) => [
    name,
    name === 'www-authenticate' && values.length > 1 ? values : value,
  ])
}
