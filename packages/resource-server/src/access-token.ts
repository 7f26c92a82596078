/** Validation of JWT access tokens: RFC 9068 §4. */

import { base64url, errors, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { BearerError } from './bearer.js'

/** RFC 9068 §2.2. */
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

/** A token whose signature, type, issuer and times were checked. */
export interface AccessToken {
  claims: AccessTokenClaims
  /** `aud`, always a list. */
  audience: readonly string[]
  scopes: readonly string[]
}

/** What an access token is checked against (RFC 9068 §4). Times are in seconds. */
export interface AccessTokenRules {
  /** What `iss` must be, exactly. */
  issuer: string
  /** The issuer's key for a token's header; throws when there is none. */
  key: JWTVerifyGetKey
  /** `RS256` alone by default. */
  algorithms?: string[]
  /** Seconds; 5 by default. */
  clock_tolerance?: number
  /** Epoch seconds. */
  now?: number
}

/** The issuer's keys could not be had: that says nothing about the token, so it is not refused for it. */
const UNREACHABLE_KEYS: ReadonlySet<string> = new Set([
  errors.JWKSTimeout.code,
  errors.JWKSInvalid.code,
  errors.JOSEError.code,
])

/** RFC 7515 §2: no padding and no other letters, which decoders forgive; one token has one spelling. */
const BASE64URL_AND_DOTS = /^[\w.-]+$/

/**
 * Checks signature, `typ`, `iss`, `exp`, `nbf` and the presence of what RFC 9068 requires. The audience is the
 * caller's to check.
 * @throws BearerError `invalid_token`; what `key` throws when the issuer's keys cannot be had.
 */
export async function verifyAccessToken(token: string, rules: AccessTokenRules): Promise<AccessToken> {
  if (!BASE64URL_AND_DOTS.test(token) || !isSignatureCanonical(token))
    throw new BearerError('invalid_token', errors.JWSInvalid.code)
  const verified = await jwtVerify(token, rules.key, {
    issuer: rules.issuer,
    typ: 'at+jwt',
    algorithms: rules.algorithms ?? ['RS256'],
    clockTolerance: rules.clock_tolerance ?? 5,
    requiredClaims: ['exp', 'aud', 'sub', 'client_id', 'iat', 'jti'],
    ...(rules.now === undefined ? {} : { currentDate: new Date(rules.now * 1000) }),
  }).catch((cause: unknown) => {
    const token = cause instanceof errors.JOSEError && !UNREACHABLE_KEYS.has(cause.code)
    if (token) throw new BearerError('invalid_token', cause.code, cause)
    throw cause
  })
  return accessToken(verified.payload)
}

/** RFC 4648 §3.5: the last letter may have bits that no byte of the signature uses, and decoders ignore them. */
function isSignatureCanonical(token: string): boolean {
  const signature = token.slice(token.lastIndexOf('.') + 1)
  try {
    return base64url.encode(base64url.decode(signature)) === signature
  } catch {
    return false
  }
}

/** Claims whose presence and times were checked. @throws BearerError for one that has the wrong type. */
export function accessToken(payload: Record<string, unknown>): AccessToken {
  const { aud, scope } = payload
  const audience = Array.isArray(aud) ? aud : [aud]
  const strings = [payload.sub, payload.client_id, payload.jti, ...audience]
  if (!strings.every((value) => typeof value === 'string') || !['string', 'undefined'].includes(typeof scope))
    throw new BearerError('invalid_token', 'malformed_claims')
  return {
    claims: payload as AccessTokenClaims,
    audience,
    scopes: typeof scope === 'string' ? scope.split(' ').filter(Boolean) : [],
  }
}
