/** The keys in proofs. A client signs many proofs with one key, so that the keys of recent proofs are kept. */

import { calculateJwkThumbprint, type JWK } from 'jose'
import { importPublicKey, mayVerify, type SignatureAlgorithm } from '../algorithms.js'

/** A public key for one algorithm, and its SHA-256 thumbprint (RFC 7638). */
export interface ProofKey {
  key: CryptoKey
  jkt: string
}

/** A key never changes, so that none has to be forgotten for another reason than its place. */
const MAX_KEPT_KEYS = 1000
const kept = new Map<string, ProofKey>()

/** Null for a key that does not fit the algorithm, or says that it serves something else. */
export async function proofKey(jwk: JWK, alg: SignatureAlgorithm): Promise<ProofKey | null> {
  // The kept keys are named without what a key says of itself.
  if (!mayVerify(jwk, alg)) return null
  const { kty, crv, n, e, x, y } = jwk
  const name = JSON.stringify([alg, kty, crv, n, e, x, y])
  const known = kept.get(name)
  if (known) return known
  const key = await importPublicKey(jwk, alg)
  if (key === null) return null
  const found = { key, jkt: await calculateJwkThumbprint(jwk) }
  const [oldest] = kept.keys()
  if (oldest !== undefined && kept.size >= MAX_KEPT_KEYS) kept.delete(oldest)
  kept.set(name, found)
  return found
}
