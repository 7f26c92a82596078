/** Secrets, codes, tokens and session ids: made here, stored hashed, compared in constant time. */

import { hmac as hmacOf } from '@noble/hashes/hmac.js'
import { sha256 as digestOf, sha512 } from '@noble/hashes/sha2.js'
import { base64url, utf8 } from './base64url.js'

/** A source of random bytes. */
export type Random = (bytes: number) => Uint8Array

const POOL_BYTES = 4096
const pool = new Uint8Array(POOL_BYTES)
/** Bytes of the pool that are used up. */
let used = POOL_BYTES

/** The system's random bytes, fetched in blocks because a call costs more than the bytes. Each byte is used once. */
export const systemRandom: Random = (bytes) => {
  if (bytes > POOL_BYTES) return crypto.getRandomValues(new Uint8Array(bytes))
  if (used + bytes > POOL_BYTES) {
    crypto.getRandomValues(pool)
    used = 0
  }
  const taken = pool.slice(used, used + bytes)
  pool.fill(0, used, used + bytes)
  used += bytes
  return taken
}

/** 256 bits, base64url. It cannot be guessed, so a fast hash is enough to protect it in storage. */
export const newSecret = (random: Random): string => base64url(random(32))

/** 128 bits, base64url: unique, not secret. It never begins with a dash, which command lines would read as an option. */
export const newId = (random: Random): string => base64url(random(16)).replace(/^-/, 'A')

/**
 * {@link newId} after eight hexadecimal digits of the time (epoch seconds). Such ids are sorted by time, so that new rows
 * are inserted at one end of a database index.
 */
export const newTimedId = (random: Random, now: number): string =>
  now.toString(16).padStart(8, '0') + newId(random)

/**
 * SHA-256, base64url. The values are short; WebCrypto takes ten times as long, because it passes them to another thread and
 * back.
 */
export const sha256 = (value: string): string => base64url(sha256Bytes(value))

export const sha256Bytes = (value: string): Uint8Array => digestOf(utf8(value))

export const sha512Bytes = (value: string): Uint8Array => sha512(utf8(value))

/** Compares two strings in a time that does not depend on where they differ. */
export function sameSecret(a: string, b: string): boolean {
  let difference = a.length ^ b.length
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i % b.length)
  return difference === 0
}

/** Hashes of short texts, taken as UTF-8. The results are base64url. */
export interface Hashes {
  sha256(text: string): string
  /** HMAC-SHA-256. */
  hmac(key: Uint8Array, text: string): string
}

/** HMAC-SHA-256, base64url. */
export const hmac = (key: Uint8Array, value: string): string => base64url(hmacBytes(key, utf8(value)))

export const hmacBytes = (key: Uint8Array, value: Uint8Array): Uint8Array => hmacOf(digestOf, key, value)

/** In JavaScript, for every runtime. */
export const portableHashes: Hashes = { sha256, hmac }
