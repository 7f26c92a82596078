/** Brings the schema up to date, or refuses a schema that this version cannot use. */

import { createHash } from 'node:crypto'
import { type Executor, first, type Queries } from '../connection/executor.js'
import { buildIndex, inTransaction } from './build-index.js'
import { MIGRATIONS } from './list.js'
import { locked, type TableWait, untilTablesAreFree } from './lock.js'
import type { Migration } from './migration.js'
import { SchemaError } from './schema-error.js'

/** Plans and runs the steps of the schema. The table `oidc_migrations` records those that were applied. */
export interface Migrations {
  /**
   * The missing steps, in order, with their SQL. Changes nothing.
   * @throws SchemaError when the schema is newer than this version, or was made by other SQL.
   */
  plan(): Promise<Migration[]>
  /**
   * Runs the missing steps: each in one transaction, but the build of an index outside of one. Concurrent callers wait for
   * each other; one of them runs a step. Servers keep working: requests for a table that a step changes wait half a second at most.
   * @returns The steps that this call has run.
   * @throws SchemaError as `plan`; Error when a table stays locked by another transaction for minutes.
   */
  migrate(): Promise<Migration[]>
  /**
   * For the start of a server: runs every step in an empty database, and changes nothing in any other. All steps are
   * one transaction: concurrent callers wait for it.
   * @returns The steps that this call has run.
   * @throws SchemaError as `check`, and when the database is empty and the role may not create tables.
   */
  setUp(): Promise<Migration[]>
  /** @throws SchemaError when the schema is older or newer than this version, or was made by other SQL. */
  check(): Promise<void>
}

interface AppliedMigration {
  id: number
  name: string
  checksum: string
}

/** About five minutes. */
const TABLE_WAIT: TableWait = { wait_ms: 500, pause_ms: 1_000, attempts: 200 }
const INSUFFICIENT_PRIVILEGE = '42501'
const CREATE_TABLE = `create table if not exists oidc_migrations (
  id integer primary key,
  name text not null,
  checksum text not null,
  applied_at timestamptz not null default now()
)`

/** What tests change. */
export interface MigrationOptions {
  /** Every step of this version, in order. */
  known?: readonly Migration[]
  table_wait?: TableWait
}

/** The migrations of this database. Nothing runs until a method is called. */
export function migrations(executor: Executor): Migrations
/** @internal */
export function migrations(executor: Executor, options: MigrationOptions): Migrations
export function migrations(
  executor: Executor,
  { known = MIGRATIONS, table_wait = TABLE_WAIT }: MigrationOptions = {},
): Migrations {
  const plan = async () => missing(known, await appliedIn(executor))
  const check = async () => requireNone(await plan())
  return {
    plan,
    check,
    async migrate() {
      const ran: Migration[] = []
      for (const migration of await plan()) {
        const applied = await untilTablesAreFree(nameOf(migration), table_wait, (lockTimeout) =>
          locked(executor, async (tx) => {
            await tx.query(CREATE_TABLE)
            // Another server may have run the step in the meantime.
            if (!missing(known, await appliedIn(tx)).includes(migration)) return { result: false }
            await tx.query(lockTimeout)
            return (await apply(tx, migration, executor)) ? { result: true } : null
          }),
        )
        if (applied) ran.push(migration)
      }
      return ran
    },
    async setUp() {
      const applied = await appliedIn(executor)
      if (applied.length > 0) {
        requireNone(missing(known, applied))
        return []
      }
      const ran = await locked(executor, async (tx) => ({ result: await applyAll(tx, known) })).catch(
        explainPrivilege(known),
      )
      await check()
      return ran
    },
  }
}

/** Runs nothing when another server has run steps in the meantime; the caller checks the schema afterwards. */
async function applyAll(tx: Queries, known: readonly Migration[]): Promise<Migration[]> {
  // `create table` takes a lock, which refreshes the catalog: the look-up then sees what was committed before it.
  await tx.query(CREATE_TABLE)
  if ((await appliedIn(tx)).length > 0) return []
  for (const migration of known) await apply(tx, migration)
  return [...known]
}

/**
 * @param executor Absent: the tables are in use by this transaction alone.
 * @returns False when nothing was changed, because the index of the step is being built already.
 */
async function apply(
  tx: Queries,
  { id, name, sql, index }: Migration,
  executor?: Executor,
): Promise<boolean> {
  if (index === undefined) await tx.query(sql)
  else if (!executor?.queryAlone) await tx.query(inTransaction({ index, sql }))
  else if (!(await buildIndex(executor.queryAlone, { index, sql }))) return false
  const insert = 'insert into oidc_migrations (id, name, checksum) values ($1, $2, $3)'
  await tx.query(insert, [id, name, checksum({ sql })])
  return true
}

/** Explains a missing privilege: the role of the server may be another than the role that migrates. */
const explainPrivilege = (known: readonly Migration[]) => (cause: unknown) => {
  if ((cause as { code?: unknown }).code !== INSUFFICIENT_PRIVILEGE) throw cause
  throw new SchemaError(
    'older',
    `The database is empty: it lacks ${namesOf(known)}, and this role may not create tables in it. ` +
      'Run the migrations as a role that may, then start again.',
  )
}

function requireNone(steps: readonly Migration[]): void {
  if (steps.length > 0)
    throw new SchemaError(
      'older',
      `The database's schema is older than this version: it lacks ${namesOf(steps)}. Run the migrations, then start again.`,
    )
}

async function appliedIn(db: Queries): Promise<AppliedMigration[]> {
  const table = await first(
    db.query<{ table_exists: boolean }>(`select to_regclass('oidc_migrations') is not null as table_exists`),
  )
  return table?.table_exists
    ? db.query<AppliedMigration>('select id, name, checksum from oidc_migrations order by id')
    : []
}

function missing(known: readonly Migration[], applied: AppliedMigration[]): Migration[] {
  // Before the look for unknown steps: a schema that begins otherwise is another schema, not a newer one.
  const sums = new Map(applied.map((step) => [step.id, step.checksum]))
  const changed = known.filter(
    (migration) => (sums.get(migration.id) ?? checksum(migration)) !== checksum(migration),
  )
  if (changed.length > 0) {
    throw new SchemaError(
      'changed',
      `The database's schema was made by other SQL of ${namesOf(changed)} than this version's. ` +
        'Start the version that made it, or restore a backup whose schema this version knows. ' +
        'A schema that was made before the first release has no way to this version: export each realm with the version that made it, ' +
        'and import it with this one into an empty database. Sessions and tokens are not carried: all users sign in again.',
    )
  }
  const unknown = applied.filter(({ id }) => !known.some((migration) => migration.id === id))
  if (unknown.length > 0) {
    throw new SchemaError(
      'newer',
      `The database's schema is newer than this version, which does not know ${namesOf(unknown)}. ` +
        'Start the version that made it, or a later one.',
    )
  }
  return known.filter(({ id }) => !sums.has(id))
}

function checksum({ sql }: Pick<Migration, 'sql'>): string {
  return createHash('sha256').update(sql).digest('hex')
}

type StepName = Pick<Migration, 'id' | 'name'>

const nameOf = ({ id, name }: StepName): string => `${`${id}`.padStart(4, '0')}-${name}`

const namesOf = (steps: readonly StepName[]): string => steps.map(nameOf).join(', ')
