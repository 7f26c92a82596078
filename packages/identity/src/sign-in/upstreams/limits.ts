/** How many answers of other providers a network may bring: each costs requests to the provider. */

import { addressKeys, PEER_LIMIT_FACTOR } from '@ostiary/core'
import { type LimitedCounter, reserveIn } from '../attempts.js'
import type { UpstreamContext } from '../context.js'

const WINDOW_SECONDS = 900
const MAX_ANSWERS_OF_ADDRESS = 100
/** An IPv6 /48 has this many times the limit of a /64. */
const SITE_LIMIT_FACTOR = 4

/** Counts an answer. Seconds to wait, when a limit is reached; null otherwise. Without an address there is no limit: all would share one. */
export async function countAnswer(c: UpstreamContext): Promise<number | null> {
  const { address, peer, realm, upstreams } = c
  if (address === null) return null
  const { hash, throttle } = upstreams
  const counter = (network: string, maximum: number): LimitedCounter<'address'> => ({
    limit: 'address',
    key: `upstream:${hash('upstream', realm.id, network)}`,
    window: WINDOW_SECONDS,
    maximum,
  })
  const keys = addressKeys(address)
  const counters = [counter(keys.address, MAX_ANSWERS_OF_ADDRESS)]
  if (keys.site !== null) counters.unshift(counter(keys.site, MAX_ANSWERS_OF_ADDRESS * SITE_LIMIT_FACTOR))
  if (peer !== null)
    counters.unshift(counter(addressKeys(peer).address, MAX_ANSWERS_OF_ADDRESS * PEER_LIMIT_FACTOR))
  const reserved = await reserveIn(throttle, counters, c.now())
  return 'limit' in reserved ? reserved.retry_after : null
}
