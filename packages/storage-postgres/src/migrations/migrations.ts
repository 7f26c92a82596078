/** Brings the schema up to date, or says why this version cannot work with it. */

import { createHash } from 'node:crypto'
import { type Executor, first, type Queries } from '../connection/executor.js'
import { MIGRATIONS } from './list.js'
import type { Migration } from './migration.js'
import { SchemaError } from './schema-error.js'

/** The steps that make the schema, forward only. */
export interface Migrations {
  /**
   * The steps that are missing, in order, with their SQL. Changes nothing.
   * @throws SchemaError when the schema is newer than this version, or was made by another text.
   */
  plan(): Promise<Migration[]>
  /**
   * Runs what is missing, each step in one transaction; returns what this call has run. Servers that start at once
   * wait for each other, and each step is run by one of them.
   * @throws SchemaError as `plan`.
   */
  migrate(): Promise<Migration[]>
  /**
   * What a server does when it starts: runs every step in a database that has had none, and changes nothing in any
   * other. All steps are one transaction, so whoever starts at the same time waits, and never sees half of them.
   * Returns what this call has run.
   * @throws SchemaError as `check`; of an empty database where the role may not make tables.
   */
  setUp(): Promise<Migration[]>
  /** @throws SchemaError when the schema is older or newer than this version, or was made by another text. */
  check(): Promise<void>
}

interface Applied {
  id: number
  name: string
  checksum: string
}

/** Any number that nobody else locks in this database: "ostiary" in ASCII, shortened. */
const LOCK = 0x6f737469
const INSUFFICIENT_PRIVILEGE = '42501'
const TABLE = `create table if not exists oidc_migrations (
  id integer primary key,
  name text not null,
  checksum text not null,
  applied_at timestamptz not null default now()
)`

/** @param known Every step of this version, in order; only a test gives others. */
export function migrations(executor: Executor, known: readonly Migration[] = MIGRATIONS): Migrations {
  const plan = async () => missing(known, await applied(executor))
  const check = async () => {
    const steps = await plan()
    if (steps.length > 0) throw older(steps)
  }
  return {
    plan,
    check,
    async migrate() {
      const ran: Migration[] = []
      for (const migration of await plan()) {
        if (await executor.transaction((tx) => apply(tx, migration, known))) ran.push(migration)
      }
      return ran
    },
    async setUp() {
      const empty = (await applied(executor)).length === 0
      const ran = empty ? await executor.transaction((tx) => applyAll(tx, known)).catch(explained(known)) : []
      await check()
      return ran
    },
  }
}

/** False when another server was faster. */
async function apply(tx: Queries, migration: Migration, known: readonly Migration[]): Promise<boolean> {
  await takeTurn(tx)
  await tx.query(TABLE)
  const todo = missing(known, await applied(tx))
  if (!todo.includes(migration)) return false
  await run(tx, migration)
  return true
}

/** Nothing when another server was faster: what that one has made is looked at afterwards. */
async function applyAll(tx: Queries, known: readonly Migration[]): Promise<Migration[]> {
  await takeTurn(tx)
  // First, because it locks: a mere look-up may still go by what this connection knew before it waited.
  await tx.query(TABLE)
  if ((await applied(tx)).length > 0) return []
  for (const migration of known) await run(tx, migration)
  return [...known]
}

/** The role that serves may be another one than the role that migrates. */
const explained = (known: readonly Migration[]) => (cause: unknown) => {
  if ((cause as { code?: unknown }).code !== INSUFFICIENT_PRIVILEGE) throw cause
  throw new SchemaError(
    'older',
    `The database is empty: it lacks ${named(known)}, and this role may not make tables in it. ` +
      'Run the migrations as a role that may, then start again.',
  )
}

function older(steps: readonly Migration[]): SchemaError {
  return new SchemaError(
    'older',
    `The database's schema is older than this version: it lacks ${named(steps)}. Run the migrations, then start again.`,
  )
}

async function takeTurn(tx: Queries): Promise<void> {
  // Waiting for the others, and the step itself, may take as long as they take.
  await tx.query('set local statement_timeout = 0')
  await tx.query('select pg_advisory_xact_lock($1)', [LOCK])
}

async function run(tx: Queries, migration: Migration): Promise<void> {
  await tx.query(migration.sql)
  const { id, name } = migration
  await tx.query('insert into oidc_migrations (id, name, checksum) values ($1, $2, $3)', [
    id,
    name,
    checksum(migration),
  ])
}

async function applied(db: Queries): Promise<Applied[]> {
  const table = await first(
    db.query<{ there: boolean }>(`select to_regclass('oidc_migrations') is not null as there`),
  )
  return table?.there ? db.query<Applied>('select id, name, checksum from oidc_migrations order by id') : []
}

function missing(known: readonly Migration[], done: Applied[]): Migration[] {
  const strange = done.filter(({ id }) => !known.some((migration) => migration.id === id))
  if (strange.length > 0) {
    throw new SchemaError(
      'newer',
      `The database's schema is newer than this version, which does not know ${named(strange)}. ` +
        'Start the version that made it, or a later one.',
    )
  }
  const sums = new Map(done.map((step) => [step.id, step.checksum]))
  const changed = known.filter(
    (migration) => (sums.get(migration.id) ?? checksum(migration)) !== checksum(migration),
  )
  if (changed.length > 0) {
    throw new SchemaError(
      'changed',
      `The database's schema was made by another text of ${named(changed)} than this version's. ` +
        'Start the version that made it, or restore a backup of a schema that this one knows.',
    )
  }
  return known.filter(({ id }) => !sums.has(id))
}

function checksum({ sql }: Migration): string {
  return createHash('sha256').update(sql).digest('hex')
}

function named(steps: readonly Pick<Migration, 'id' | 'name'>[]): string {
  return steps.map(({ id, name }) => `${`${id}`.padStart(4, '0')}-${name}`).join(', ')
}
