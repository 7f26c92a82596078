/** Nonces for DPoP proofs, which need no storage: RFC 9449 §8 and §9. */

import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { base64url } from 'jose'
import { utf8 } from '../utf8.js'

/** The nonces of one role of one realm. Times are epoch seconds. */
export interface DpopNonces {
  /** The nonce of this minute: 43 characters. Each server with the same key has the same one. */
  current(now: number): string
  /** Whether a nonce is of this minute, of one of the four before, or of the next. */
  accepts(nonce: string, now: number): boolean
}

const MINUTES_BEFORE = 4
/** The clock of the server that issued the nonce may be ahead. */
const MINUTES_AFTER = 1
const MIN_KEY_BYTES = 32

/**
 * Nonces are not secret and not for one use: they show that a proof was made at most five minutes ago, so a proof that was made
 * in advance is refused.
 * @param key A secret for this purpose alone, of 32 bytes or more. Servers that accept each other's nonces share it.
 * @throws TypeError for a shorter key.
 */
export function dpopNonces(key: Uint8Array): DpopNonces {
  if (key.byteLength < MIN_KEY_BYTES) throw new TypeError(`dpopNonces: give ${MIN_KEY_BYTES} bytes or more`)
  const secret = Uint8Array.from(key)
  let accepted: { minute: number; current: string; nonces: ReadonlySet<string> } | null = null
  const nonceOf = (minute: number): string =>
    base64url.encode(hmac(sha256, secret, utf8(`dpop-nonce ${minute}`)))
  const at = (now: number) => {
    const minute = Math.floor(now / 60)
    if (accepted?.minute === minute) return accepted
    const minutes = Array.from(
      { length: MINUTES_BEFORE + 1 + MINUTES_AFTER },
      (_, i) => minute - MINUTES_BEFORE + i,
    )
    accepted = { minute, current: nonceOf(minute), nonces: new Set(minutes.map(nonceOf)) }
    return accepted
  }
  return {
    current: (now) => at(now).current,
    accepts: (nonce, now) => at(now).nonces.has(nonce),
  }
}
