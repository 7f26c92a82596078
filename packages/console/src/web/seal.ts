/** What the console stores in rows and cookies: encrypted and authenticated (AES-256-GCM), with a key of its own for each value. */

import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'

/** The secret of the server, and the one before. */
export interface Secrets {
  secret: string
  previous_secret?: string | undefined
}

/** Seals values. `context` is what a value belongs to: it opens in the same one alone. */
export interface Sealer {
  seal(value: unknown, context: string): string
  /** Null for any text that `seal` did not return. */
  open(text: string, context: string): unknown
}

const SALT_BYTES = 16
const IV_BYTES = 12
const TAG_BYTES = 16

export function createSealer({ secret, previous_secret }: Secrets): Sealer {
  const keys = [secret, ...(previous_secret === undefined ? [] : [previous_secret])].map(keyOf)
  return {
    seal: (value, context) => encrypt(JSON.stringify(value), keys[0] as Buffer, context),
    open(text, context) {
      const bytes = Buffer.from(text, 'base64url')
      // The decoder ignores other characters and unused bits: a value has one text.
      if (bytes.toString('base64url') !== text) return null
      for (const key of keys) {
        const opened = decrypt(bytes, key, context)
        if (opened !== null) return opened.value
      }
      return null
    },
  }
}

const keyOf = (secret: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, '', 'ostiary/console/sealed', 32))

/** The number of values is not limited by the random IVs of one key (NIST SP 800-38D §8.3). */
const valueKey = (key: Buffer, salt: Uint8Array): Buffer => createHmac('sha256', key).update(salt).digest()

function encrypt(text: string, key: Buffer, context: string): string {
  const salt = randomBytes(SALT_BYTES)
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv('aes-256-gcm', valueKey(key, salt), iv, { authTagLength: TAG_BYTES })
  cipher.setAAD(Buffer.from(context))
  const ciphertext = [cipher.update(text, 'utf8'), cipher.final()]
  return Buffer.concat([salt, iv, ...ciphertext, cipher.getAuthTag()]).toString('base64url')
}

function decrypt(bytes: Buffer, key: Buffer, context: string): { value: unknown } | null {
  const iv = bytes.subarray(SALT_BYTES, SALT_BYTES + IV_BYTES)
  try {
    const derived = valueKey(key, bytes.subarray(0, SALT_BYTES))
    const decipher = createDecipheriv('aes-256-gcm', derived, iv, { authTagLength: TAG_BYTES })
    decipher.setAAD(Buffer.from(context))
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
    const first = decipher.update(bytes.subarray(SALT_BYTES + IV_BYTES, -TAG_BYTES))
    return { value: JSON.parse(Buffer.concat([first, decipher.final()]).toString()) }
  } catch {
    return null
  }
}

export const randomText = (): string => randomBytes(32).toString('base64url')

export const hashOf = (...values: string[]): string =>
  createHash('sha256').update(JSON.stringify(values)).digest('base64url')

/** Compares in constant time. */
export function isSame(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)]
  return left.length === right.length && timingSafeEqual(left, right)
}
