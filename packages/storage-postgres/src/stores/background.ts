/** The background work of all realms: one statement says where something is due, and one for each table purges it. */

import type { BackgroundStorage, DueRealms } from '@ostiary/core'
import { first, type Queries } from '../connection/executor.js'
import { CALLS_PER_CURSOR, EXPIRED_UNTIL, EXPIRING_TABLES, purgeOfAllRealms } from './purge.js'

/** Realms that one answer names for a client deletion or a retired key. */
export const MAX_REALMS = 1000

interface RealmsByTime {
  table: string
  /** The second column of an index that begins with the realm. */
  time: string
  condition?: string
}

/**
 * The realms whose earliest row is due. The index is searched once for each realm that has rows, and not once for each row:
 * a realm with a million rows that are due, or a realm that was removed, hides no other realm. `$2` is the time.
 */
export const realmsByTime = ({ table, time, condition = 'true' }: RealmsByTime) => `
  with recursive earliest as (
    (select realm, ${time} as due from ${table} where ${condition} order by realm, ${time} limit 1)
    union all
    select next.realm, next.due from earliest, lateral (
      select realm, ${time} as due from ${table}
      where realm > earliest.realm and ${condition} order by realm, ${time} limit 1
    ) as next
  )
  select realm from earliest where due <= $2::bigint`

/** The latest first: the tombstones of a removed realm stay, and must not hide others. */
const DELETIONS = `
  select realm from oidc_clients
  where expires_at between 0 and $2::bigint and revoked_at is not null and not self_registered
  order by expires_at desc limit ${MAX_REALMS}`

/** A key that replaces an earlier one of its algorithm. The first key of an algorithm replaces none. */
const KEYS = `
  select realm from oidc_signing_keys later
  where first_of_alg is null and signs_from <= $1::bigint
    and exists (
      select from oidc_signing_keys k
      where k.realm = later.realm and k.alg = later.alg and k.signs_from < later.signs_from
    )
  order by signs_from desc limit ${MAX_REALMS}`

/** `$3` and the following parameters are the cursors of the purge. The order, which `exists` would drop, keeps the planner at the index. */
const EXPIRED = [{ table: 'oidc_grants', expiry: 'expires_at', condition: 'true' }, ...EXPIRING_TABLES].map(
  ({ table, expiry, condition }, index) => `(
    select ${expiry} from ${table} where ${expiry} between $${index + 3} and ${EXPIRED_UNTIL} and ${condition}
    order by ${expiry} limit 1
  ) is not null`,
)

export const asList = (realms: string) =>
  `(select coalesce(json_agg(distinct realm), '[]') from (${realms}) as due)`

/** What is due without regard to people: columns of a `select`. `$1` is `keys_before`, `$2` the time. */
export const DUE_OF_REALMS = `
  ${asList(`
    (${realmsByTime({ table: 'oidc_logout_deliveries', time: 'next_attempt_at', condition: 'attempts = 0' })})
    union
    (${realmsByTime({ table: 'oidc_logout_deliveries', time: 'next_attempt_at', condition: 'attempts > 0' })})
  `)} as deliveries,
  ${asList(DELETIONS)} as deletions,
  ${asList(KEYS)} as keys`

const DUE = `select
  ${asList(realmsByTime({ table: 'oidc_sessions', time: 'coalesce(ends_until, expires_at)' }))} as sessions,
  ${DUE_OF_REALMS},
  ${EXPIRED.join(' or ')} as expired`

export function backgroundStorage(db: Queries): BackgroundStorage {
  const { purge, cursors, rewind } = purgeOfAllRealms(db)
  const nothing: DueRealms = { sessions: [], deliveries: [], deletions: [], keys: [], expired: false }
  let calls = 0
  return {
    purge,
    async due({ now, keys_before }) {
      calls += 1
      if (calls % CALLS_PER_CURSOR === 0) rewind()
      return (await first(db.query<DueRealms>(DUE, [keys_before, now, ...cursors()]))) ?? nothing
    },
  }
}
