/** The same schema, with the tables of people in 16 partitions: what names no bucket reads all of them. */

import { type Migration, migrations, type Queries } from '../src/index.js'
import { MIGRATIONS } from '../src/migrations/list.js'
import { type OwnDatabase, ownDatabase } from './_setup.js'

const PARTITIONS = 16

/** Those of a person's records, by the bucket of the person. */
export const TABLES_OF_PEOPLE = [
  'oidc_consents',
  'oidc_grants',
  'oidc_authorization_codes',
  'oidc_refresh_tokens',
  'oidc_sessions',
  'oidc_session_browsers',
  'oidc_session_clients',
  'oidc_users',
] as const

const CREATE = new RegExp(`create table (${TABLES_OF_PEOPLE.join('|')}) \\([^;]*\\n\\)(?=;)`, 'g')

const partitioned = (sql: string): string =>
  sql.replace(CREATE, (create, table: string) => {
    const parts = Array.from(
      { length: PARTITIONS },
      (_, n) =>
        `create table ${table}_p${n} partition of ${table} for values with (modulus ${PARTITIONS}, remainder ${n})`,
    )
    return [`${create} partition by hash (bucket)`, ...parts].join(';\n')
  })

const STEPS: readonly Migration[] = MIGRATIONS.map((step) => ({ ...step, sql: partitioned(step.sql) }))

export async function partitionedDatabase(): Promise<OwnDatabase> {
  const database = await ownDatabase()
  await migrations(database.executor, { known: STEPS }).migrate()
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
