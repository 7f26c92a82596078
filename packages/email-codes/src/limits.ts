/** How often a code is tried. */

import { addressKeys, PEER_LIMIT_FACTOR } from '@ostiary/core/common'
import type { Visit } from '@ostiary/identity'
import { CODE_SECONDS, type WaitingCode } from './waiting.js'

/**
 * Of one code, by the browser that has it. So the chance to guess is bound by the mails of an account: strangers cause 3 in an hour, which
 * are 15 tries of 25,600,000,000 codes, or one in 190,000 for a year of them. No try counts for the account: they do not lock its owner out.
 */
const MAX_TRIES = 5
/** Of one network, whatever the codes. */
const MAX_TRIES_OF_ADDRESS = 100
const WINDOW_SECONDS = 900
/** An IPv6 /48 has this many times the limit of a /64. */
const SITE_LIMIT_FACTOR = 4

/** Counts a try of a network. The seconds to wait when a limit is reached, otherwise null. Without an address there is no limit. */
export async function countTry({ address, peer, count }: Visit): Promise<number | null> {
  if (address === null) return null
  const keys = addressKeys(address)
  const limits = [{ name: keys.address, maximum: MAX_TRIES_OF_ADDRESS }]
  if (keys.site !== null)
    limits.unshift({ name: keys.site, maximum: MAX_TRIES_OF_ADDRESS * SITE_LIMIT_FACTOR })
  if (peer !== null)
    limits.unshift({ name: addressKeys(peer).address, maximum: MAX_TRIES_OF_ADDRESS * PEER_LIMIT_FACTOR })
  return count(limits, WINDOW_SECONDS)
}

/** Counts a try of the code. False when there is none left, also for parallel tries. */
export const takeTry = async ({ count }: Visit, { id, expires_at }: WaitingCode): Promise<boolean> =>
  (await count([{ name: id, maximum: MAX_TRIES }], windowUntil(expires_at))) === null

/** Windows begin at multiples of their length. The shortest one, from twice the time of a code on, in which a code begins and ends. */
export function windowUntil(expires_at: number): number {
  let window = 2 * CODE_SECONDS
  while ((expires_at - 1) % window < CODE_SECONDS - 1) window += 1
  return window
}
