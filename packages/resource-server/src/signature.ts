/** Checks one signature of a JWS: RFC 7515 §5.2. */

import { verifySignature } from '#platform'
import { algorithmNamed, isKeyFor } from './algorithms.js'

/** The parts of a compact JWS that a signature is about. */
export interface JwsSignature {
  /** The `alg` of the header. */
  alg: unknown
  /** The encoded header and payload, with the dot between them: ASCII. */
  input: string
  signature: string
}

/** r and s of 32 bytes each (RFC 7518 §3.4), or R and S (RFC 8032 §5.1.6). */
const CURVE_SIGNATURE_BYTES = 64

/**
 * The length of a signature is that of the modulus (RFC 8017 §8.1.2 and §8.2.2), or fixed. OpenSSL also accepts one of RSA-PSS
 * without its leading zeros; and decoders tolerate characters that encode nothing. A signature has only one spelling here.
 */
function isWellFormed(signature: string, modulusLength: number | undefined): boolean {
  const bytes = modulusLength === undefined ? CURVE_SIGNATURE_BYTES : Math.ceil(modulusLength / 8)
  return signature.length === Math.ceil((bytes * 4) / 3) && /^[\w-]+$/.test(signature)
}

/** A shorter RSA key is refused (RFC 7518 §3.3). */
const MIN_RSA_BITS = 2048

/**
 * Whether the key serves the algorithm and has made the signature.
 * @throws TypeError for a key that must not be used: one without the usage `verify`, which no private key has, and a short RSA key.
 */
export async function isSignedBy(key: CryptoKey, { alg, input, signature }: JwsSignature): Promise<boolean> {
  const name = algorithmNamed(alg)
  if (!isKeyFor(key.algorithm, name)) return false
  const { modulusLength } = key.algorithm as { modulusLength?: number }
  const is_short = modulusLength !== undefined && modulusLength < MIN_RSA_BITS
  if (!key.usages.includes('verify') || is_short)
    throw new TypeError(
      'The key is not a public key that may verify, or it is an RSA key of less than 2048 bits',
    )
  if (!isWellFormed(signature, modulusLength)) return false
  try {
    return await verifySignature({ alg: name, key, input, signature })
  } catch {
    // Node and Bun return false for every signature. Another runtime may throw for one that cannot be the key's.
    return false
  }
}
