/** Deletes everything that is stored of the realms that were deleted seven days ago. */

import type { RealmDatabase } from './database-store.js'
import { PURGE_DAYS, type RealmStore } from './realm-store.js'

/** Options of `realmPurge`. */
export interface PurgeOptions {
  store: Pick<RealmStore, 'deleted' | 'purged'>
  db: Pick<RealmDatabase, 'query'>
  /** Whether the tables of people lie in several databases: then each statement names a bucket. */
  sharded?: boolean
  /** Deletes what is stored of the realm elsewhere. */
  elsewhere?: (realm: string) => Promise<unknown>
  /** Epoch seconds. */
  now: () => number
  /** Called when a realm could not be purged: it is tried again. */
  failed: (error: unknown) => void
}

/** The purge of deleted realms. */
export interface RealmPurge {
  /** At intervals, in one process at a time: begins to purge what is due, unless that is under way. */
  start(): void
  /** Resolves when nothing is under way. */
  settled(): Promise<void>
  /** Starts no more, and ends after the statement that is under way. */
  stop(): Promise<void>
}

const DAY = 86_400
/** Seconds between two rounds. */
const ROUND_SECONDS = 60
/** Realms of one round. */
const MAX_PURGED = 10
/** Rows of one statement. */
const BATCH_ROWS = 500
/** The buckets of people, as `@ostiary/core` divides them. */
const BUCKETS = 4096

interface Table {
  name: string
  /** Whether its rows are in buckets of people. */
  in_buckets: boolean
}

/** Every table with records of realms, without the parts of divided ones. */
const TABLES = `
  select c.relname::text as name, exists (
    select from pg_attribute b where b.attrelid = c.oid and b.attname = 'bucket' and not b.attisdropped
  ) as in_buckets
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'realm' and not a.attisdropped
  where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and c.relname like 'oidc\\_%' and c.relname <> 'oidc_realms'
  order by 1`

const deleteFrom = (table: string, condition: string) => `
  delete from ${table} where ${condition} and ctid = any(array(
    select ctid from ${table} where ${condition} limit ${BATCH_ROWS}
  )) returning true as deleted`

/** Works in the background, in batches: requests have the database in between. */
export function realmPurge({ now, failed, ...options }: PurgeOptions): RealmPurge {
  let running: Promise<void> | null = null
  let next_round = 0
  let is_stopped = false
  const isStopped = () => is_stopped

  async function round(): Promise<void> {
    const question = { before: now() - PURGE_DAYS * DAY, limit: MAX_PURGED }
    for (const { id } of await options.store.deleted(question)) {
      if (isStopped()) return
      if (!(await purgeRealm(id, options, isStopped))) return
      await options.store.purged(id, now())
    }
  }

  return {
    start() {
      if (running !== null || is_stopped || now() < next_round) return
      next_round = now() + ROUND_SECONDS
      running = round()
        .catch(failed)
        .finally(() => {
          running = null
        })
    },
    settled: async () => void (await running),
    async stop() {
      is_stopped = true
      await running
    },
  }
}

/** @returns Whether all is deleted: false when it was stopped. */
async function purgeRealm(
  realm: string,
  { db, sharded = false, elsewhere }: Pick<PurgeOptions, 'db' | 'sharded' | 'elsewhere'>,
  isStopped: () => boolean,
): Promise<boolean> {
  for (const { name, in_buckets } of await db.query<Table>(TABLES)) {
    const divided = sharded && in_buckets
    const text = deleteFrom(name, divided ? 'realm = $1 and bucket = $2' : 'realm = $1')
    for (let bucket = 0; bucket < (divided ? BUCKETS : 1); bucket += 1)
      for (let deleted = BATCH_ROWS; deleted === BATCH_ROWS; ) {
        if (isStopped()) return false
        deleted = (await db.query(text, divided ? [realm, bucket] : [realm])).length
      }
  }
  await elsewhere?.(realm)
  return true
}
