/** Forgets what has expired: a batch of each kind at a time, and nothing that somebody works with. */

import type { Queries } from '../connection/executor.js'

const BATCH = 1000
/** Of one kind in one call, while there are full ones: so a purge keeps up with whatever can be inserted. */
const BATCHES = 10
/** Calls after which a purge begins at the oldest row again: some may have been locked when it came by. */
const CALLS = 100

const purgeOf = (table: string, expires_at = 'expires_at', and = '') => `
  with gone as (
    delete from ${table} where ctid = any(array(
      select ctid from ${table} where realm = $1 and ${expires_at} between $2 and $3 ${and}
      order by ${expires_at} limit $4 for update skip locked
    ))
    returning ${expires_at}
  )
  select count(*)::int as count, max(${expires_at}) as reached from gone`

const PURGES = [
  'select count, reached from oidc_purge_grants($1, $2, $3, $4)',
  purgeOf('oidc_revoked_tokens'),
  purgeOf('oidc_pending_authorizations'),
  purgeOf('oidc_throttles', 'ends_at'),
  // The condition of the partial index.
  purgeOf('oidc_clients', 'expires_at', 'and expires_at >= 0'),
]

export function purging(db: Queries, realm: string): (now: number) => Promise<number> {
  const kinds = PURGES.map((text) => purgingOne(db, [realm, text]))
  return async (now) => {
    let all = 0
    // One after the other: it is nobody's request that waits, and requests need the connections.
    for (const purge of kinds) all += await purge(now)
    return all
  }
}

/**
 * Deleted rows stay in the index until they are vacuumed, which a backup may hold up for hours. A batch that began at
 * the oldest of them would pass over them all, and take the longer the more were purged; so it begins where the last
 * one ended.
 */
function purgingOne(db: Queries, [realm, text]: [string, string]): (now: number) => Promise<number> {
  let since = 0
  let calls = 0
  const batch = async (now: number) => {
    const [gone] = await db.query<Gone>(text, [realm, since, now, BATCH])
    since = gone?.reached ?? since
    return gone?.count ?? 0
  }
  return async (now) => {
    calls += 1
    if (calls % CALLS === 0) since = 0
    let all = 0
    for (let batches = 0; batches < BATCHES; batches += 1) {
      const count = await batch(now)
      all += count
      if (count < BATCH) break
    }
    // Nothing since then may still be something before then.
    if (all > 0 || since === 0) return all
    since = 0
    return batch(now)
  }
}

interface Gone {
  count: number
  reached: number | null
}
