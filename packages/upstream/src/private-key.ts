/** The private key with which this server authenticates at an upstream. */

import { createPrivateKey, type webcrypto } from 'node:crypto'

type CryptoKey = webcrypto.CryptoKey

const ALGORITHMS = {
  ES256: { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' },
  RS256: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
  EdDSA: { name: 'Ed25519' },
} as const

export type KeyAlgorithm = keyof typeof ALGORITHMS

/** The algorithm with which the key signs; null for a text that is no key, or not one of these. @param pem PKCS #8. */
export function keyAlgorithm(pem: string): KeyAlgorithm | null {
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = createPrivateKey(pem)
    if (asymmetricKeyType === 'rsa') return 'RS256'
    if (asymmetricKeyType === 'ed25519') return 'EdDSA'
    return asymmetricKeyDetails?.namedCurve === 'prime256v1' ? 'ES256' : null
  } catch {
    return null
  }
}

/** @param pem With this algorithm. */
export function signingKey(pem: string, alg: KeyAlgorithm): Promise<CryptoKey> {
  const pkcs8 = createPrivateKey(pem).export({ type: 'pkcs8', format: 'der' })
  return crypto.subtle.importKey('pkcs8', pkcs8, ALGORITHMS[alg], false, ['sign'])
}

/** A JWT, signed with ES256 (RFC 7515 §3.1, RFC 7518 §3.4). */
export async function es256Jwt(header: object, claims: object, key: CryptoKey): Promise<string> {
  const signed = [{ alg: 'ES256', ...header }, claims]
    .map((part) => base64url(JSON.stringify(part)))
    .join('.')
  const signature = await crypto.subtle.sign(ALGORITHMS.ES256, key, Buffer.from(signed))
  return `${signed}.${base64url(new Uint8Array(signature))}`
}

const base64url = (data: string | Uint8Array): string => Buffer.from(data as Uint8Array).toString('base64url')
