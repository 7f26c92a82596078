/** The guard of a resource, and the checks of audience, scopes and authentication that follow it. */

import { attachment } from './attachment.js'
import {
  ACR_ORDER_RULE,
  type AuthenticationRequirement,
  authenticationError,
  requireValidRequirement,
} from './authentication.js'
import { BearerError, type ChallengeParameters, challenge, isWellFormed, tokenCredentials } from './bearer.js'
import { checkConfirmation } from './dpop/confirmation.js'
import {
  claimResourceProof,
  freshNonce,
  type GuardDpop,
  requestCredentials,
  resourceProof,
} from './dpop/resource-proof.js'
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
  /**
   * Accepts tokens that are bound to a DPoP key (RFC 9449), with the scheme `DPoP` and a proof; `validate` has to let them pass
   * (`dpop` of `verifyAccessToken`), and the guard compares the keys. Also a function, for what is known at a request only; its
   * null switches DPoP off. Without it, bound tokens are refused.
   */
  dpop?: GuardDpop | (() => Promise<GuardDpop | null>)
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

/** Authenticates requests by their access token, and checks what the token allows. */
export interface Guard<P extends Principal = Principal> {
  /**
   * The principal, or the response to send: 401; 403 when a scope is missing; 503 when the issuer is unavailable; with DPoP, 400
   * for a request with two tokens.
   */
  authenticate(request: Request, scopes?: readonly string[]): Promise<P | Response>
  /** The principal that `authenticate` returned for this request; null when there is none. */
  principal(request: Request): P | null
  /**
   * The nonce for the client's next proof: when this is not null, the response to a request that `authenticate` has accepted
   * should have it as its `DPoP-Nonce` (RFC 9449 §8.2). The adapters add it.
   */
  nonce(request: Request): string | null
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

/** What the guard keeps about a request that it has accepted. */
interface Accepted<P> {
  principal: P
  nonce: string | null
}

/** What a refusal says besides the error. */
interface RefusalDetails {
  required?: Requirement
  /** Null: DPoP is off. */
  dpop: GuardDpop | null
  nonce?: string | null
}

/**
 * Makes a guard from a function that validates tokens. It responds with 401, 403 (RFC 6750 §3.1) and 503; with DPoP, also with
 * 400 to a request with two tokens.
 * @throws TypeError for `challenge_scopes` that are not scopes, and for an `acr_order` that is not an order.
 */
export function createGuard<P extends Principal>(options: GuardOptions<P>): Guard<P> {
  checkScopeOption('challenge_scopes', options.challenge_scopes)
  const { acr_order = [], now = () => Math.floor(Date.now() / 1000) } = options
  if (typeof acr_order !== 'function' && !ACR_ORDER_RULE.isValid(acr_order))
    throw new TypeError(`acr_order: ${ACR_ORDER_RULE.advice}`)
  const accepted = attachment<Request, Accepted<P>>()
  const dpopSettings = currentDpop(options)
  const { ask, refuse, fail } = refusals(options, now)

  const check =
    (failure: (principal: P) => BearerError | null, required: Requirement = {}): RequestCheck =>
    (request) => {
      const principal = accepted.get(request)?.principal
      const error = principal ? failure(principal) : new BearerError('invalid_token', 'unauthenticated')
      return error && refuse(request, error, { required, dpop: dpopSettings.latest() })
    }
  const accept = async (request: Request, dpop: GuardDpop | null, scopes: readonly string[]) => {
    const credentials = requestCredentials(request, dpop)
    if (credentials === null) return ask(request, dpop)
    const { scheme, token } = credentials
    if (!isWellFormed(token)) throw new BearerError('invalid_token', 'malformed_token')
    const used =
      dpop && scheme === 'DPoP'
        ? { dpop, proof: await resourceProof(dpop, { request, access_token: token, now: now() }) }
        : null
    const principal = await options.validate(token, request)
    checkConfirmation(principal.currentAccessToken().claims.cnf, used?.proof ?? null)
    const error = scopeError(principal, scopes)
    if (error) return refuse(request, error, { required: { scope: scopes }, dpop })
    if (used) await claimResourceProof(used.dpop, used.proof, { request, now: now() })
    const nonce = used && (await freshNonce(used.dpop, used.proof.nonce, now()))
    accepted.set(request, { principal, nonce })
    return principal
  }

  return {
    async authenticate(request, scopes = []) {
      const settings = dpopSettings.of(request)
      const dpop = settings instanceof Promise ? await settings : settings
      try {
        return await accept(request, dpop, scopes)
      } catch (error) {
        return fail(request, error, dpop)
      }
    },
    principal: (request) => accepted.get(request)?.principal ?? null,
    nonce: (request) => accepted.get(request)?.nonce ?? null,
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

const scopeError = (principal: Principal, scopes: readonly string[]): BearerError | null =>
  scopes.every((scope) => principal.tokenCan(scope))
    ? null
    : new BearerError('insufficient_scope', 'missing_scope')

/** The settings of DPoP, which may be known at a request only. */
function currentDpop<P extends Principal>({ dpop: option }: GuardOptions<P>) {
  let latest = typeof option === 'function' ? null : (option ?? null)
  const read = async (found: Promise<GuardDpop | null>, request: Request) => {
    // A request without a token is answered even when the settings cannot be read.
    const is_anonymous = !tokenCredentials(request, ['Bearer', 'DPoP'])
    latest = await (is_anonymous ? found.catch(() => null) : found)
    return latest
  }
  return {
    of: (request: Request): GuardDpop | null | Promise<GuardDpop | null> =>
      typeof option === 'function' ? read(option(), request) : latest,
    /** For checks, which do not wait: they come after the authentication of a request. */
    latest: () => latest,
  }
}

/** The responses to requests without a token, and with one that is refused. */
function refusals<P extends Principal>(options: GuardOptions<P>, now: () => number) {
  const { challenge_scopes, on_refused, on_unavailable } = options
  const unauthenticated = {
    ...options.challenge,
    ...(challenge_scopes && { scope: [...challenge_scopes] }),
  }
  const second = (request: Request, { dpop, nonce = null }: RefusalDetails): Partial<ChallengeParameters> => {
    if (!dpop) return {}
    const { scheme = 'Bearer' } = tokenCredentials(request, ['Bearer', 'DPoP']) ?? {}
    return { dpop: { algorithms: dpop.algorithms, scheme, ...(nonce !== null && { nonce }) } }
  }
  const ask = (request: Request, dpop: GuardDpop | null): Response =>
    challenge({ ...unauthenticated, ...second(request, { dpop }) })
  const refuse = (request: Request, error: BearerError, details: RefusalDetails): Response => {
    on_refused?.(error, request)
    const { code } = error
    const common = code === 'insufficient_scope' ? options.challenge : unauthenticated
    const required = code === 'invalid_token' ? {} : details.required
    return challenge({ ...common, error: code, ...required, ...second(request, details) })
  }
  const fail = async (request: Request, error: unknown, dpop: GuardDpop | null): Promise<Response> => {
    if (error instanceof BearerError) {
      const needs_nonce = dpop !== null && error.code === 'use_dpop_nonce'
      const nonce = needs_nonce ? await freshNonce(dpop, null, now()) : null
      return refuse(request, error, { dpop, nonce })
    }
    if (!(error instanceof IssuerUnavailableError)) throw error
    on_unavailable?.(error, request)
    return unavailable()
  }
  return { ask, refuse, fail }
}
