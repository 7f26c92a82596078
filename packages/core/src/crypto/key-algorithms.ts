/** The parameters of WebCrypto for the keys and signatures of each algorithm: RFC 7518 §3.3 to §3.5, RFC 8037 §3.1. */

import type { PublicSigningJwk, SigningAlgorithm } from '../storage/storage.js'

const RSA = { modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]), hash: 'SHA-256' }

interface KeyAlgorithm {
  /** Makes and imports keys. */
  key: { name: string; hash?: string; namedCurve?: string }
  signature: { name: string; hash?: string; saltLength?: number }
  /** The public members of a key beside `kty` and `crv`, in the order of the JWKS. */
  members: readonly string[]
}

const KEY_ALGORITHMS: Readonly<Record<SigningAlgorithm, KeyAlgorithm>> = {
  RS256: {
    key: { name: 'RSASSA-PKCS1-v1_5', ...RSA },
    signature: { name: 'RSASSA-PKCS1-v1_5' },
    members: ['n', 'e'],
  },
  PS256: {
    key: { name: 'RSA-PSS', ...RSA },
    signature: { name: 'RSA-PSS', saltLength: 32 },
    members: ['n', 'e'],
  },
  ES256: {
    key: { name: 'ECDSA', namedCurve: 'P-256' },
    signature: { name: 'ECDSA', hash: 'SHA-256' },
    members: ['x', 'y'],
  },
  EdDSA: { key: { name: 'Ed25519' }, signature: { name: 'Ed25519' }, members: ['x'] },
}

/** A new key that can be exported. */
export const generateKeyPair = (alg: SigningAlgorithm): Promise<CryptoKeyPair> =>
  crypto.subtle.generateKey(KEY_ALGORITHMS[alg].key, true, ['sign', 'verify']) as Promise<CryptoKeyPair>

export async function publicJwk(alg: SigningAlgorithm, key: CryptoKey): Promise<PublicSigningJwk> {
  const jwk = (await crypto.subtle.exportKey('jwk', key)) as Record<string, unknown>
  const names = ['kty', ...(jwk.crv === undefined ? [] : ['crv']), ...KEY_ALGORITHMS[alg].members]
  return Object.fromEntries(names.map((name) => [name, jwk[name]])) as unknown as PublicSigningJwk
}

/** The private key, which cannot be exported, and the public key. @throws for a key of another algorithm. */
export const importKeyPair = (
  alg: SigningAlgorithm,
  { pkcs8, public_jwk }: { pkcs8: ArrayBuffer; public_jwk: PublicSigningJwk },
): Promise<[CryptoKey, CryptoKey]> => {
  const { key } = KEY_ALGORITHMS[alg]
  return Promise.all([
    crypto.subtle.importKey('pkcs8', pkcs8, key, false, ['sign']),
    crypto.subtle.importKey('jwk', public_jwk, key, false, ['verify']),
  ])
}

export const signBytes = async (
  alg: SigningAlgorithm,
  key: CryptoKey,
  input: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array> => new Uint8Array(await crypto.subtle.sign(KEY_ALGORITHMS[alg].signature, key, input))
