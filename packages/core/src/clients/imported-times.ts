/** The times in a record from a file obey the rules of times that a server writes: a later one would never end. */

import { MAX_FRESHNESS_SECONDS, STORED_DOCUMENT_SECONDS } from '../documents/lifetimes.js'

/** How far ahead a time may be that settings decide, such as the end of a client that was never used, or of the grants of a deleted one. */
const MAX_AHEAD_SECONDS = 366 * 86_400

/** How far the clock of the server that wrote the file, or the `updated_at` of a user changed twice in a second, may be ahead. */
const CLOCK_SKEW_SECONDS = 300

type Fields = Readonly<Record<string, unknown>>

/** The latest value of a member, and what a later one is. */
interface Latest {
  value: number
  fault: string
}

/** A member that is none of these ends in `_at`, and says when something has happened. */
function latest(name: string, { fetched_at }: Fields, now: number): Latest | null {
  const of_document = typeof fetched_at === 'number'
  if (name === 'fresh_until' && of_document) return after('fetched_at', fetched_at, MAX_FRESHNESS_SECONDS)
  if (name === 'expires_at' && of_document) return after('fetched_at', fetched_at, STORED_DOCUMENT_SECONDS)
  if (['expires_at', 'signs_from', 'fresh_until', 'not_before'].includes(name))
    return { value: now + MAX_AHEAD_SECONDS, fault: 'is more than a year in the future' }
  if (!name.endsWith('_at')) return null
  return {
    value: now + CLOCK_SKEW_SECONDS,
    fault: `is more than ${CLOCK_SKEW_SECONDS} seconds in the future: compare the clocks of the two servers`,
  }
}

const after = (start: string, from: number, seconds: number): Latest => ({
  value: from + seconds,
  fault: `is more than ${seconds} seconds after ${start}`,
})

/**
 * The first member whose time no server can have written, or null.
 * @param record Of JSON: any value. Members that are no numbers are ignored.
 * @param now Epoch seconds.
 */
export function importedTimeFault(record: Fields, now: number): { field: string; fault: string } | null {
  for (const [field, value] of Object.entries(record)) {
    const limit = typeof value === 'number' ? latest(field, record, now) : null
    if (limit !== null && (value as number) > limit.value) return { field, fault: limit.fault }
  }
  return null
}
