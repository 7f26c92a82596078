/** Keyed hashes for this package, with keys derived from the provider's secret. */

import { createHmac, createSecretKey, hkdfSync, timingSafeEqual } from 'node:crypto'

/** HMAC-SHA256 over a list of values, base64url. */
export type KeyedHash = (...values: string[]) => string

/** Each use has its own key (HKDF, RFC 5869), so that a hash made for one use is not valid for another. */
export function keyedHash(secret: string, use: string): KeyedHash {
  // Node 24 takes 7 microseconds more for a key of bytes.
  const key = createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', `ostiary/identity/${use}`, 32)))
  // JSON keeps the values apart: the hashes of ('a', 'bc') and ('ab', 'c') differ.
  return (...values) => createHmac('sha256', key).update(JSON.stringify(values)).digest('base64url')
}

/** Hashes that are accepted: that of the current secret, with which new ones are made, and that of the previous secret. */
export type AcceptedHashes = readonly [KeyedHash, ...KeyedHash[]]

export function acceptedHashes(
  { secret, previous_secret }: { secret: string; previous_secret?: string },
  use: string,
): AcceptedHashes {
  const current = keyedHash(secret, use)
  return previous_secret === undefined ? [current] : [current, keyedHash(previous_secret, use)]
}

/** Compares in constant time. */
export function constantTimeEqual(a: string, b: string): boolean {
  const left = Buffer.from(a)
  const right = Buffer.from(b)
  return left.length === right.length && timingSafeEqual(left, right)
}
