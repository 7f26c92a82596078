/** Wrong client secrets are counted by client and address, so that none can be guessed from one place. */

import type { Context, RealmContext } from '../context.js'
import { tooManyRequests } from '../errors.js'
import { addressKeys, counterOf } from '../protocol/client-address.js'

/** Seconds. */
const WINDOW_SECONDS = 900
/** No client can have this id. */
const UNKNOWN_CLIENT = ' unknown'
/** Keys of one realm that are remembered as blocked, and for how long: a request with a right secret asks no storage. */
const MAX_BLOCKS = 1000
const blocks = new WeakMap<RealmContext['key_ring'], Map<string, number>>()

/** @throws OAuthError `temporarily_unavailable` 429 when the address has tried too many wrong secrets of this client. */
export function refuseBlocked(c: Context, client_id: string | null): void {
  const key = counterKey(c, client_id)
  const until = key === null ? undefined : blocksOf(c).get(key)
  if (until !== undefined && until > c.now()) throw tooManyRequests(until - c.now())
}

/**
 * Counts a secret that was refused. An unknown client counts under the address alone: it costs the same, so its duration
 * does not tell whether the client exists, and made-up ids leave no records behind.
 * @param client_id Of a client that exists; null otherwise.
 */
export async function countWrongSecret(c: Context, client_id: string | null): Promise<void> {
  const key = counterKey(c, client_id)
  if (key === null) return
  const hits = await c.storage.throttle.hit(key, WINDOW_SECONDS, c.now())
  if (hits < c.realm.settings.throttle.client_secret) return
  const known = blocksOf(c)
  known.delete(key)
  known.set(key, (Math.floor(c.now() / WINDOW_SECONDS) + 1) * WINDOW_SECONDS)
  const oldest = known.keys().next().value
  if (known.size > MAX_BLOCKS && oldest !== undefined) known.delete(oldest)
}

/** Null without an address: strangers would block the client for everybody. */
function counterKey(c: Context, client_id: string | null): string | null {
  if (c.address === null) return null
  return `${counterOf('client-secret', addressKeys(c.address).address)}${client_id ?? UNKNOWN_CLIENT}`
}

function blocksOf(c: Context): Map<string, number> {
  const known = blocks.get(c.key_ring) ?? new Map<string, number>()
  blocks.set(c.key_ring, known)
  return known
}
