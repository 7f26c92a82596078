/** Forgets what has expired: at most so many records of a kind at a time, and nothing that somebody works with. */

import { countOf, type Queries } from '../executor.js'

const BATCH = 1000

const purgeOf = (table: string, expires_at = 'expires_at') => `
  with gone as (
    delete from ${table} where ctid = any(array(
      select ctid from ${table} where realm = $1 and ${expires_at} <= $2
      order by ${expires_at} limit $3 for update skip locked
    ))
    returning realm
  )
  select count(*)::int as count from gone`

const PURGES = [
  'select oidc_purge_grants($1, $2, $3) as count',
  purgeOf('oidc_revoked_tokens'),
  purgeOf('oidc_pending_authorizations'),
  purgeOf('oidc_throttles', 'ends_at'),
]

export async function purge(db: Queries, realm: string, now: number): Promise<number> {
  let all = 0
  // One after the other: it is nobody's request that waits, and requests need the connections.
  for (const text of PURGES) all += await countOf(db.query(text, [realm, now, BATCH]))
  return all
}
