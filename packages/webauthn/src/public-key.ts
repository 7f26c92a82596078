/** The public key of a passkey: Ed25519, P-256 or RSA, as SPKI. */

import { createPublicKey, type JsonWebKey, type KeyObject, verify } from 'node:crypto'

/** COSE algorithms in the order of preference: Ed25519, ECDSA with P-256 and SHA-256, RSASSA-PKCS1-v1_5 with SHA-256 (RFC 9053, RFC 8812). */
export const PASSKEY_ALGORITHMS = [-8, -7, -257] as const
/** A COSE algorithm (RFC 9053) of {@link PASSKEY_ALGORITHMS}. */
export type PasskeyAlgorithm = (typeof PASSKEY_ALGORITHMS)[number]

/** Whether it is one of {@link PASSKEY_ALGORITHMS}. */
export const isAlgorithm = (value: unknown): value is PasskeyAlgorithm =>
  PASSKEY_ALGORITHMS.some((algorithm) => algorithm === value)

export const MAX_KEY_BYTES = 2048
const MIN_RSA_BITS = 2048
const MAX_RSA_BITS = 4096
/** 65537, base64url. A key with another one is weak or slow to use, and no authenticator makes one. */
const RSA_EXPONENT = 'AQAB'

export interface PublicKey {
  key: KeyObject
  jwk: JsonWebKey
}

/**
 * The key of an SPKI, if it is one for the algorithm. Null for other keys and for other spellings of the same key: a compressed point,
 * bytes after the end.
 */
export function publicKeyOf(spki: Buffer, algorithm: PasskeyAlgorithm): PublicKey | null {
  try {
    const key = createPublicKey({ key: spki, format: 'der', type: 'spki' })
    const jwk = key.export({ format: 'jwk' })
    const one_spelling = createPublicKey({ key: jwk, format: 'jwk' }).export({ format: 'der', type: 'spki' })
    return isFor(jwk, algorithm) && one_spelling.equals(spki) ? { key, jwk } : null
  } catch {
    return null
  }
}

function isFor({ kty, crv, e, n }: JsonWebKey, algorithm: PasskeyAlgorithm): boolean {
  if (algorithm === -8) return kty === 'OKP' && crv === 'Ed25519'
  if (algorithm === -7) return kty === 'EC' && crv === 'P-256'
  const bits = bitLength(n)
  return kty === 'RSA' && e === RSA_EXPONENT && bits >= MIN_RSA_BITS && bits <= MAX_RSA_BITS
}

function bitLength(base64url = ''): number {
  const bytes = Buffer.from(base64url, 'base64url')
  // clz32 counts the zero bits of 32, of which a byte has the last 8.
  return bytes.length * 8 - (Math.clz32(bytes[0] ?? 0) - 24)
}

/** ECDSA signatures are DER (Level 3 §6.5.5). False for each text of bytes that is no signature. */
export function isSigned(key: KeyObject, signed: { bytes: Buffer; signature: Buffer }): boolean {
  const digest = key.asymmetricKeyType === 'ed25519' ? null : 'sha256'
  try {
    return verify(digest, signed.bytes, { key, dsaEncoding: 'der' }, signed.signature)
  } catch {
    return false
  }
}
