/** The guard in front of a resource, and the two checks behind it. */

import { BearerError, bearerToken, type ChallengeParameters, challenge } from './bearer.js'
import type { Principal } from './principal.js'

export interface GuardOptions<P extends Principal> {
  /** What every challenge of this guard says. */
  challenge: Pick<ChallengeParameters, 'realm' | 'resource_metadata'>
  /** The principal behind a token. Throws BearerError to refuse it. */
  validate(token: string, request: Request): Promise<P>
  /** Told of each refusal; the client is not told the reason. */
  on_refused?(error: BearerError, request: Request): void
}

/** Answers with the response to send back, or null to let the request pass. */
export type Check = (request: Request) => Response | null

export interface Guard<P extends Principal = Principal> {
  /** The principal, or the 401 to answer with. */
  authenticate(request: Request): Promise<P | Response>
  /** The principal that `authenticate` accepted for this request; null before or without it. */
  principal(request: Request): P | null
  /** Passes when the verified audience names one of these. Otherwise 401 `invalid_token`. */
  checkAudience(...audiences: string[]): Check
  /** Passes when the token carries every one of these. Otherwise 403 `insufficient_scope`. */
  checkScopes(...scopes: string[]): Check
}

export function createGuard<P extends Principal>(options: GuardOptions<P>): Guard<P> {
  const accepted = new WeakMap<Request, P>()

  const refuse = (request: Request, error: BearerError, scope?: readonly string[]): Response => {
    options.on_refused?.(error, request)
    return challenge({ ...options.challenge, error: error.code, ...(scope && { scope }) })
  }
  const check =
    (passes: (principal: P) => boolean, failure: () => [BearerError, scope?: readonly string[]]): Check =>
    (request) => {
      const principal = accepted.get(request)
      if (!principal) return refuse(request, new BearerError('invalid_token', 'unauthenticated'))
      return passes(principal) ? null : refuse(request, ...failure())
    }

  return {
    async authenticate(request) {
      const token = bearerToken(request)
      if (token === null) return challenge(options.challenge)
      try {
        const principal = await options.validate(token, request)
        accepted.set(request, principal)
        return principal
      } catch (error) {
        if (error instanceof BearerError) return refuse(request, error)
        throw error
      }
    },
    principal: (request) => accepted.get(request) ?? null,
    checkAudience: (...audiences) =>
      check(
        (principal) =>
          principal.currentAccessToken().audience.some((audience) => audiences.includes(audience)),
        () => [new BearerError('invalid_token', 'wrong_audience')],
      ),
    checkScopes: (...scopes) =>
      check(
        (principal) => scopes.every((scope) => principal.tokenCan(scope)),
        () => [new BearerError('insufficient_scope', 'missing_scope'), scopes],
      ),
  }
}
