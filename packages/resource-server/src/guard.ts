/** The guard in front of a resource, and the two checks behind it. */

import { BearerError, bearerToken, type ChallengeParameters, challenge, isWellFormed } from './bearer.js'
import type { Principal } from './principal.js'
import { IssuerUnavailableError, unavailable } from './unavailable.js'

/** What `createGuard` takes. */
export interface GuardOptions<P extends Principal> {
  /** What every challenge of this guard says. */
  challenge: Pick<ChallengeParameters, 'realm' | 'resource_metadata'>
  /** The principal behind a token. Throws BearerError to refuse it, IssuerUnavailableError when nothing can be known. */
  validate(token: string, request: Request): Promise<P>
  /** Told of each refusal; the client is not told the reason. */
  on_refused?(error: BearerError, request: Request): void
  /** Told why a request was answered with 503. */
  on_unavailable?(error: IssuerUnavailableError, request: Request): void
}

/** Answers with the response to send back, or null to let the request pass. */
export type Check = (request: Request) => Response | null

/** Checks the bearer token of a request, and what it may do. */
export interface Guard<P extends Principal = Principal> {
  /** The principal, or the answer to send: 401, 403 without one of the scopes, 503 when the issuer is away. */
  authenticate(request: Request, scopes?: readonly string[]): Promise<P | Response>
  /** The principal that `authenticate` accepted for this request; null before or without it. */
  principal(request: Request): P | null
  /** Passes when the verified audience names one of these. Otherwise 401 `invalid_token`. */
  checkAudience(...audiences: string[]): Check
  /** Passes when the token carries every one of these. Otherwise 403 `insufficient_scope`. */
  checkScopes(...scopes: string[]): Check
}

/** Makes a guard of a function that verifies a token. It answers 401, 403 and 503 as RFC 6750 says. */
export function createGuard<P extends Principal>(options: GuardOptions<P>): Guard<P> {
  const accepted = new WeakMap<Request, P>()

  const refuse = (request: Request, error: BearerError, scope?: readonly string[]): Response => {
    options.on_refused?.(error, request)
    return challenge({ ...options.challenge, error: error.code, ...(scope && { scope }) })
  }
  const check =
    (failure: (principal: P) => BearerError | null, scopes?: readonly string[]): Check =>
    (request) => {
      const principal = accepted.get(request)
      const error = principal ? failure(principal) : new BearerError('invalid_token', 'unauthenticated')
      return error && refuse(request, error, principal && scopes)
    }
  const lacking = (principal: P, scopes: readonly string[]): BearerError | null =>
    scopes.every((scope) => principal.tokenCan(scope))
      ? null
      : new BearerError('insufficient_scope', 'missing_scope')

  return {
    async authenticate(request, scopes = []) {
      const token = bearerToken(request)
      if (token === null) return challenge(options.challenge)
      try {
        if (!isWellFormed(token)) throw new BearerError('invalid_token', 'malformed_token')
        const principal = await options.validate(token, request)
        const error = lacking(principal, scopes)
        if (error) return refuse(request, error, scopes)
        accepted.set(request, principal)
        return principal
      } catch (error) {
        if (error instanceof BearerError) return refuse(request, error)
        if (!(error instanceof IssuerUnavailableError)) throw error
        options.on_unavailable?.(error, request)
        return unavailable()
      }
    },
    principal: (request) => accepted.get(request) ?? null,
    checkAudience: (...audiences) =>
      check((principal) =>
        principal.currentAccessToken().audience.some((audience) => audiences.includes(audience))
          ? null
          : new BearerError('invalid_token', 'wrong_audience'),
      ),
    checkScopes: (...scopes) => check((principal) => lacking(principal, scopes), scopes),
  }
}
