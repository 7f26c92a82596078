/** Verifies a JWT: its signature (RFC 7515 §5.2), its type, and the claims about its issuer and times (RFC 7519 §4.1, §7.2). */

import {
  type CompactVerifyGetKey,
  compactVerify,
  errors,
  type JWTHeaderParameters,
  type JWTPayload,
  type JWTVerifyGetKey,
} from 'jose'
import { decodedText } from '#platform'
import { algorithmNamed, isKeyFor } from './algorithms.js'
import { isSignedBy } from './signature.js'

/** What a JWT is checked against. Times are epoch seconds. */
export interface JwtRules {
  key: JWTVerifyGetKey
  /** The accepted values of `alg`. */
  algorithms: readonly string[]
  typ: string
  issuer: string
  required_claims: readonly string[]
  /** Seconds. */
  clock_tolerance: number
  now: number
}

type JsonObject = Record<string, unknown>

/** A compact JWS whose header is an object, and nothing else is checked. */
interface ParsedJws {
  token: string
  header: JWTHeaderParameters
  /** The three parts, encoded. */
  protected: string
  payload: string
  signature: string
}

/**
 * Verifies a token as jose's `jwtVerify` does, with the same errors. It differs in who checks the signature of an ordinary token:
 * `#platform`, while jose hands every signature to another thread.
 * @param token Characters of base64url, and dots.
 * @throws An error of jose; of `rules.key`; a TypeError for a key or a time that cannot be used.
 */
export async function verifyJwt(token: string, rules: JwtRules): Promise<JWTPayload> {
  const jws = parse(token)
  await checkSignature(jws, rules)
  const claims = jsonObject(jws.payload, errors.JWTInvalid)
  checkClaims(claims, jws.header, rules)
  checkTimes(claims, rules)
  return claims
}

function parse(token: string): ParsedJws {
  const parts = token.split('.')
  const [encoded = '', payload = '', signature = ''] = parts
  if (parts.length !== 3) throw new errors.JWSInvalid('A compact JWS has three parts')
  const header = jsonObject(encoded, errors.JWSInvalid) as JWTHeaderParameters
  return { token, header, protected: encoded, payload, signature }
}

/** @throws JWSInvalid for a part that is not base64url; `Fault` for one that does not encode a JSON object. */
function jsonObject(part: string, Fault: typeof errors.JWSInvalid | typeof errors.JWTInvalid): JsonObject {
  if (part.length % 4 === 1) throw new errors.JWSInvalid('A part of the JWS is not base64url')
  let value: unknown
  try {
    value = JSON.parse(decodedText(part))
  } catch (cause) {
    throw new Fault('A part of the JWT is not JSON', { cause })
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Fault('A part of the JWT is not a JSON object')
  return value as JsonObject
}

async function checkSignature(jws: ParsedJws, rules: JwtRules): Promise<void> {
  const { token, header, signature } = jws
  const { alg, crit } = header
  // jose knows which extensions there are.
  if (crit !== undefined) return checkExtendedSignature(jws, rules)
  if (typeof alg !== 'string' || alg === '') throw new errors.JWSInvalid('The header of the JWS has no alg')
  if (!rules.algorithms.includes(alg))
    throw new errors.JOSEAlgNotAllowed('The alg of the header is not accepted')
  const finding = rules.key(header, jws)
  const key = fitting(finding instanceof CryptoKey ? finding : await finding, alg)
  if (!(key instanceof CryptoKey)) {
    // A key that is not imported yet, such as a JWK.
    await compactVerify(token, key, { algorithms: [alg] })
    return
  }
  if (signature.length % 4 === 1) throw new errors.JWSInvalid('The signature is not base64url')
  const input = token.slice(0, token.lastIndexOf('.'))
  if (!(await isSignedBy(key, { alg, input, signature }))) throw new errors.JWSSignatureVerificationFailed()
}

/** For a token with critical header parameters (RFC 7515 §4.1.11). */
async function checkExtendedSignature({ token, header }: ParsedJws, rules: JwtRules): Promise<void> {
  const find: JWTVerifyGetKey = async (given, jws) => fitting(await rules.key(given, jws), given.alg)
  await compactVerify(token, find as CompactVerifyGetKey, { algorithms: [...rules.algorithms] })
  // RFC 7797 §7.
  if (header.b64 === false) throw new errors.JWTInvalid('The payload of a JWT is encoded')
}

/** A key serves the algorithm of the header, and no other (RFC 8725 §3.1). @throws JOSEAlgNotAllowed */
function fitting<Key>(key: Key, alg: unknown): Key {
  if (key instanceof CryptoKey && !isKeyFor(key.algorithm, algorithmNamed(alg)))
    throw new errors.JOSEAlgNotAllowed('The key is for another algorithm than that of the header')
  return key
}

/** RFC 7515 §4.1.9: `application/` may be left out, and case does not count. */
const mediaType = (typ: string): string => (typ.includes('/') ? typ : `application/${typ}`).toLowerCase()

function checkClaims(claims: JWTPayload, { typ }: JWTHeaderParameters, rules: JwtRules): void {
  if (typeof typ !== 'string' || mediaType(typ) !== mediaType(rules.typ)) throw claimFault(claims, 'typ')
  const missing = rules.required_claims.find((name) => !Object.hasOwn(claims, name))
  if (missing !== undefined) throw claimFault(claims, missing)
  if (claims.iss !== rules.issuer) throw claimFault(claims, 'iss')
}

function checkTimes(claims: JWTPayload, { now, clock_tolerance }: JwtRules): void {
  // Every comparison with NaN would be false.
  if (!Number.isFinite(now) || !Number.isFinite(clock_tolerance) || clock_tolerance < 0)
    throw new TypeError('now and clock_tolerance are numbers of seconds')
  const { nbf, exp } = claims
  for (const name of ['iat', 'nbf', 'exp'])
    if (!['number', 'undefined'].includes(typeof claims[name])) throw claimFault(claims, name)
  if (nbf !== undefined && nbf > now + clock_tolerance) throw claimFault(claims, 'nbf')
  if (exp !== undefined && exp <= now - clock_tolerance)
    throw new errors.JWTExpired('The token has expired', claims, 'exp', 'check_failed')
}

const claimFault = (claims: JWTPayload, name: string): errors.JWTClaimValidationFailed =>
  new errors.JWTClaimValidationFailed(`"${name}" is missing or not valid`, claims, name, 'check_failed')
