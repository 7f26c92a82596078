/** How many answers of upstreams a network may bring: each costs requests to the upstream. */

import { addressKeys, PEER_LIMIT_FACTOR } from '@ostiary/core'
import type { Visit } from '@ostiary/identity'

const WINDOW_SECONDS = 900
const MAX_ANSWERS_OF_ADDRESS = 100
/** An IPv6 /48 has this many times the limit of a /64. */
const SITE_LIMIT_FACTOR = 4

/** Counts an answer. False when a limit is reached. Without an address there is no limit: all would share one. */
export async function countAnswer({ address, peer, count }: Visit): Promise<boolean> {
  if (address === null) return true
  const keys = addressKeys(address)
  const limits = [{ name: keys.address, maximum: MAX_ANSWERS_OF_ADDRESS }]
  if (keys.site !== null)
    limits.unshift({ name: keys.site, maximum: MAX_ANSWERS_OF_ADDRESS * SITE_LIMIT_FACTOR })
  if (peer !== null)
    limits.unshift({ name: addressKeys(peer).address, maximum: MAX_ANSWERS_OF_ADDRESS * PEER_LIMIT_FACTOR })
  return (await count(limits, WINDOW_SECONDS)) === null
}
