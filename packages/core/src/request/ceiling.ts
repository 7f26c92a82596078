/** Limits that all addresses of a realm share. Each network has a share of them, so that it cannot stop all others. */

import { OAuthError } from '../http/errors.js'
import type { Context } from '../realm/context.js'
import type { CatalogReason } from '../refusals/hints.js'
import { counterOf, networksOf } from './counter-keys.js'

export interface Ceiling {
  /** The name of the realm's counter. */
  counter: string
  /** Whose limit it is. An authenticated client has no networks: all its requests may come from one server of its own. */
  of: 'realm' | 'client'
  max: number
  window_seconds: number
  /** What is limited, for the answer: a plural. */
  what: string
  /** Of the answer when the realm has reached the limit. */
  status: 429 | 503
}

/** When less than this part of a ceiling is left, the shares shrink with what is left. */
const SCARCE = 0.25

/** The counter of a network's share. Its prefix is for the commands that list and reset counters. */
export const shareCounter = (counter: string, network: string): string =>
  counterOf(`${counter} share`, network)

/** How much a network may use of a ceiling, at least 1. `used`: by all networks, the request that asks included. */
export function shareOf(max: number, used: number, share: number): number {
  const left = Math.max(0, max - used + 1)
  const scarcity = Math.min(1, left / (max * SCARCE))
  return Math.max(1, Math.floor(max * share * scarcity))
}

/**
 * Counts one request of the client's address. Near the ceiling, the networks that have used least come first. Refused requests
 * do not count.
 * @returns What takes the request back.
 * @throws OAuthError `temporarily_unavailable` with `Retry-After`; 429 when the network has used its share
 */
export async function countUnderCeiling(c: Context, ceiling: Ceiling): Promise<() => Promise<void>> {
  const { counter, max, window_seconds } = ceiling
  const now = c.now()
  const { throttle } = c.storage
  const counted = [counter]
  const hit = (key: string) => throttle.hit(key, window_seconds, now)
  const release = async () => {
    await Promise.all(counted.map((key) => throttle.release(key, window_seconds, now)))
  }
  const refuse = async (own: boolean): Promise<never> => {
    await release()
    throw ceilingReached(ceiling, { own, retry_after: window_seconds - (now % window_seconds) })
  }
  const [widest, ...narrower] = sharesOf(c, ceiling)
  if (widest === undefined) return (await hit(counter)) > max ? refuse(false) : release
  // Beyond the ceiling, no counter of a network is stored.
  const pair = { first: counter, max, second: widest.key }
  const hits = await throttle.hitBoth(pair, window_seconds, now)
  if (hits.first > max) return refuse(false)
  const isOver = (own: number, { share }: Share) => own > shareOf(max, hits.first, share)
  const isOverWhole = (own: number, { share }: Share) => own > shareOf(max, 0, share)
  counted.push(widest.key)
  if (isOver(hits.second, widest)) return refuse(isOverWhole(hits.second, widest))
  for (const network of narrower) {
    counted.push(network.key)
    const own = await hit(network.key)
    if (isOver(own, network)) return refuse(isOverWhole(own, network))
  }
  return release
}

/** A counter of a network, and the part of the ceiling that the network may use. */
interface Share {
  key: string
  share: number
}

/** The widest network first. */
const sharesOf = (c: Context, { of, counter }: Ceiling): Share[] =>
  (of === 'realm' ? networksOf(c) : [])
    .filter(({ share }) => share !== 1)
    .map(({ key, share }) => ({ key: shareCounter(counter, key), share }))

function ceilingReached(
  { of, what, status }: Ceiling,
  { own, retry_after }: { own: boolean; retry_after: number },
): OAuthError {
  const description = own
    ? `This address has used its share of the ${what} that the realm allows. Try again later.`
    : `The ${of} has reached its limit of ${what}. Try again later.`
  const reason = own ? 'share_of_limit' : (`${of}_limit` as const)
  return throttledError(description, { reason, retry_after, status: own ? 429 : status })
}

/** A limit is reached. @param answer `retry_after` is in seconds. */
export const throttledError = (
  description: string,
  { reason, retry_after, status = 429 }: { reason: CatalogReason; retry_after: number; status?: number },
): OAuthError =>
  new OAuthError('temporarily_unavailable', description, {
    reason,
    status,
    headers: { 'retry-after': String(retry_after) },
  })
