/** Deletes expired records in batches. Rows that another statement has locked are left for a later call. */

import type { Queries } from '../connection/executor.js'

/** Rows that one statement deletes. */
export const BATCH_SIZE = 1000
/** Batches of one kind of record in one call: enough to keep up with what requests insert. */
export const MAX_BATCHES = 10
/** Calls until the cursor returns to the oldest row, to delete rows that were locked before. */
export const CALLS_PER_CURSOR = 100

interface ExpiringTable {
  table: string
  expiry?: string
  /** Of a partial index, too: a statement must repeat it to use that index. */
  condition?: string
}

/**
 * Until when a record has expired: `$2`, but never later than the database's clock, so that a server whose clock is ahead
 * deletes nothing that other servers still need.
 */
export const EXPIRED_UNTIL = 'least($2::bigint, oidc_clock())'

const expiring = ({ expiry = 'expires_at', condition = 'true', ...table }: ExpiringTable) => ({
  ...table,
  expiry,
  condition,
})

/** The tables with buckets of which expired records are deleted, grants left out. */
export const EXPIRING_IN_BUCKETS: readonly Required<ExpiringTable>[] = [
  { table: 'oidc_revoked_tokens' },
  { table: 'oidc_replays' },
  { table: 'oidc_tickets' },
  { table: 'oidc_remembered_devices' },
  { table: 'oidc_pending_authorizations' },
  { table: 'oidc_throttles', expiry: 'ends_at' },
].map(expiring)

/** The tables without buckets of which expired records are deleted. */
export const EXPIRING_OF_REALMS: readonly Required<ExpiringTable>[] = [
  { table: 'oidc_client_documents' },
  { table: 'oidc_mails' },
  // Not the tombstone of a deleted client, which is revoked: see ClientStore.
  { table: 'oidc_clients', condition: 'expires_at >= 0 and (revoked_at is null or self_registered)' },
].map(expiring)

/** Both. */
export const EXPIRING_TABLES = [...EXPIRING_IN_BUCKETS, ...EXPIRING_OF_REALMS]

/** `$1` is the cursor, `$2` the time, `$3` the size of the batch, `$4` the realm, or null for all. */
const deleteExpired = ({ table, expiry, condition }: Required<ExpiringTable>, of_realm: string): string => `
  with deleted as (
    delete from ${table} where ctid = any(array(
      select ctid from ${table} where ${of_realm}${expiry} between $1 and ${EXPIRED_UNTIL} and ${condition}
      order by ${expiry} limit $3 for update skip locked
    ))
    returning ${expiry}
  )
  select count(*)::int as count, max(${expiry}) as reached from deleted`

const ofRealm = (tables: readonly Required<ExpiringTable>[]) =>
  tables.map((table) => deleteExpired(table, 'realm = $4 and '))
const ofAllRealms = (tables: readonly Required<ExpiringTable>[]) =>
  tables.map((table) => deleteExpired(table, ''))
const purgeGrants = (realm: string) =>
  `select count, reached from oidc_purge_grants($1, ${EXPIRED_UNTIL}, $3, ${realm})`

const OF_REALM = [purgeGrants('$4'), ...ofRealm(EXPIRING_TABLES)]
/** In the order of grants and EXPIRING_TABLES. */
const OF_ALL_REALMS = [purgeGrants('null'), ...ofAllRealms(EXPIRING_TABLES)]

/** @returns `RealmStorage.purge` of the realm. */
export function createPurge(db: Queries, realm: string): (now: number) => Promise<number> {
  const purges = OF_REALM.map((text) => purgeFromCursor(db, { text, more: [realm] }))
  return (now) => purgeAll(purges, now)
}

/** Deletes the expired records that have no bucket. @param realm Null for all realms. */
export function purgeWithoutBuckets(db: Queries, realm: string | null): (now: number) => Promise<number> {
  const texts = realm === null ? ofAllRealms(EXPIRING_OF_REALMS) : ofRealm(EXPIRING_OF_REALMS)
  const purges = texts.map((text) => purgeFromCursor(db, { text, more: realm === null ? [] : [realm] }))
  return (now) => purgeAll(purges, now)
}

export interface PurgeOfAllRealms {
  purge(now: number): Promise<number>
  /** The cursor of each statement: of grants, then of EXPIRING_TABLES. */
  cursors(): number[]
  /** Starts again from the oldest row, to delete rows that were locked before. */
  rewind(): void
}

/** Deletes the expired records of all realms, those of unknown realms too. */
export function purgeOfAllRealms(db: Queries): PurgeOfAllRealms {
  const purges = OF_ALL_REALMS.map((text) => purgeFromCursor(db, { text, more: [] }))
  return {
    purge: (now) => purgeAll(purges, now),
    cursors: () => purges.map(({ cursor }) => cursor()),
    rewind() {
      for (const { rewind } of purges) rewind()
    },
  }
}

/** One statement at a time, so that a purge takes only one connection from requests. */
async function purgeAll(purges: readonly CursorPurge[], now: number): Promise<number> {
  let deleted = 0
  for (const { purge } of purges) deleted += await purge(now)
  return deleted
}

interface Batch {
  count: number
  /** The latest expiry in the batch; null for an empty batch. */
  reached: number | null
}

interface CursorPurge {
  purge(now: number): Promise<number>
  cursor(): number
  rewind(): void
}

/**
 * The cursor is the expiry of the last row that was deleted, and each batch starts there.
 * PostgreSQL keeps deleted rows in the index until they are vacuumed, which a running backup can delay for hours.
 * A batch that started at the oldest row would scan them all, and take longer with every purge.
 * When nothing is left after the cursor, and in every 100th call, the purge starts again from the oldest row.
 */
function purgeFromCursor(
  db: Queries,
  { text, more }: { text: string; more: readonly string[] },
): CursorPurge {
  let cursor = 0
  let calls = 0
  const deleteBatch = async (now: number): Promise<number> => {
    const [batch] = await db.query<Batch>(text, [cursor, now, BATCH_SIZE, ...more])
    cursor = batch?.reached ?? cursor
    return batch?.count ?? 0
  }
  const rewind = () => {
    cursor = 0
  }
  const purge = async (now: number): Promise<number> => {
    calls += 1
    if (calls % CALLS_PER_CURSOR === 0) rewind()
    let deleted = 0
    for (let batches = 0; batches < MAX_BATCHES; batches += 1) {
      const count = await deleteBatch(now)
      deleted += count
      if (count < BATCH_SIZE) break
    }
    if (deleted > 0 || cursor === 0) return deleted
    rewind()
    return deleteBatch(now)
  }
  return { purge, cursor: () => cursor, rewind }
}
