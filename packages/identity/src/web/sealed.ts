/** Values that the browser or the storage carries: encrypted and authenticated with keys derived from the provider's secret. */

import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

const SALT_BYTES = 16
const IV_BYTES = 12
const TAG_BYTES = 16

export interface SealerSecrets {
  secret: string
  /** Still opens values, and seals none. */
  previous_secret?: string
}

export interface Opened {
  value: unknown
  /** False when the previous secret has opened it: seal the value again. */
  is_current: boolean
}

/** Seals and opens values of one use. The context is what a value belongs to, e.g. the realm, the `sub` and the factor's id. */
export interface Sealer {
  /** The value as base64url. @param value What JSON can express. It grows by 44 bytes, and then by a third. */
  seal(value: unknown, context: string[]): string
  /** Null for a text of another use, another context or another secret, and for any text that `seal` did not return. Never throws. */
  open(text: string, context: string[]): Opened | null
}

/** Each use has its own key (HKDF, RFC 5869), so that a value sealed for one use does not open for another. */
export function createSealer({ secret, previous_secret }: SealerSecrets, use: string): Sealer {
  const current = useKey(secret, use)
  const keys = previous_secret === undefined ? [current] : [current, useKey(previous_secret, use)]
  return {
    seal: (value, context) => encrypt(JSON.stringify(value), current, context),
    open(text, context) {
      const bytes = Buffer.from(text, 'base64url')
      // The decoder ignores other characters and unused bits: a value has one text.
      if (bytes.toString('base64url') !== text) return null
      for (const key of keys) {
        const opened = decrypt(bytes, key, context)
        if (opened !== null) return { value: opened.value, is_current: key === current }
      }
      return null
    },
  }
}

const useKey = (secret: string, use: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, '', `ostiary/identity/sealed/${use}`, 32))

/**
 * Each value has its own salt and derived key, as the sealed values of core have, so that the number of values is not limited by the
 * random IVs of one key (NIST SP 800-38D §8.3).
 */
const valueKey = (key: Buffer, salt: Uint8Array): Buffer => createHmac('sha256', key).update(salt).digest()

// JSON keeps the values apart: the contexts ['a', 'bc'] and ['ab', 'c'] differ.
const additionalData = (context: string[]): Buffer => Buffer.from(JSON.stringify(context))

/** Salt, IV, ciphertext and tag. */
function encrypt(text: string, key: Buffer, context: string[]): string {
  const salt = randomBytes(SALT_BYTES)
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv('aes-256-gcm', valueKey(key, salt), iv, { authTagLength: TAG_BYTES })
  cipher.setAAD(additionalData(context))
  const ciphertext = [cipher.update(text, 'utf8'), cipher.final()]
  return Buffer.concat([salt, iv, ...ciphertext, cipher.getAuthTag()]).toString('base64url')
}

function decrypt(bytes: Buffer, key: Buffer, context: string[]): { value: unknown } | null {
  const iv = bytes.subarray(SALT_BYTES, SALT_BYTES + IV_BYTES)
  try {
    const derived = valueKey(key, bytes.subarray(0, SALT_BYTES))
    const decipher = createDecipheriv('aes-256-gcm', derived, iv, { authTagLength: TAG_BYTES })
    decipher.setAAD(additionalData(context))
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
    const first = decipher.update(bytes.subarray(SALT_BYTES + IV_BYTES, -TAG_BYTES))
    return { value: JSON.parse(Buffer.concat([first, decipher.final()]).toString()) }
  } catch {
    return null
  }
}
