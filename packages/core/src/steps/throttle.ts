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
  if (!bare.includes(':')) return bare
  const groups = ipv6Groups(bare)
  const mapped = groups.slice(0, 6).join(':') === '0:0:0:0:0:65535'
  const [high = 0, low = 0] = groups.slice(6)
  if (mapped) return [high >> 8, high & 255, low >> 8, low & 255].join('.')
  const prefix = groups.slice(0, 4).map((group) => group.toString(16))
  return `${prefix.join(':')}::/64`
}

/** The eight groups of an IPv6 address; its last 32 bits may be written as IPv4. */
function ipv6Groups(address: string): number[] {
  const hex = address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...bytes: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = bytes.slice(0, 4).map(Number)
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`
  })
  const [head = '', tail] = hex.split('::', 2)
  const parse = (part: string) =>
    part.split(':').flatMap((group) => (group === '' ? [] : [Number.parseInt(group, 16)]))
  const [left, right] = [parse(head), parse(tail ?? '')]
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length)
  return [...left, ...Array<number>(zeros).fill(0), ...right]
}
