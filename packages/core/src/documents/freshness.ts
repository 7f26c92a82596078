/** How long a document may be used without asking its host: RFC 9111 §4.2, within limits of our own. */

import { MAX_FRESHNESS_SECONDS } from './lifetimes.js'

/** Seconds. The lower bound holds for `no-store` too: a client must not be able to cause a request for each of its users. */
const MIN_FRESHNESS = 300
/** Of a response that says nothing. */
const DEFAULT_FRESHNESS = 3_600

/**
 * Seconds, twice the time limit of a request. In workerd, what an incoming request waits for never ends when its client disconnects:
 * a request for a document that is older than this is taken for such a one.
 */
export const ABANDONED_AFTER = 10

/** @returns Seconds from the time at which the response has arrived. @param now Epoch seconds. */
export function freshness(headers: Headers, now: number): number {
  const directives = cacheControl(headers.get('cache-control') ?? '')
  if (['no-store', 'no-cache', 'private'].some((name) => directives.has(name))) return MIN_FRESHNESS
  const lifetime = directives.get('s-maxage') ?? directives.get('max-age')
  if (lifetime !== undefined) return clamped(seconds(lifetime) - seconds(headers.get('age') ?? '0'))
  const expires = headers.get('expires')
  if (expires === null) return DEFAULT_FRESHNESS
  return clamped(epochSeconds(expires, 0) - epochSeconds(headers.get('date') ?? '', now))
}

const clamped = (lifetime: number): number =>
  Math.min(MAX_FRESHNESS_SECONDS, Math.max(MIN_FRESHNESS, lifetime))

/** An invalid number counts as 0: the response is stale (RFC 9111 §4.2.1). */
const seconds = (text: string): number => (/^\d{1,10}$/.test(text) ? Number(text) : 0)

function epochSeconds(date: string, otherwise: number): number {
  const milliseconds = Date.parse(date)
  return Number.isNaN(milliseconds) ? otherwise : Math.floor(milliseconds / 1000)
}

/** The directives by their names in lower case; of a repeated one the first (RFC 9111 §5.2, §4.2.1). */
function cacheControl(header: string): ReadonlyMap<string, string> {
  const directives = new Map<string, string>()
  for (const [, name = '', quoted, token] of header.matchAll(/([\w-]+)(?:=(?:"([^"]*)"|([^\s,;"]*)))?/g))
    if (!directives.has(name.toLowerCase())) directives.set(name.toLowerCase(), quoted ?? token ?? '')
  return directives
}
