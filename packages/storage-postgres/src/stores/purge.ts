/** Deletes expired records in batches. Rows that another statement has locked are left for a later call. */

import type { Queries } from '../connection/executor.js'

/** Rows that one statement deletes. */
const BATCH_SIZE = 1000
/** Batches of one kind of record in one call: enough to keep up with what requests insert. */
const MAX_BATCHES = 10
/** Calls until the cursor returns to the oldest row, to delete rows that were locked before. */
const CALLS_PER_CURSOR = 100

interface ExpiringTable {
  table: string
  expiry?: string
  /** The condition of a partial index: a statement must repeat it to use that index. */
  index_condition?: string
}

/** `$1` is the realm, `$2` the cursor, `$3` the time, `$4` the size of the batch. */
function deleteExpired({ table, expiry = 'expires_at', index_condition = 'true' }: ExpiringTable): string {
  return `
  with deleted as (
    delete from ${table} where ctid = any(array(
      select ctid from ${table} where realm = $1 and ${expiry} between $2 and $3 and ${index_condition}
      order by ${expiry} limit $4 for update skip locked
    ))
    returning ${expiry}
  )
  select count(*)::int as count, max(${expiry}) as reached from deleted`
}

const STATEMENTS = [
  'select count, reached from oidc_purge_grants($1, $2, $3, $4)',
  deleteExpired({ table: 'oidc_revoked_tokens' }),
  deleteExpired({ table: 'oidc_pending_authorizations' }),
  deleteExpired({ table: 'oidc_throttles', expiry: 'ends_at' }),
  // Not the tombstone of a deleted client, which is revoked: see ClientStore.
  deleteExpired({
    table: 'oidc_clients',
    index_condition: 'expires_at >= 0 and (revoked_at is null or self_registered)',
  }),
]

/** @returns `RealmStorage.purge` of the realm. */
export function createPurge(db: Queries, realm: string): (now: number) => Promise<number> {
  const purges = STATEMENTS.map((text) => purgeFromCursor(db, { realm, text }))
  return async (now) => {
    let deleted = 0
    // One statement at a time, so that a purge takes only one connection from requests.
    for (const purge of purges) deleted += await purge(now)
    return deleted
  }
}

interface Batch {
  count: number
  /** The latest expiry in the batch; null for an empty batch. */
  reached: number | null
}

/**
 * The cursor is the expiry of the last row that was deleted, and each batch starts there.
 * PostgreSQL keeps deleted rows in the index until they are vacuumed, which a running backup can delay for hours.
 * A batch that started at the oldest row would scan them all, and take longer with every purge.
 * When nothing is left after the cursor, and in every 100th call, the purge starts again from the oldest row.
 */
function purgeFromCursor(
  db: Queries,
  { realm, text }: { realm: string; text: string },
): (now: number) => Promise<number> {
  let cursor = 0
  let calls = 0
  const deleteBatch = async (now: number): Promise<number> => {
    const [batch] = await db.query<Batch>(text, [realm, cursor, now, BATCH_SIZE])
    cursor = batch?.reached ?? cursor
    return batch?.count ?? 0
  }
  return async (now) => {
    calls += 1
    if (calls % CALLS_PER_CURSOR === 0) cursor = 0
    let deleted = 0
    for (let batches = 0; batches < MAX_BATCHES; batches += 1) {
      const count = await deleteBatch(now)
      deleted += count
      if (count < BATCH_SIZE) break
    }
    if (deleted > 0 || cursor === 0) return deleted
    cursor = 0
    return deleteBatch(now)
  }
}
