/** An authenticator app: the codes of a secret (RFC 6238 with SHA-1, 6 digits and steps of 30 seconds). */

import { createHmac } from 'node:crypto'

const STEP_SECONDS = 30
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

export interface AuthenticatorApp {
  /** The code of the time (epoch seconds), or of the step after the last one: a code is good once. */
  code(now?: number): string
}

/** @param key The secret in base32, as a page shows it. */
export function authenticatorApp(key: string): AuthenticatorApp {
  const secret = fromBase32(key)
  let last = 0
  return {
    code(now = Date.now() / 1000) {
      last = Math.max(last + 1, Math.floor(now / STEP_SECONDS))
      return codeOf(secret, last)
    },
  }
}

function codeOf(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const digest = createHmac('sha1', secret).update(counter).digest()
  const offset = (digest.at(-1) ?? 0) % 16
  const value = digest.readUInt32BE(offset) % 2 ** 31
  return String(value % 1_000_000).padStart(6, '0')
}

function fromBase32(text: string): Uint8Array {
  const digits = [...text].filter((digit) => ALPHABET.includes(digit))
  const bits = digits.map((digit) => ALPHABET.indexOf(digit).toString(2).padStart(5, '0')).join('')
  const bytes = bits.match(/[01]{8}/g) ?? []
  return Uint8Array.from(bytes, (byte) => Number.parseInt(byte, 2))
}
