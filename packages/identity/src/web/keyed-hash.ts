/** Keys for this package's own uses, derived from the provider's secret. */

import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

/** HMAC-SHA256 over a list of values, base64url. */
export type KeyedHash = (...values: string[]) => string

/** One key per use (HKDF, RFC 5869), so that a value made for one can never pass as another's. */
export function keyedHash(secret: string, use: string): KeyedHash {
  const key = Buffer.from(hkdfSync('sha256', secret, '', `ostiary/identity/${use}`, 32))
  // JSON keeps the values apart: ('a', 'bc') and ('ab', 'c') must differ.
  return (...values) => createHmac('sha256', key).update(JSON.stringify(values)).digest('base64url')
}

/** In constant time. */
export function constantTimeEqual(a: string, b: string): boolean {
  const left = Buffer.from(a)
  const right = Buffer.from(b)
  return left.length === right.length && timingSafeEqual(left, right)
}
