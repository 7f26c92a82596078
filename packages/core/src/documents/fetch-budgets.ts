/**
 * How many documents this process reads. Any stranger can name a URL, so the counters are in memory: a request without credentials
 * writes nothing to the storage.
 */

import { OAuthError } from '../errors.js'
import { addressKeys, SITE_LIMIT_FACTOR } from '../protocol/client-address.js'
import { ABANDONED_AFTER } from './freshness.js'

/** Requests under way in this process, and to one host. */
const MAX_UNDER_WAY = 16
const MAX_UNDER_WAY_PER_HOST = 4
/** Of these, how many are only for URLs that are in use. */
const RESERVED = 4
const RESERVED_PER_HOST = 1
const WINDOW_SECONDS = 60
const MAX_PER_HOST = 30
const MAX_PER_REALM = 120
const MAX_PER_ADDRESS = 20
/** Counters of one window in this process. */
const MAX_COUNTERS = 10_000
/** Seconds, for a request that finds no free place. */
const PLACE_RETRY_AFTER = 5

/** A request for a document, and the request that causes it. */
export interface FetchCause {
  url: string
  realm: string
  /** Of the client that causes it; null: unknown, and not counted. */
  address: string | null
  /**
   * True for a URL that is stored, because a user has used its client. Such URLs have counters and places of their own, so that
   * invented URLs of the same host or realm cannot keep the document from being read.
   */
  in_use: boolean
}

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
  let counters = new Map<string, number>()
  let window = Number.NaN

  function count(cause: FetchCause): void {
    const current = Math.floor(now() / WINDOW_SECONDS)
    if (current !== window) counters = new Map()
    window = current
    const limits = limitsOf(cause)
    const isFull = limits.some(([key, limit]) => (counters.get(key) ?? 0) >= limit)
    if (isFull || counters.size >= MAX_COUNTERS) throw overBudget(WINDOW_SECONDS - (now() % WINDOW_SECONDS))
    for (const [key] of limits) counters.set(key, (counters.get(key) ?? 0) + 1)
  }

  function takePlace({ url, in_use }: FetchCause): () => void {
    const host = new URL(url).hostname
    for (const place of places) if (place.since + ABANDONED_AFTER <= now()) places.delete(place)
    const at_host = [...places].filter((place) => place.host === host).length
    const most = in_use ? MAX_UNDER_WAY : MAX_UNDER_WAY - RESERVED
    const most_at_host = in_use ? MAX_UNDER_WAY_PER_HOST : MAX_UNDER_WAY_PER_HOST - RESERVED_PER_HOST
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
    size: () => counters.size + places.size,
  }
}

function limitsOf({ url, realm, address, in_use }: FetchCause): [key: string, limit: number][] {
  const prefix = in_use ? 'in use ' : ''
  const limits: [string, number][] = [
    [`${prefix}host ${new URL(url).hostname}`, MAX_PER_HOST],
    [`${prefix}realm ${realm}`, MAX_PER_REALM],
  ]
  if (address === null) return limits
  const keys = addressKeys(address)
  limits.push([`${prefix}address ${keys.address}`, MAX_PER_ADDRESS])
  if (keys.site !== null) limits.push([`${prefix}site ${keys.site}`, MAX_PER_ADDRESS * SITE_LIMIT_FACTOR])
  return limits
}

const overBudget = (retry_after: number): OAuthError =>
  new OAuthError('temporarily_unavailable', 'Too many documents of clients are read right now', {
    reason: 'throttled',
    status: 429,
    headers: { 'retry-after': String(retry_after) },
  })
