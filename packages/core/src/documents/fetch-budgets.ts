/**
 * How many documents this process reads. Any stranger can name a URL, so the counters are in memory: a request without credentials
 * writes nothing to the storage.
 */

import type { OAuthError } from '../http/errors.js'
import { throttledError } from '../request/ceiling.js'
import { addressKeys } from '../request/counter-keys.js'
import { ABANDONED_AFTER } from './freshness.js'

/** Requests under way in this process, and to one host. */
const MAX_UNDER_WAY = 16
const MAX_UNDER_WAY_PER_HOST = 4
/** Of these, how many are only for clients that are in use. */
const RESERVED = 4
const RESERVED_PER_HOST = 1
const WINDOW_SECONDS = 60
/** A quarter of those of a realm. */
const MAX_PER_HOST = 30
const MAX_PER_REALM = 120
/** A tenth of those of a realm: one address leaves the rest to others. */
const MAX_PER_ADDRESS = 12
/** Of an IPv6 /48. */
const MAX_PER_SITE = 12
/** Counters of one window in this process, of each kind of client. */
const MAX_COUNTERS = 10_000
/** Seconds, for a request that finds no free place. */
const PLACE_RETRY_AFTER = 5

/** A request for a document, and the request that causes it. */
export interface FetchCause {
  url: string
  realm: string
  /** Of the client that causes it; null: unknown, and not counted. */
  address: string | null
  used_by: UsedBy
}

/**
 * Who uses the client whose document is read: `users` once one has used it, `operator` when an operator made it, else `none`.
 * Each has counters of its own, and places are reserved for the first two: a stranger's clients, and clients that an attacker
 * uses, cannot keep the documents of others from being read.
 */
export type UsedBy = 'none' | 'users' | 'operator'

export interface FetchBudgets {
  /**
   * Counts the request, and takes a place for it.
   * @returns What gives the place back.
   * @throws OAuthError `temporarily_unavailable` 429 with `Retry-After`
   */
  take(cause: FetchCause): () => void
  /** The number of counters and of places in memory. */
  size(): number
}

/** @param now Epoch seconds. */
export function fetchBudgets(now: () => number): FetchBudgets {
  const places = new Set<{ host: string; since: number }>()
  let counters = noCounters()
  let window = Number.NaN

  function count(cause: FetchCause): void {
    const current = Math.floor(now() / WINDOW_SECONDS)
    if (current !== window) counters = noCounters()
    window = current
    const own = counters[cause.used_by]
    const limits = limitsOf(cause)
    const isFull = limits.some(([key, limit]) => (own.get(key) ?? 0) >= limit)
    if (isFull || own.size >= MAX_COUNTERS) throw overBudget(WINDOW_SECONDS - (now() % WINDOW_SECONDS))
    for (const [key] of limits) own.set(key, (own.get(key) ?? 0) + 1)
  }

  function takePlace({ url, used_by }: FetchCause): () => void {
    const host = new URL(url).hostname
    for (const place of places) if (place.since + ABANDONED_AFTER <= now()) places.delete(place)
    const at_host = [...places].filter((place) => place.host === host).length
    const is_used = used_by !== 'none'
    const most = is_used ? MAX_UNDER_WAY : MAX_UNDER_WAY - RESERVED
    const most_at_host = is_used ? MAX_UNDER_WAY_PER_HOST : MAX_UNDER_WAY_PER_HOST - RESERVED_PER_HOST
    if (places.size >= most || at_host >= most_at_host) throw overBudget(PLACE_RETRY_AFTER)
    const place = { host, since: now() }
    places.add(place)
    return () => void places.delete(place)
  }

  return {
    take(cause) {
      const release = takePlace(cause)
      try {
        count(cause)
      } catch (error) {
        release()
        throw error
      }
      return release
    },
    size: () => Object.values(counters).reduce((sum, { size }) => sum + size, places.size),
  }
}

const noCounters = (): Record<UsedBy, Map<string, number>> => ({
  none: new Map(),
  users: new Map(),
  operator: new Map(),
})

/** The requests for unused clients are counted for all realms together: they protect the host, which any stranger can name. */
function limitsOf({ url, realm, address, used_by }: FetchCause): [key: string, limit: number][] {
  const prefix = used_by === 'none' ? '' : `realm ${realm} `
  const limits: [string, number][] = [
    [`${prefix}host ${new URL(url).hostname}`, MAX_PER_HOST],
    [`realm ${realm}`, MAX_PER_REALM],
  ]
  if (address === null) return limits
  const keys = addressKeys(address)
  limits.push([`${prefix}address ${keys.address}`, MAX_PER_ADDRESS])
  if (keys.site !== null) limits.push([`${prefix}site ${keys.site}`, MAX_PER_SITE])
  return limits
}

const overBudget = (retry_after: number): OAuthError =>
  throttledError('Too many documents of clients are read right now', { reason: 'throttled', retry_after })
