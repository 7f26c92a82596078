/** The assertion of a client that authenticates with private_key_jwt: RFC 7523 §3, RFC 8725. Its signature is checked elsewhere. */

import { base64url as decoder } from 'jose'
import type { AssertionPolicy } from '../../realm/policy.js'
import type { DocumentReason } from '../../refusals/document-error.js'
import type { AssertionAlgorithm } from '../../util/assertion-algorithms.js'
import { utf8Text } from '../../util/base64url.js'
import { parseUniqueJson } from '../../util/unique-json.js'

export const JWT_BEARER = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

const MAX_ASSERTION_CHARACTERS = 8192
const MAX_JTI_CHARACTERS = 255
/** Seconds. */
const MAX_AHEAD = 60
const EXPIRY_LEEWAY = 5

/** In lower case, without `application/`. */
const TYPES = ['jwt', 'client-authentication+jwt', 'oauth-client-auth+jwt']

/** Every client_id matches, and is not longer; other texts are not looked up. */
const CLIENT_ID = /^[\x21-\x7e]+$/
const MAX_CLIENT_ID_CHARACTERS = 2048

/** An assertion whose signature and claims are not checked yet. */
export interface ClientAssertion {
  /** The compact JWS. */
  token: string
  alg: AssertionAlgorithm
  kid: string | null
  /** The `sub`: the client that the assertion is for. */
  client_id: string
  claims: Readonly<Record<string, unknown>>
}

/** Why an assertion is refused, for events. */
export type AssertionFault =
  | 'malformed_assertion'
  | 'assertion_type'
  | 'assertion_algorithm'
  | 'unknown_assertion_key'
  | `assertion_keys_${DocumentReason}`
  | 'assertion_signature'
  | 'assertion_issuer'
  | 'assertion_audience'
  | 'assertion_expired'
  | 'assertion_lifetime'
  | 'assertion_not_yet_valid'
  | 'assertion_id'
  | 'assertion_replayed'

/**
 * Reads the header and the claims. The header's own keys (`jwk`, `jku`, `x5u`, `x5c`) are ignored: only the client's
 * registered keys count (RFC 8725 §3.10).
 * @param algorithms Those that the realm accepts.
 */
export function parseAssertion(
  token: string,
  algorithms: readonly AssertionAlgorithm[],
): ClientAssertion | AssertionFault {
  if (token.length > MAX_ASSERTION_CHARACTERS) return 'malformed_assertion'
  const parts = token.split('.')
  const [header, claims] = parts.slice(0, 2).map(jsonObject)
  if (parts.length !== 3 || !header || !claims || !/^[\w-]+$/.test(parts[2] ?? ''))
    return 'malformed_assertion'
  const { alg: named, kid, typ } = header
  const is_kid = kid === undefined || typeof kid === 'string'
  // No extension is understood, so every critical one is refused (RFC 7515 §4.1.11).
  if ('crit' in header || !is_kid) return 'malformed_assertion'
  if (!isAcceptedType(typ)) return 'assertion_type'
  const alg = algorithms.find((known) => known === named)
  if (alg === undefined) return 'assertion_algorithm'
  const { sub } = claims
  if (typeof sub !== 'string' || sub.length > MAX_CLIENT_ID_CHARACTERS || !CLIENT_ID.test(sub))
    return 'malformed_assertion'
  return { token, alg, kid: kid ?? null, client_id: sub, claims }
}

function jsonObject(part: string): Record<string, unknown> | null {
  try {
    if (!/^[\w-]+$/.test(part)) return null
    const value = parseUniqueJson(utf8Text(decoder.decode(part)))
    const is_object = typeof value === 'object' && value !== null && !Array.isArray(value)
    return is_object ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}

/** Tokens of another kind have another `typ`: none of them is an assertion (RFC 8725 §3.11). */
function isAcceptedType(typ: unknown): boolean {
  if (typ === undefined) return true
  return typeof typ === 'string' && TYPES.includes(typ.toLowerCase().replace(/^application\//, ''))
}

/** The request that an assertion comes with. */
export interface AssertionUse {
  /** The accepted values of `aud`, exactly as discovery publishes them. */
  audiences: readonly string[]
  /** Epoch seconds. */
  now: number
}

/** What is wrong with the claims, or null. */
export function assertionClaimsFault(
  { client_id, claims }: ClientAssertion,
  { aud_list, max_lifetime }: AssertionPolicy,
  { audiences, now }: AssertionUse,
): AssertionFault | null {
  const { iss, aud, exp, iat, nbf, jti } = claims
  if (iss !== client_id) return 'assertion_issuer'
  const audience: unknown = aud_list && Array.isArray(aud) && aud.length === 1 ? aud[0] : aud
  if (!audiences.some((accepted) => accepted === audience)) return 'assertion_audience'
  if (typeof exp !== 'number' || exp + EXPIRY_LEEWAY <= now) return 'assertion_expired'
  if (exp > now + max_lifetime) return 'assertion_lifetime'
  if (![iat, nbf].every((time) => isAbsentOrPast(time, now + MAX_AHEAD))) return 'assertion_not_yet_valid'
  const is_id = typeof jti === 'string' && jti !== '' && jti.length <= MAX_JTI_CHARACTERS
  return is_id ? null : 'assertion_id'
}

const isAbsentOrPast = (time: unknown, limit: number): boolean =>
  time === undefined || (typeof time === 'number' && time <= limit)

/** The use of a valid assertion, as a text that no other client and no other `jti` has. */
export const assertionUse = ({ client_id, claims }: ClientAssertion): string =>
  JSON.stringify(['client_assertion', client_id, claims.jti])

/** When a valid assertion is refused because of its age, epoch seconds: from then on its use need not be remembered. */
export const assertionEnd = ({ claims }: ClientAssertion): number =>
  Math.ceil(claims.exp as number) + EXPIRY_LEEWAY
