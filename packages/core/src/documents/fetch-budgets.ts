/**
 * How many documents this process reads. Any stranger can name a URL, so the counters are in memory: a request without credentials
 * writes nothing to the storage.
 */

import type { OAuthError } from '../http/errors.js'
import { throttledError } from '../request/ceiling.js'
import { addressKeys } from '../request/counter-keys.js'
import { ABANDONED_AFTER } from './freshness.js'

/** Requests under way in this process, to one host, and for one address or IPv6 /48 that names clients which no operator made. */
const MAX_UNDER_WAY = 16
const MAX_UNDER_WAY_PER_HOST = 4
const MAX_UNDER_WAY_PER_ADDRESS = 4
/** Of these, how many are only for clients that are in use, and of those for the operator's. */
const RESERVED = 4
const RESERVED_FOR_OPERATOR = 2
const RESERVED_PER_HOST = 1
const WINDOW_SECONDS = 60
/** A quarter of those of a realm. */
const MAX_PER_HOST = 30
const MAX_PER_REALM = 120
/** A tenth of those of a realm: one address, or one IPv6 /48, leaves the rest to others. */
const MAX_PER_ADDRESS = 12
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
  const places = new Set<{ keys: readonly string[]; since: number }>()
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

  function takePlace(cause: FetchCause): () => void {
    for (const place of places) if (place.since + ABANDONED_AFTER <= now()) places.delete(place)
    const limits = placeLimitsOf(cause)
    const held = (key: string) => [...places].filter(({ keys }) => keys.includes(key)).length
    const most = MAX_UNDER_WAY - RESERVED_FROM[cause.used_by]
    if (places.size >= most || limits.some(([key, limit]) => held(key) >= limit))
      throw overBudget(PLACE_RETRY_AFTER)
    const place = { keys: limits.map(([key]) => key), since: now() }
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

/** Places that clients of this kind leave to others. */
const RESERVED_FROM: Readonly<Record<UsedBy, number>> = {
  none: RESERVED,
  users: RESERVED_FOR_OPERATOR,
  operator: 0,
}

type Limits = [key: string, limit: number][]

function placeLimitsOf({ url, address, used_by }: FetchCause): Limits {
  const at_host = MAX_UNDER_WAY_PER_HOST - (used_by === 'none' ? RESERVED_PER_HOST : 0)
  const networks = used_by === 'operator' ? [] : networksOf(address, MAX_UNDER_WAY_PER_ADDRESS)
  return [[`host ${new URL(url).hostname}`, at_host], ...networks]
}

const noCounters = (): Record<UsedBy, Map<string, number>> => ({
  none: new Map(),
  users: new Map(),
  operator: new Map(),
})

/** The requests for unused clients are counted for all realms together: they protect the host, which any stranger can name. */
function limitsOf({ url, realm, address, used_by }: FetchCause): Limits {
  const prefix = used_by === 'none' ? '' : `realm ${realm} `
  return [
    [`${prefix}host ${new URL(url).hostname}`, MAX_PER_HOST],
    [`realm ${realm}`, MAX_PER_REALM],
    ...networksOf(address, MAX_PER_ADDRESS).map(([key, limit]): Limits[number] => [prefix + key, limit]),
  ]
}

/** The limit for the address, and for its IPv6 /48; none where the address is not known. */
function networksOf(address: string | null, limit: number): Limits {
  if (address === null) return []
  const keys = addressKeys(address)
  return [`address ${keys.address}`, ...(keys.site === null ? [] : [`site ${keys.site}`])].map((key) => [
    key,
    limit,
  ])
}

const overBudget = (retry_after: number): OAuthError =>
  throttledError('Too many documents of clients are read right now', { reason: 'throttled', retry_after })
