/** Keys derived from the provider's secret with HKDF (RFC 5869), one for each purpose. */

import { utf8 } from '../util/base64url.js'

/** The keys that are derived from one secret. */
export interface DerivedKeys {
  /** AES-256-GCM, encrypts private keys. */
  seal: CryptoKey
  /** A key for HMAC-SHA-256, derives the refresh token that replaces a spent one. */
  rotation: Uint8Array
  /** A key for HMAC-SHA-256, derives the keys that encrypt authorization requests. */
  requests: Uint8Array
  /** A key for HMAC-SHA-256, derives the client_id of a public client that registers itself. */
  registrations: Uint8Array
  /** A key for HMAC-SHA-256, derives the keys of the nonces for DPoP proofs. */
  nonces: Uint8Array
}

/** The derived keys of a provider. Everything is encrypted with these; what the previous secret encrypted is decrypted too. */
export interface Secrets extends DerivedKeys {
  /** Null when the secret was not changed. */
  previous: DerivedKeys | null
  /** `seal` of the current secret, then that of the previous one. */
  seals: readonly CryptoKey[]
}

/** @param previous_secret The secret before its last change. */
export async function deriveSecrets(secret: string, previous_secret?: string): Promise<Secrets> {
  const [current, previous] = await Promise.all([
    derivedKeys(secret),
    previous_secret === undefined ? null : derivedKeys(previous_secret),
  ])
  const seals = previous === null ? [current.seal] : [current.seal, previous.seal]
  return { ...current, previous, seals }
}

/** The keys of the current secret, and those of the previous one. */
export const allKeys = (secrets: Secrets): readonly DerivedKeys[] =>
  secrets.previous === null ? [secrets] : [secrets, secrets.previous]

async function derivedKeys(secret: string): Promise<DerivedKeys> {
  const usages: KeyUsage[] = ['deriveKey', 'deriveBits']
  const master = await crypto.subtle.importKey('raw', utf8(secret), 'HKDF', false, usages)
  const hkdf = (purpose: string) => ({
    name: 'HKDF',
    hash: 'SHA-256',
    salt: utf8('ostiary'),
    info: utf8(purpose),
  })
  const bits = (purpose: string) => crypto.subtle.deriveBits(hkdf(purpose), master, 256)
  const [seal, rotation, requests, registrations, nonces] = await Promise.all([
    crypto.subtle.deriveKey(hkdf('signing keys'), master, { name: 'AES-GCM', length: 256 }, false, [
      'encrypt',
      'decrypt',
    ]),
    bits('refresh tokens'),
    bits('authorization requests'),
    bits('registrations'),
    bits('DPoP nonces'),
  ])
  return {
    seal,
    rotation: new Uint8Array(rotation),
    requests: new Uint8Array(requests),
    registrations: new Uint8Array(registrations),
    nonces: new Uint8Array(nonces),
  }
}
