/** Values that the browser carries: encrypted and authenticated, so that only this provider can make or read one. */

import { base64url as jose } from 'jose'
import { base64url } from '../protocol/base64url.js'
import { hmacBytes, type Random } from '../protocol/secret.js'

const utf8 = new TextEncoder()
const SALT_BYTES = 16
const IV_BYTES = 12

export interface SealOptions {
  /** 256 bits. */
  secret: Uint8Array
  /** The purpose of the value, with its realm: a value that was sealed for another purpose does not open. */
  use: string
}

/** Returns base64url. Each value has a key of its own, so any number of values may be sealed (NIST SP 800-38D §8.3). */
export async function seal(value: object, options: SealOptions, random: Random): Promise<string> {
  const nonce = Uint8Array.from(random(SALT_BYTES + IV_BYTES))
  const text = utf8.encode(JSON.stringify(value))
  const sealed = await crypto.subtle.encrypt(
    parameters(nonce, options),
    await sealingKey(nonce, options),
    text,
  )
  const whole = new Uint8Array(nonce.length + sealed.byteLength)
  whole.set(nonce)
  whole.set(new Uint8Array(sealed), nonce.length)
  return base64url(whole)
}

/** Null for a text that this provider has not sealed for this purpose. */
export async function unseal<T>(text: string, options: SealOptions): Promise<T | null> {
  try {
    const whole = Uint8Array.from(jose.decode(text))
    const nonce = whole.subarray(0, SALT_BYTES + IV_BYTES)
    const sealed = whole.subarray(nonce.length)
    const opened = await crypto.subtle.decrypt(
      parameters(nonce, options),
      await sealingKey(nonce, options),
      sealed,
    )
    return JSON.parse(new TextDecoder().decode(opened))
  } catch {
    return null
  }
}

const parameters = (nonce: Uint8Array<ArrayBuffer>, { use }: SealOptions): AesGcmParams => ({
  name: 'AES-GCM',
  iv: nonce.subarray(SALT_BYTES),
  additionalData: utf8.encode(use),
})

function sealingKey(nonce: Uint8Array, { secret }: SealOptions): Promise<CryptoKey> {
  const raw = Uint8Array.from(hmacBytes(secret, nonce.subarray(0, SALT_BYTES)))
  return crypto.subtle.importKey('raw', raw, 'AES-GCM', false, ['encrypt', 'decrypt'])
}
