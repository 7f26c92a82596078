/** The issuer's published keys: RFC 7517. */

import type { JWK, JWTVerifyGetKey } from 'jose'
import { algorithmNamed, algorithmOf, importPublicKey, type SignatureAlgorithm } from './algorithms.js'
import { BearerError } from './bearer.js'
import { cachedValue, type Freshness } from './cached-value.js'
import type { Issuer } from './issuer.js'
import { IssuerUnavailableError } from './unavailable.js'

/** More keys of a set are ignored. */
const MAX_KEYS = 100

/** The keys by algorithm and `kid`. */
type KeySet = ReadonlyMap<string, CryptoKey>

const nameOf = (kid: string, alg: unknown): string => `${alg} ${kid}`

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

  const read = async (name: string): Promise<CryptoKey> => {
    const key = (await keys.get()).get(name) ?? (await keys.renew()).get(name)
    if (!key) throw new BearerError('invalid_token', 'unknown_key')
    return key
  }
  return ({ kid, alg }) => {
    if (typeof kid !== 'string') throw new BearerError('invalid_token', 'unknown_key')
    const name = nameOf(kid, algorithmNamed(alg))
    return keys.fresh()?.get(name) ?? read(name)
  }
}

async function keySet(jwks: unknown, algorithms: readonly SignatureAlgorithm[]): Promise<KeySet> {
  const keys = new Map<string, CryptoKey>()
  if (!Array.isArray(jwks)) return keys
  for (const jwk of jwks.slice(0, MAX_KEYS)) {
    const alg = isKey(jwk) && algorithmOf(jwk, algorithms)
    if (!alg || keys.has(nameOf(jwk.kid, alg))) continue
    const key = await importPublicKey(jwk, alg)
    if (key) keys.set(nameOf(jwk.kid, alg), key)
  }
  return keys
}

function isKey(value: unknown): value is JWK & { kid: string } {
  if (typeof value !== 'object' || value === null) return false
  return typeof (value as { kid?: unknown }).kid === 'string'
}
