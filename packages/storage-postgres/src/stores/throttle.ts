import type { Throttle, ThrottleWindow } from '@ostiary/core'
import { countOf, first, type Queries } from '../connection/executor.js'

/** One row for each window, so that servers with different clocks do not reset each other's count. */
const HIT = `
  insert into oidc_throttles as stored (realm, key, window_seconds, ends_at, hits) values ($1, $2, $3, $4, 1)
  on conflict (realm, key, window_seconds, ends_at) do update set hits = stored.hits + 1
  returning hits`

const RELEASE = `
  update oidc_throttles set hits = hits - 1
  where realm = $1 and key = $2 and window_seconds = $3 and ends_at = $4 and hits > 0`

/** Keys that begin with `$2`, as a range that the primary key can search; `$3` is its end. */
const LIST = `
  select key, hits, ends_at from oidc_throttles
  where realm = $1 and key >= $2 and key < $3 and ends_at > $4 order by key, ends_at limit 1000`

const RESET = `
  with forgotten as (
    delete from oidc_throttles where realm = $1 and key >= $2 and key < $3 returning key
  )
  select count(*)::int as count from forgotten`

/** A text that sorts after every key that begins with the prefix, in the collation "C". */
const endOfRange = (prefix: string): string => `${prefix}\u{10ffff}`

const endOf = (window_seconds: number, now: number): number =>
  (Math.floor(now / window_seconds) + 1) * window_seconds

export function throttle(db: Queries, realm: string): Throttle {
  return {
    async hit(key, window_seconds, now) {
      const ends_at = endOf(window_seconds, now)
      const row = await first(db.query<{ hits: number }>(HIT, [realm, key, window_seconds, ends_at]))
      return row?.hits ?? 0
    },
    async release(key, window_seconds, now) {
      await db.query(RELEASE, [realm, key, window_seconds, endOf(window_seconds, now)])
    },
    list: (prefix, now) => db.query<ThrottleWindow>(LIST, [realm, prefix, endOfRange(prefix), now]),
    reset: (prefix) => countOf(db.query(RESET, [realm, prefix, endOfRange(prefix)])),
  }
}
