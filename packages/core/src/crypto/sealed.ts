/** Values that the browser carries: encrypted and authenticated, so that only this provider can make or read one. */

import { base64url as jose } from 'jose'
import { base64url, utf8, utf8Text } from '../util/base64url.js'
import { hmacBytes, type Random } from '../util/secret.js'

const SALT_BYTES = 16
const IV_BYTES = 12

export interface SealOptions {
  /** 256 bits. */
  secret: Uint8Array
  /** The purpose of the value, with its realm: a value that was sealed for another purpose does not open. */
  use: string
}

/**
 * Returns base64url: salt, IV, ciphertext and tag. Each value is encrypted with its own derived key, so that the number of
 * values is not limited by the random IVs of one key (NIST SP 800-38D §8.3).
 */
export async function seal(value: object, options: SealOptions, random: Random): Promise<string> {
  const nonce = Uint8Array.from(random(SALT_BYTES + IV_BYTES))
  const plaintext = utf8(JSON.stringify(value))
  const ciphertext = await crypto.subtle.encrypt(
    parameters(nonce, options),
    await sealingKey(nonce, options),
    plaintext,
  )
  const bytes = new Uint8Array(nonce.length + ciphertext.byteLength)
  bytes.set(nonce)
  bytes.set(new Uint8Array(ciphertext), nonce.length)
  return base64url(bytes)
}

/** The value of a text from `seal` with the same options; null for any other text. */
export async function unseal<T>(text: string, options: SealOptions): Promise<T | null> {
  try {
    const bytes = Uint8Array.from(jose.decode(text))
    const nonce = bytes.subarray(0, SALT_BYTES + IV_BYTES)
    const ciphertext = bytes.subarray(nonce.length)
    const plaintext = await crypto.subtle.decrypt(
      parameters(nonce, options),
      await sealingKey(nonce, options),
      ciphertext,
    )
    return JSON.parse(utf8Text(plaintext))
  } catch {
    return null
  }
}

const parameters = (nonce: Uint8Array<ArrayBuffer>, { use }: SealOptions): AesGcmParams => ({
  name: 'AES-GCM',
  iv: nonce.subarray(SALT_BYTES),
  additionalData: utf8(use),
})

function sealingKey(nonce: Uint8Array, { secret }: SealOptions): Promise<CryptoKey> {
  const raw = Uint8Array.from(hmacBytes(secret, nonce.subarray(0, SALT_BYTES)))
  return crypto.subtle.importKey('raw', raw, 'AES-GCM', false, ['encrypt', 'decrypt'])
}
