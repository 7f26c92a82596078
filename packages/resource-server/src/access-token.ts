/** Validation of JWT access tokens: RFC 9068 §4. */

import { errors, type JWTVerifyGetKey } from 'jose'
import { headerAlgorithms } from './algorithms.js'
import { BearerError } from './bearer.js'
import { refuseConfirmation } from './dpop/confirmation.js'
import { verifyJwt } from './jwt.js'

/** The claims of a JWT access token (RFC 9068 §2.2). */
export interface AccessTokenClaims {
  iss: string
  aud: string | string[]
  sub: string
  client_id: string
  /** Epoch seconds, like `iat` and `nbf`. */
  exp: number
  iat: number
  nbf?: number
  jti: string
  scope?: string
  act?: Record<string, unknown>
  [claim: string]: unknown
}

/** A token whose signature, type, issuer and times have been checked. */
export interface AccessToken {
  claims: AccessTokenClaims
  /** The `aud` claim, always as a list. */
  audience: readonly string[]
  /** The scopes in the `scope` claim. */
  scopes: readonly string[]
}

/** The rules that an access token is checked against (RFC 9068 §4). Times are in seconds. */
export interface AccessTokenRules {
  /** The exact value of `iss`. */
  issuer: string
  /** Returns the issuer's key for a token's header; throws when there is none. */
  key: JWTVerifyGetKey
  /** The accepted signature algorithms; `RS256` only by default. `EdDSA` includes its newer name, `Ed25519`. */
  algorithms?: readonly string[]
  /** The tolerated difference between the issuer's clock and this one, in seconds; 5 by default. */
  clock_tolerance?: number
  /** The current time in epoch seconds; the system's by default. */
  now?: number
  /**
   * Accepts a token that is bound to a DPoP key (`cnf.jkt`): only for a caller that compares it with the key of a proof, as a
   * guard with `dpop` does. By default such a token is refused.
   */
  dpop?: boolean
}

/** Errors of jose that are about fetching the keys, and not about the token: they are not a reason to refuse it. */
const KEY_FETCH_ERRORS: ReadonlySet<string> = new Set([
  errors.JWKSTimeout.code,
  errors.JWKSInvalid.code,
  errors.JOSEError.code,
])

/** RFC 7515 §2: no padding and no other characters. Decoders tolerate them, but each token must have only one spelling. */
const BASE64URL_AND_DOTS = /^[\w.-]+$/

/**
 * Checks the signature, `typ`, `iss`, `exp`, `nbf`, and the presence of the claims that RFC 9068 requires. The caller
 * checks the audience. A token that is bound to a key (`cnf`, RFC 7800) is refused, because no proof of the key is checked here;
 * with `rules.dpop`, one that is bound to a DPoP key is not.
 * @throws BearerError `invalid_token`; and any error of `rules.key` when the issuer's keys cannot be fetched.
 */
export async function verifyAccessToken(token: string, rules: AccessTokenRules): Promise<AccessToken> {
  if (!BASE64URL_AND_DOTS.test(token) || !isSignatureCanonical(token))
    throw new BearerError('invalid_token', errors.JWSInvalid.code)
  const payload = await verifyJwt(token, {
    issuer: rules.issuer,
    typ: 'at+jwt',
    key: rules.key,
    algorithms: headerAlgorithms(rules.algorithms ?? ['RS256']),
    clock_tolerance: rules.clock_tolerance ?? 5,
    required_claims: ['iss', 'exp', 'aud', 'sub', 'client_id', 'iat', 'jti'],
    now: Math.floor(rules.now ?? Date.now() / 1000),
  }).catch((cause: unknown) => {
    const isAboutToken = cause instanceof errors.JOSEError && !KEY_FETCH_ERRORS.has(cause.code)
    if (isAboutToken) throw new BearerError('invalid_token', cause.code, cause)
    throw cause
  })
  return accessToken(payload, rules.dpop)
}

/**
 * RFC 4648 §3.5: some bits of the last character may not be part of the signature; decoders ignore them. The characters that
 * have none of these bits are compared: decoding and encoding the signature would take a seventh of the time of an RS256 token.
 */
function isSignatureCanonical(token: string): boolean {
  const last = token.slice(-1)
  const characters = token.length - token.lastIndexOf('.') - 1
  switch (characters % 4) {
    case 0:
      return true
    case 2:
      return 'AQgw'.includes(last)
    case 3:
      return 'AEIMQUYcgkosw048'.includes(last)
    default:
      return false
  }
}

/**
 * Makes an access token from claims whose presence and times have been checked.
 * @param dpop As in `AccessTokenRules`.
 * @throws BearerError for a wrong type, and for a token that is bound to a key.
 */
export function accessToken(payload: Record<string, unknown>, dpop?: boolean): AccessToken {
  const { aud, scope, cnf } = payload
  const audience = Array.isArray(aud) ? aud : [aud]
  const strings = [payload.sub, payload.client_id, payload.jti, ...audience]
  if (!strings.every((value) => typeof value === 'string') || !['string', 'undefined'].includes(typeof scope))
    throw new BearerError('invalid_token', 'malformed_claims')
  refuseConfirmation(cnf, dpop)
  return {
    claims: payload as AccessTokenClaims,
    audience,
    scopes: typeof scope === 'string' ? scope.split(' ').filter(Boolean) : [],
  }
}
