/** Bounded use of an endpoint by one address. */

import type { Context } from '../context.js'
import { OAuthError } from '../errors.js'

const MINUTE = 60

/** @throws OAuthError `temporarily_unavailable` 429 with `Retry-After` */
export async function throttle(c: Context, name: string, per_minute: number): Promise<void> {
  const hits = await c.storage.throttle.hit(`${name}:${addressKey(c.address)}`, MINUTE, c.now())
  if (hits <= per_minute) return
  throw new OAuthError('temporarily_unavailable', 'Too many requests from this address', {
    reason: 'throttled',
    status: 429,
    headers: { 'retry-after': String(MINUTE - (c.now() % MINUTE)) },
  })
}

/** One person can have a whole IPv6 /64; requests without an address share one key. */
export function addressKey(address: string | null): string {
  if (address === null) return 'unknown'
  const bare = address.replace(/^\[|\]$|%.*$/g, '').toLowerCase()
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(bare)?.[1]
  if (mapped !== undefined) return mapped
  if (!bare.includes(':')) return bare
  const [head = '', tail] = bare.split('::', 2)
  const left = head.split(':').filter(Boolean)
  const right = tail === undefined ? [] : tail.split(':').filter(Boolean)
  const zeros = tail === undefined ? [] : Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0')
  const groups = [...left, ...zeros, ...right].slice(0, 4)
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}
