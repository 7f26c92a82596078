/** Every record of one database, copied to another one. */

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { copyDatabase, countRecords, type Executor, migrations, TargetNotEmptyError } from '../src/index.js'
import { LEFT_TABLES, MOVED_TABLES } from '../src/moving/tables.js'
import { fillTables } from './_full-tables.js'
import { hold, untilItWaits } from './_held.js'
import { migratedDatabase, type OwnDatabase } from './_setup.js'

const ROWS = 2_500
const TABLES = Object.keys(MOVED_TABLES)

describe('copy of a database', () => {
  let source: OwnDatabase
  let target: OwnDatabase
  beforeAll(async () => {
    source = await migratedDatabase()
    target = await migratedDatabase()
    await fillTables(source.executor, ROWS)
    // What JSON and a change of types could damage.
    await source.executor.query(`insert into oidc_users values
      ('über', 'sub-1', 'Änn "the" \\ 🙂', 'änn', null, '{"b": 1.0, "a": [1e400, "\\u00e9"],  "b": 2}', 0, 9007199254740993, 2, null, 3, true)`)
  })
  afterAll(() => Promise.all([source.drop(), target.drop()]))
  beforeEach(() => target.executor.query(`truncate ${TABLES.join(', ')}`))

  const digest = async (db: Executor, table: string) => {
    const [row] = await db.query<{ digest: string }>(
      `select md5(string_agg(t::text, E'\\n' order by t::text collate "C")) as digest from ${table} t`,
    )
    return row?.digest
  }

  it('the lists have every table of the schema, and the primary key of each', async () => {
    const tables = await source.executor.query<{ name: string; key: string[] }>(`
      select c.relname as name, json_agg(a.attname order by array_position(i.indkey::int2[], a.attnum)) as key
      from pg_class c join pg_index i on i.indrelid = c.oid and i.indisprimary
        join pg_attribute a on a.attrelid = c.oid and a.attnum = any(i.indkey)
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' group by c.oid, c.relname`)
    const [count] = await source.executor.query<{ count: number }>(
      `select count(*) as count from pg_tables where schemaname = 'public'`,
    )
    expect(tables).toHaveLength(count?.count ?? 0)
    const moved = tables.filter(({ name }) => !LEFT_TABLES.includes(name))
    expect(
      Object.fromEntries(moved.map(({ name, key }) => [name, key.filter((column) => column !== 'bucket')])),
    ).toEqual(
      Object.fromEntries(Object.entries(MOVED_TABLES).map(([name, key]) => [name, ['realm', ...key]])),
    )
  })

  it('copies every row of every table byte by byte, in batches, and counts them', async () => {
    const counts = await copyDatabase(source.executor, target.executor)
    expect(counts).toEqual(await countRecords(target.executor))
    expect(Object.values(counts).every((rows) => rows >= ROWS)).toBe(true)
    for (const table of TABLES)
      expect([table, await digest(target.executor, table)]).toEqual([
        table,
        await digest(source.executor, table),
      ])
  })

  it('a target with a record is refused, and stays as it is', async () => {
    await target.executor.query(`insert into oidc_revoked_tokens values ('default', 'jti', 0, 1)`)
    const refused = copyDatabase(source.executor, target.executor)
    await expect(refused).rejects.toThrow(TargetNotEmptyError)
    await expect(refused).rejects.toThrow('in oidc_revoked_tokens: name a database without records')
    const counts = await countRecords(target.executor)
    expect(Object.values(counts).reduce((sum, rows) => sum + rows)).toBe(1)
  })

  it('a record that is written to the target at the same time is noticed', async () => {
    const writer = await hold(target.executor, (tx) =>
      tx.query(`insert into oidc_revoked_tokens values ('default', 'jti', 0, 1)`),
    )
    const copy = copyDatabase(source.executor, target.executor)
    const refused = expect(copy).rejects.toThrow(TargetNotEmptyError)
    expect(await untilItWaits(target.executor, copy)).toBe(true)
    await writer.commit()
    await refused
  })

  it('a copy that fails leaves the target empty', async () => {
    await target.executor.query('alter table oidc_logout_deliveries add check (attempts > 5)')
    await expect(copyDatabase(source.executor, target.executor)).rejects.toThrow('check constraint')
    await target.executor.query(
      'alter table oidc_logout_deliveries drop constraint oidc_logout_deliveries_attempts_check',
    )
    const counts = await countRecords(target.executor)
    expect(Object.values(counts).every((rows) => rows === 0)).toBe(true)
  })

  it('has the rows of one moment of the source', async () => {
    const locked = await hold(target.executor, (tx) =>
      tx.query('lock table oidc_clients in access exclusive mode'),
    )
    const copy = copyDatabase(source.executor, target.executor)
    expect(await untilItWaits(target.executor, copy)).toBe(true)
    await source.executor.query(`insert into oidc_revoked_tokens values ('default', 'late', 0, 1)`)
    await locked.commit()
    const counts = await copy
    expect(counts.oidc_revoked_tokens).toBe(ROWS)
    expect((await countRecords(target.executor)).oidc_revoked_tokens).toBe(ROWS)
    await source.executor.query(`delete from oidc_revoked_tokens where jti = 'late'`)
  })

  it('the target has to have the tables', async () => {
    const bare = await migratedDatabase()
    await bare.executor.query('drop schema public cascade; create schema public')
    await expect(copyDatabase(source.executor, bare.executor)).rejects.toThrow('does not exist')
    await migrations(bare.executor).setUp()
    await copyDatabase(source.executor, bare.executor)
    await bare.drop()
  })
})
