/** The same schema, with the tables of people in 16 partitions: what names no bucket reads all of them. */

import { partitionPeople, TABLES_OF_PEOPLE } from '@ostiary/test-kit/partitions'
import type { Queries } from '../src/index.js'
import { migratedDatabase, type OwnDatabase } from './_setup.js'

/** The tables with a column "bucket": those of people, and of the realm's records that a request reads or writes. */
export const TABLES_WITH_BUCKETS = [
  ...TABLES_OF_PEOPLE,
  'oidc_usernames',
  'oidc_addresses',
  'oidc_link_keys',
  'oidc_pending_authorizations',
  'oidc_replays',
  'oidc_throttles',
  'oidc_revoked_tokens',
]
export async function partitionedDatabase(): Promise<OwnDatabase> {
  const database = await migratedDatabase()
  await partitionPeople(database.url)
  return database
}

/**
 * The partitions that the work reads or writes, also in functions. The counts of the transactions before are not flushed yet, so they are
 * compared.
 */
export async function touchedPartitions(tx: Queries, work: () => Promise<unknown>): Promise<number[]> {
  const counts = async () => {
    const rows = await tx.query<{ part: number; uses: number }>(`
      select substring(relname from '_p(\\d+)$')::int as part,
        sum(seq_scan + coalesce(idx_scan, 0) + n_tup_ins + n_tup_upd + n_tup_del)::int as uses
      from pg_stat_xact_user_tables where relname ~ '^oidc_.*_p\\d+$' group by part`)
    return new Map(rows.map(({ part, uses }) => [part, uses]))
  }
  const before = await counts()
  await work()
  const after = await counts()
  return [...after.keys()].filter((part) => after.get(part) !== before.get(part))
}
