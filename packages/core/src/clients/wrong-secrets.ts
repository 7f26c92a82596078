/** Counts wrong client secrets by client and address, so that secrets cannot be guessed. */

import { tooManyRequests } from '../http/errors.js'
import type { Context, RealmContext } from '../realm/context.js'
import { counterOf, networksOf } from '../request/counter-keys.js'

const WINDOW_SECONDS = 900
/** No client can have this id, because of the space. */
const UNKNOWN_CLIENT = ' unknown'
/** Blocked keys of one realm that are kept in memory, so that a request with the right secret needs no look-up. */
const MAX_BLOCKS = 1000
/** By realm: when the block of each key ends. */
const blocks = new WeakMap<RealmContext['key_ring'], Map<string, number>>()

/** @throws OAuthError `temporarily_unavailable` 429 when the address has tried too many wrong secrets of this client. */
export function refuseBlocked(c: Context, client_id: string | null): void {
  const known = blocksOf(c)
  if (known.size === 0) return
  for (const { key } of countersOf(c, client_id)) {
    const until = known.get(key)
    if (until !== undefined && until > c.now()) throw tooManyRequests(until - c.now())
  }
}

/**
 * Counts a wrong secret. All unknown clients share one counter for each address: the duration does not tell whether a
 * client exists, and invented ids create no records.
 * @param client_id Null for an unknown client.
 */
export async function countWrongSecret(c: Context, client_id: string | null): Promise<void> {
  for (const { key, factor } of countersOf(c, client_id)) {
    const hits = await c.storage.throttle.hit(key, WINDOW_SECONDS, c.now())
    if (hits >= c.realm.settings.throttle.client_secret * factor) block(c, key)
  }
}

function block(c: Context, key: string): void {
  const known = blocksOf(c)
  known.delete(key)
  known.set(key, (Math.floor(c.now() / WINDOW_SECONDS) + 1) * WINDOW_SECONDS)
  const oldest = known.keys().next().value
  if (known.size > MAX_BLOCKS && oldest !== undefined) known.delete(oldest)
}

/** None without an address: a counter for all addresses would let an attacker block the client everywhere. */
function countersOf(c: Context, client_id: string | null): { key: string; factor: number }[] {
  if (c.address === null) return []
  const suffix = client_id ?? UNKNOWN_CLIENT
  return networksOf(c).map(({ key, factor }) => ({
    key: `${counterOf('client-secret', key)}${suffix}`,
    factor,
  }))
}

function blocksOf(c: Context): Map<string, number> {
  const known = blocks.get(c.key_ring) ?? new Map<string, number>()
  blocks.set(c.key_ring, known)
  return known
}
