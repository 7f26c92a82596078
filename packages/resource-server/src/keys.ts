/** The issuer's published keys: RFC 7517. */

import { importJWK, type JWK, type JWTVerifyGetKey } from 'jose'
import { BearerError } from './bearer.js'
import { cachedValue, type Freshness } from './cached-value.js'
import type { Issuer } from './issuer.js'
import { IssuerUnavailableError } from './unavailable.js'

/** Each algorithm with the parameters of its keys, and their public members; private members are ignored. */
const ALGORITHMS = {
  RS256: { kty: 'RSA', members: ['n', 'e'] },
  PS256: { kty: 'RSA', members: ['n', 'e'] },
  ES256: { kty: 'EC', crv: 'P-256', members: ['x', 'y'] },
  EdDSA: { kty: 'OKP', crv: 'Ed25519', members: ['x'] },
} as const

/** The signature algorithms that can be accepted (RFC 7518 §3.1, RFC 8037 §3.1). Symmetric ones and `none` cannot. */
export type SignatureAlgorithm = keyof typeof ALGORITHMS

export const isAlgorithm = (value: unknown): value is SignatureAlgorithm =>
  typeof value === 'string' && Object.hasOwn(ALGORITHMS, value)

/** More keys of a set are ignored. */
const MAX_KEYS = 100
const MIN_RSA_BITS = 2048

/** The keys by algorithm and `kid`. */
type KeySet = ReadonlyMap<string, CryptoKey>

const nameOf = (kid: string, alg: string): string => `${alg} ${kid}`

/** Returns a function that finds the key for a token's header. It throws BearerError and IssuerUnavailableError. */
export function issuerKeys(
  issuer: Issuer,
  algorithms: readonly SignatureAlgorithm[],
  freshness: Freshness,
): JWTVerifyGetKey {
  const keys = cachedValue(async () => {
    const url = await issuer.endpoint('jwks_uri')
    const set = await keySet((await issuer.fetchJson(url)).keys, algorithms)
    // A response without a usable key must not replace good keys.
    if (set.size === 0)
      throw new IssuerUnavailableError(`${url} has no key that could verify ${algorithms.join(' or ')}`)
    return set
  }, freshness)

  return async ({ kid, alg }) => {
    if (typeof kid !== 'string') throw new BearerError('invalid_token', 'unknown_key')
    const name = nameOf(kid, alg)
    const key = (await keys.get()).get(name) ?? (await keys.renew()).get(name)
    if (!key) throw new BearerError('invalid_token', 'unknown_key')
    return key
  }
}

async function keySet(jwks: unknown, algorithms: readonly SignatureAlgorithm[]): Promise<KeySet> {
  const keys = new Map<string, CryptoKey>()
  if (!Array.isArray(jwks)) return keys
  for (const jwk of jwks.slice(0, MAX_KEYS)) {
    for (const alg of algorithms) {
      const key = await publicKey(jwk, alg)
      if (key && !keys.has(nameOf(jwk.kid, alg))) keys.set(nameOf(jwk.kid, alg), key)
    }
  }
  return keys
}

/** Null for a published key that cannot be used with this algorithm. */
async function publicKey(jwk: unknown, alg: SignatureAlgorithm): Promise<CryptoKey | null> {
  if (!isKey(jwk)) return null
  if ((jwk.alg ?? alg) !== alg || (jwk.use ?? 'sig') !== 'sig') return null
  if (jwk.key_ops !== undefined && !jwk.key_ops.includes('verify')) return null
  return importPublicKey(jwk, alg)
}

/** Reads only the public members. Null for a key of another type or curve, and for an RSA key that is too short. */
export async function importPublicKey(jwk: JWK, alg: SignatureAlgorithm): Promise<CryptoKey | null> {
  const required = ALGORITHMS[alg]
  if (jwk.kty !== required.kty || ('crv' in required && jwk.crv !== required.crv)) return null
  const members = Object.fromEntries(required.members.map((name) => [name, jwk[name]]))
  const key = await importJWK({ kty: jwk.kty, ...(jwk.crv && { crv: jwk.crv }), ...members }, alg).catch(
    () => null,
  )
  if (key === null || key instanceof Uint8Array) return null
  const { modulusLength = MIN_RSA_BITS } = key.algorithm as { modulusLength?: number }
  return modulusLength >= MIN_RSA_BITS ? key : null
}

function isKey(value: unknown): value is JWK & { kid: string } {
  if (typeof value !== 'object' || value === null) return false
  const { kid, key_ops } = value as { kid?: unknown; key_ops?: unknown }
  return typeof kid === 'string' && (key_ops === undefined || Array.isArray(key_ops))
}
