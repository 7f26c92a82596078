/** The signature algorithms, and which keys fit them. A key serves one algorithm (RFC 8725 §3.1). */

import { importJWK, type JWK } from 'jose'

/** Each algorithm with the members of its public keys (RFC 7518 §6, RFC 8037 §2), and WebCrypto's parameters of a key. */
const ALGORITHMS = {
  RS256: { kty: 'RSA', members: ['n', 'e'], parameters: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' } },
  PS256: { kty: 'RSA', members: ['n', 'e'], parameters: { name: 'RSA-PSS', hash: 'SHA-256' } },
  ES256: {
    kty: 'EC',
    crv: 'P-256',
    members: ['x', 'y'],
    parameters: { name: 'ECDSA', namedCurve: 'P-256' },
  },
  EdDSA: { kty: 'OKP', crv: 'Ed25519', members: ['x'], parameters: { name: 'Ed25519' } },
} as const

/** The signature algorithms that can be accepted (RFC 7518 §3.1, RFC 8037 §3.1). Symmetric ones and `none` cannot. */
export type SignatureAlgorithm = keyof typeof ALGORITHMS

export const SIGNATURE_ALGORITHMS = Object.keys(ALGORITHMS) as readonly SignatureAlgorithm[]

export const isAlgorithm = (value: unknown): value is SignatureAlgorithm =>
  typeof value === 'string' && Object.hasOwn(ALGORITHMS, value)

/** The algorithm that a header or a key names: `Ed25519` is the newer name of `EdDSA` (RFC 9864 §2.2). */
export const algorithmNamed = (name: unknown): unknown => (name === 'Ed25519' ? 'EdDSA' : name)

/** The `alg` of headers for these algorithms. */
export const headerAlgorithms = (algorithms: readonly string[]): string[] =>
  algorithms.includes('EdDSA') ? [...algorithms, 'Ed25519'] : [...algorithms]

/**
 * The one algorithm that a key verifies: the one that it names; otherwise the first that fits its type, which is RS256 for an
 * RSA key, unless only PS256 is accepted. Undefined when none of the accepted ones fits.
 */
export const algorithmOf = (
  jwk: JWK,
  accepted: readonly SignatureAlgorithm[],
): SignatureAlgorithm | undefined =>
  SIGNATURE_ALGORITHMS.find((alg) => accepted.includes(alg) && isOfType(jwk, alg) && mayVerify(jwk, alg))

function isOfType({ kty, crv }: JWK, alg: SignatureAlgorithm): boolean {
  const required = ALGORITHMS[alg]
  return kty === required.kty && (!('crv' in required) || crv === required.crv)
}

/** Whether a key that names an algorithm, a use or operations may verify signatures of this algorithm (RFC 8725 §3.1, RFC 7517 §4). */
export const mayVerify = (jwk: JWK, alg: SignatureAlgorithm): boolean =>
  algorithmNamed(jwk.alg ?? alg) === alg &&
  (jwk.use ?? 'sig') === 'sig' &&
  (jwk.key_ops === undefined || (Array.isArray(jwk.key_ops) && jwk.key_ops.includes('verify')))

const MIN_RSA_BITS = 2048

/**
 * Reads only the public members. Null for a key of another type or curve, for one that says that it serves something else, and
 * for an RSA key that is too short.
 */
export async function importPublicKey(jwk: JWK, alg: SignatureAlgorithm): Promise<CryptoKey | null> {
  if (!isOfType(jwk, alg) || !mayVerify(jwk, alg)) return null
  const { kty, ...required } = ALGORITHMS[alg]
  const members = Object.fromEntries(required.members.map((name) => [name, jwk[name]]))
  const crv = 'crv' in required && { crv: required.crv }
  const key = await importJWK({ kty, ...crv, ...members }, alg).catch(() => null)
  if (key === null || key instanceof Uint8Array) return null
  const { modulusLength = MIN_RSA_BITS } = key.algorithm as { modulusLength?: number }
  return modulusLength >= MIN_RSA_BITS ? key : null
}

/** Whether a key was imported for this algorithm. */
export function isKeyFor(
  found: KeyAlgorithm & { hash?: KeyAlgorithm; namedCurve?: string },
  alg: unknown,
): alg is SignatureAlgorithm {
  if (!isAlgorithm(alg)) return false
  const { name, ...required } = ALGORITHMS[alg].parameters
  if (found.name !== name) return false
  if ('hash' in required) return found.hash?.name === required.hash
  return !('namedCurve' in required) || found.namedCurve === required.namedCurve
}
