/** The guard of a resource, and the checks of audience, scopes and authentication that follow it. */

import {
  ACR_ORDER_RULE,
  type AuthenticationRequirement,
  authenticationError,
  requireValidRequirement,
} from './authentication.js'
import { BearerError, bearerToken, type ChallengeParameters, challenge, isWellFormed } from './bearer.js'
import type { Principal } from './principal.js'
import { checkScopeOption } from './scopes.js'
import { IssuerUnavailableError, unavailable } from './unavailable.js'

/** The options of `createGuard`. */
export interface GuardOptions<P extends Principal> {
  /** The parameters of every challenge of this guard. */
  challenge: Pick<ChallengeParameters, 'realm' | 'resource_metadata'>
  /** The scopes that a client should ask for: the `scope` of every 401. Without it, a 401 has none. */
  challenge_scopes?: readonly string[]
  /**
   * The values of `acr` that are ordered, the weakest first: `checkAuthentication` accepts a stronger one than it requires.
   * Also a function of the principal. Without it, each value stands for itself alone.
   */
  acr_order?: readonly string[] | ((principal: P) => readonly string[])
  /** The current time in epoch seconds; the system's by default. */
  now?(): number
  /** Returns the principal of a token. Throws BearerError to refuse the token, IssuerUnavailableError for a 503. */
  validate(token: string, request: Request): Promise<P>
  /** Called with the reason of each refusal, for a log. The client does not learn the reason. */
  on_refused?(error: BearerError, request: Request): void
  /** Called with the reason of each 503 response. */
  on_unavailable?(error: IssuerUnavailableError, request: Request): void
}

/** What an operation requires, for its challenge. */
type Requirement = Pick<ChallengeParameters, 'scope' | 'acr_values' | 'max_age'>

/** Returns the response to a request that is refused, or null for a request that may pass. */
export type RequestCheck = (request: Request) => Response | null

/** Authenticates requests by their bearer token, and checks what the token allows. */
export interface Guard<P extends Principal = Principal> {
  /** The principal, or the response to send: 401; 403 when a scope is missing; 503 when the issuer is unavailable. */
  authenticate(request: Request, scopes?: readonly string[]): Promise<P | Response>
  /** The principal that `authenticate` returned for this request; null when there is none. */
  principal(request: Request): P | null
  /** Requires one of these audiences in the token. Otherwise 401 `invalid_token`. */
  checkAudience(...audiences: string[]): RequestCheck
  /** Requires all of these scopes. Otherwise 403 `insufficient_scope`, whose challenge names all of them. */
  checkScopes(...scopes: string[]): RequestCheck
  /**
   * Requires a user who has authenticated in this way, and recently enough (RFC 9470). Otherwise 401
   * `insufficient_user_authentication`, whose challenge says what is required.
   * @throws TypeError for a requirement that is empty or malformed.
   */
  checkAuthentication(requirement: AuthenticationRequirement): RequestCheck
}

/**
 * Makes a guard from a function that validates tokens. It responds with 401, 403 (RFC 6750 §3.1) and 503.
 * @throws TypeError for `challenge_scopes` that are not scopes, and for an `acr_order` that is not an order.
 */
export function createGuard<P extends Principal>(options: GuardOptions<P>): Guard<P> {
  checkScopeOption('challenge_scopes', options.challenge_scopes)
  const { acr_order = [], now = () => Math.floor(Date.now() / 1000) } = options
  if (typeof acr_order !== 'function' && !ACR_ORDER_RULE.isValid(acr_order))
    throw new TypeError(`acr_order: ${ACR_ORDER_RULE.advice}`)
  const accepted = new WeakMap<Request, P>()
  const unauthenticated = {
    ...options.challenge,
    ...(options.challenge_scopes && { scope: [...options.challenge_scopes] }),
  }

  const refuse = (request: Request, error: BearerError, required: Requirement = {}): Response => {
    options.on_refused?.(error, request)
    if (error.code === 'invalid_token') return challenge({ ...unauthenticated, error: error.code })
    const common = error.code === 'insufficient_scope' ? options.challenge : unauthenticated
    return challenge({ ...common, error: error.code, ...required })
  }
  const check =
    (failure: (principal: P) => BearerError | null, required?: Requirement): RequestCheck =>
    (request) => {
      const principal = accepted.get(request)
      const error = principal ? failure(principal) : new BearerError('invalid_token', 'unauthenticated')
      return error && refuse(request, error, required)
    }
  const scopeError = (principal: P, scopes: readonly string[]): BearerError | null =>
    scopes.every((scope) => principal.tokenCan(scope))
      ? null
      : new BearerError('insufficient_scope', 'missing_scope')

  return {
    async authenticate(request, scopes = []) {
      const token = bearerToken(request)
      if (token === null) return challenge(unauthenticated)
      try {
        if (!isWellFormed(token)) throw new BearerError('invalid_token', 'malformed_token')
        const principal = await options.validate(token, request)
        const error = scopeError(principal, scopes)
        if (error) return refuse(request, error, { scope: scopes })
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
    checkScopes: (...scopes) => check((principal) => scopeError(principal, scopes), { scope: scopes }),
    checkAuthentication({ acr_values, max_age }) {
      const requirement = {
        ...(acr_values !== undefined && { acr_values }),
        ...(max_age !== undefined && { max_age }),
      }
      requireValidRequirement(requirement)
      const order = (principal: P) => (typeof acr_order === 'function' ? acr_order(principal) : acr_order)
      return check(
        (principal) =>
          authenticationError(principal, requirement, { acr_order: order(principal), now: now() }),
        requirement,
      )
    },
  }
}
