import type { Throttle, ThrottlePairHits, ThrottleWindow } from '@ostiary/core'
import { bucketByHash } from '../connection/buckets.js'
import { countOf, first as firstRow, type Queries } from '../connection/executor.js'
import { PLACE } from './columns.js'

/** One row for each window, so that servers with different clocks do not reset each other's count. */
const hit = (row: string) => `
  insert into oidc_throttles as stored (realm, bucket, key, window_seconds, ends_at, hits) ${row}
  on conflict (realm, key, window_seconds, ends_at, bucket) do update set hits = stored.hits + 1
  returning hits`

const HIT = hit('values ($1, $2, $3, $4, $5, 1)')

/** In one statement, so in one round trip and one transaction. `$6` and `$7`: the second bucket and key; `$8`: the limit of the first. */
const HIT_BOTH = `
  with first as (${HIT}), second as (
    ${hit('select $1, $6::smallint, $7::text, $4, $5, 1 from first where first.hits <= $8::int')}
  )
  select first.hits as first, coalesce(second.hits, 0) as second from first left join second on true`

const RELEASE = `
  update oidc_throttles set hits = hits - 1
  where ${PLACE} and key = $3 and window_seconds = $4 and ends_at = $5 and hits > 0`

/** Counters of one answer. */
export const MAX_LISTED = 1000

/** Keys that begin with `$2`, as a range that the primary key can search; `$3` is its end. */
const list = (in_bucket: string) => `
  select key, hits, ends_at from oidc_throttles
  where realm = $1 ${in_bucket} and key >= $2 and key < $3 and ends_at > $4 order by key, ends_at limit ${MAX_LISTED}`
const LIST = list('')
/** Of one bucket, `$5`. */
export const LIST_IN_BUCKET = list('and bucket = $5')

const reset = (in_bucket: string) => `
  with forgotten as (
    delete from oidc_throttles where realm = $1 ${in_bucket} and key >= $2 and key < $3 returning key
  )
  select count(*)::int as count from forgotten`
const RESET = reset('')
/** Of one bucket, `$4`. */
export const RESET_IN_BUCKET = reset('and bucket = $4')

/** A text that sorts after every key that begins with the prefix, in the collation "C". */
export const endOfRange = (prefix: string): string => `${prefix}\u{10ffff}`

const endOf = (window_seconds: number, now: number): number =>
  (Math.floor(now / window_seconds) + 1) * window_seconds

export function throttle(db: Queries, realm: string): Throttle {
  const keyOf = (key: string) => [realm, bucketByHash(key), key]
  return {
    async hit(key, window_seconds, now) {
      const ends_at = endOf(window_seconds, now)
      const row = await firstRow(db.query<{ hits: number }>(HIT, [...keyOf(key), window_seconds, ends_at]))
      return row?.hits ?? 0
    },
    async hitBoth({ first, max, second }, window_seconds, now) {
      const ends_at = endOf(window_seconds, now)
      const keys = [...keyOf(first), window_seconds, ends_at, bucketByHash(second), second, max]
      return (await firstRow(db.query<ThrottlePairHits>(HIT_BOTH, keys))) ?? { first: 0, second: 0 }
    },
    async release(key, window_seconds, now) {
      await db.query(RELEASE, [...keyOf(key), window_seconds, endOf(window_seconds, now)])
    },
    list: (prefix, now) => db.query<ThrottleWindow>(LIST, [realm, prefix, endOfRange(prefix), now]),
    reset: (prefix) => countOf(db.query(RESET, [realm, prefix, endOfRange(prefix)])),
  }
}
