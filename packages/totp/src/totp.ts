/**
 * Time-based one-time codes (RFC 6238 over RFC 4226): SHA-1, 6 digits, steps of 30 seconds. These are the values that all authenticator
 * apps support; several ignore others in the URI.
 */

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** The time step X of RFC 6238 §4.1. */
export const STEP_SECONDS = 30
/** The length of a secret: 160 bits, as RFC 4226 §4 (R6) recommends. */
const SECRET_BYTES = 20
/** A code of the step before and of the next one is accepted: RFC 6238 §5.2 and §6 (transmission delay, clock drift). */
const STEPS_AROUND_NOW = [-1, 0, 1]
/** With the spaces and dashes of forgiving apps and users. */
const MAX_TYPED_LENGTH = 32
/** RFC 4226 §5.3: `Digit` is 6. */
const TYPED_CODE = /^[0-9](?:[\s-]*[0-9]){5}$/

/** A new secret of 160 random bits (RFC 4226 §4). */
export const newTotpSecret = (): Buffer => randomBytes(SECRET_BYTES)

/** When a code is checked, and which step was the last accepted one. */
export interface CodeTime {
  /** Epoch seconds. */
  now: number
  /** The step of the last accepted code; 0 before the first. */
  last_step: number
}

/**
 * The time step of the code, if it is that of the current, the previous or the next step, and later than the last accepted one, so that
 * a code is good once (RFC 6238 §5.2). Null for any other text. The comparison takes the same time for each code of 6 digits.
 */
export function acceptedStep(secret: Uint8Array, code: string, { now, last_step }: CodeTime): number | null {
  const typed = typedCode(code)
  if (typed === null) return null
  const current = Math.floor(now / STEP_SECONDS)
  // All three are compared. The latest step counts if two steps have the same code, so that the code is not good for the later one again.
  const matching = STEPS_AROUND_NOW.map((distance) => current + distance).filter((step) =>
    timingSafeEqual(Buffer.from(codeOfStep(secret, step)), Buffer.from(typed)),
  )
  const latest = Math.max(...matching)
  return matching.length > 0 && latest > last_step ? latest : null
}

/** The 6 digits of a text, with spaces around and spaces or dashes between them; null for another text. */
function typedCode(text: string): string | null {
  const trimmed = text.length <= MAX_TYPED_LENGTH ? text.trim() : ''
  return TYPED_CODE.test(trimmed) ? trimmed.replace(/[^0-9]/g, '') : null
}

/** The code of a time step: HOTP with the step as the counter (RFC 6238 §4.2; RFC 4226 §5.3). */
export function codeOfStep(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigInt64BE(BigInt(step))
  const digest = createHmac('sha1', secret).update(counter).digest()
  const offset = digest.readUInt8(digest.length - 1) & 0x0f
  const truncated = digest.readUInt32BE(offset) & 0x7fffffff
  return String(truncated % 1_000_000).padStart(6, '0')
}
