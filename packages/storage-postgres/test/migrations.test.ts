import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Executor, type Migration, migrations, postgresExecutor, SchemaError } from '../src/index.js'
import { MIGRATIONS } from '../src/migrations/list.js'
import { type OwnDatabase, ownDatabase } from './_setup.js'

const TABLES = [
  'oidc_authorization_codes',
  'oidc_clients',
  'oidc_consents',
  'oidc_grants',
  'oidc_logout_deliveries',
  'oidc_migrations',
  'oidc_pending_authorizations',
  'oidc_refresh_tokens',
  'oidc_revoked_tokens',
  'oidc_session_clients',
  'oidc_sessions',
  'oidc_signing_keys',
  'oidc_throttles',
  'oidc_users',
]
const LATER: Migration = { id: 9000, name: 'later', sql: 'create table oidc_later (id integer)' }
const ids = (steps: Migration[]) => steps.map(({ id }) => id)
const ALL = ids([...MIGRATIONS])

async function tables(executor: Executor): Promise<string[]> {
  const rows = await executor.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' order by 1`,
  )
  return rows.map(({ name }) => name)
}

describe('migrations', () => {
  let database: OwnDatabase
  let executor: Executor
  beforeAll(async () => {
    database = await ownDatabase()
    executor = database.executor
  })
  afterAll(() => database.drop())

  /** Each test begins with an empty database. */
  const empty = () => executor.query('drop schema public cascade; create schema public')

  it('plan shows what is missing, with its SQL, and changes nothing', async () => {
    await empty()
    expect(await migrations(executor).plan()).toEqual(MIGRATIONS)
    expect(MIGRATIONS[0]?.sql).toContain('create table oidc_clients')
    expect(await tables(executor)).toEqual([])
  })

  it('migrate makes every table in an empty database, and nothing the second time', async () => {
    await empty()
    expect(ids(await migrations(executor).migrate())).toEqual(ALL)
    expect(await tables(executor)).toEqual(TABLES)
    expect(await migrations(executor).plan()).toEqual([])
    await migrations(executor).check()
    expect(await migrations(executor).migrate()).toEqual([])
  })

  it('migrate runs the missing steps alone, in order, and keeps what is stored', async () => {
    await empty()
    await migrations(executor).migrate()
    await executor.query(`insert into oidc_revoked_tokens values ('default', 'jti', 1)`)
    const reason: Migration = {
      id: 2,
      name: 'reason',
      sql: `alter table oidc_revoked_tokens add column reason text not null default 'unknown'`,
    }
    const index: Migration = {
      id: 3,
      name: 'index',
      sql: 'create index oidc_reasons on oidc_revoked_tokens (reason)',
    }
    const next = migrations(executor, [...MIGRATIONS, reason, index])
    expect(await next.plan()).toEqual([reason, index])
    expect(await next.migrate()).toEqual([reason, index])
    expect(await executor.query('select jti, reason from oidc_revoked_tokens')).toEqual([
      { jti: 'jti', reason: 'unknown' },
    ])
    await next.check()
  })

  it('ten servers may start at once: each step runs once, and all come up', async () => {
    await empty()
    const steps = [...MIGRATIONS, LATER]
    const servers = Array.from({ length: 10 }, () => postgresExecutor(database.url, { connections: 2 }))
    const ran = await Promise.all(servers.map((server) => migrations(server, steps).migrate()))
    expect(ids(ran.flat()).sort((a, b) => a - b)).toEqual([...ALL, LATER.id])
    await Promise.all(servers.map((server) => migrations(server, steps).check()))
    await Promise.all(servers.map((server) => server.close()))
  })

  it('waits for another server longer than a statement may take', async () => {
    await empty()
    const hasty = postgresExecutor(database.url, { statementTimeout: 1 })
    const slow = { id: 1, name: 'slow', sql: 'select pg_sleep(1.5)' }
    const first = migrations(executor, [slow]).migrate()
    const second = migrations(hasty, [slow]).migrate()
    expect([...(await first), ...(await second)]).toHaveLength(1)
    await hasty.close()
  })

  it('check refuses a schema that is older, and says what it lacks', async () => {
    await empty()
    await expect(migrations(executor).check()).rejects.toMatchObject({ name: 'SchemaError', state: 'older' })
    await migrations(executor).migrate()
    const next = migrations(executor, [...MIGRATIONS, LATER])
    await expect(next.check()).rejects.toThrow(
      "The database's schema is older than this version: it lacks 9000-later. Run the migrations, then start again.",
    )
    expect(await tables(executor)).toEqual(TABLES)
  })

  it('set-up makes every table in an empty database, and changes nothing in any other', async () => {
    await empty()
    expect(ids(await migrations(executor).setUp())).toEqual(ALL)
    expect(await tables(executor)).toEqual(TABLES)
    expect(await migrations(executor).setUp()).toEqual([])
    const next = migrations(executor, [...MIGRATIONS, LATER])
    await expect(next.setUp()).rejects.toMatchObject({ name: 'SchemaError', state: 'older' })
    expect(await tables(executor)).toEqual(TABLES)
  })

  it('ten servers may set up at once: one makes every step, the others wait for all of them', async () => {
    await empty()
    const slow: Migration = { id: 8000, name: 'slow', sql: 'select pg_sleep(0.5)' }
    const steps = [...MIGRATIONS, slow, LATER]
    const servers = Array.from({ length: 10 }, () =>
      postgresExecutor(database.url, { connections: 2, statementTimeout: 1 }),
    )
    const ran = await Promise.all(servers.map((server) => migrations(server, steps).setUp()))
    expect(ran.map(({ length }) => length).sort()).toEqual([...Array(9).fill(0), steps.length])
    await Promise.all(servers.map((server) => server.close()))
  })

  it('set-up that fails half-way leaves nothing behind', async () => {
    await empty()
    const half = { ...LATER, sql: 'select 1 / 0' }
    await expect(migrations(executor, [...MIGRATIONS, half]).setUp()).rejects.toThrow('division by zero')
    expect(await tables(executor)).toEqual([])
  })

  it('set-up does not touch tables of the same name that somebody else has made', async () => {
    await empty()
    await executor.query('create table oidc_users (theirs integer)')
    await expect(migrations(executor).setUp()).rejects.toThrow('relation "oidc_users" already exists')
    expect(await tables(executor)).toEqual(['oidc_users'])
  })

  it('a role that may not make tables is told that somebody else has to', async () => {
    await empty()
    const refused = executor.transaction(async (tx) => {
      await tx.query('grant usage on schema public to public; set local role pg_read_all_data')
      const within: Executor = { ...tx, transaction: (run) => run(tx), close: async () => {} }
      await migrations(within).setUp()
    })
    await expect(refused).rejects.toMatchObject({
      state: 'older',
      message: expect.stringMatching(
        /^The database is empty: it lacks 0001-records.*, and this role may not create tables in it\. Run the migrations as/,
      ),
    })
  })

  it('refuses a schema that is newer, and leaves it alone', async () => {
    await empty()
    await migrations(executor, [...MIGRATIONS, LATER]).migrate()
    for (const step of ['check', 'plan', 'migrate', 'setUp'] as const) {
      const refusal = migrations(executor)[step]()
      await expect(refusal).rejects.toMatchObject({ state: 'newer' })
      await expect(refusal).rejects.toThrow('which does not know 9000-later. Start the version that made it')
    }
  })

  it('refuses a schema that was made by another text', async () => {
    await empty()
    await migrations(executor).migrate()
    const changed = MIGRATIONS.map((step) => ({ ...step, sql: `${step.sql} -- changed` }))
    for (const step of ['check', 'plan', 'migrate', 'setUp'] as const) {
      await expect(migrations(executor, changed)[step]()).rejects.toMatchObject({ state: 'changed' })
    }
    await expect(migrations(executor, changed).check()).rejects.toThrow(SchemaError)
  })

  it('a step that fails leaves nothing behind', async () => {
    await empty()
    await migrations(executor).migrate()
    const half = { ...LATER, sql: `${LATER.sql}; select 1 / 0` }
    await expect(migrations(executor, [...MIGRATIONS, half]).migrate()).rejects.toThrow('division by zero')
    expect(await tables(executor)).toEqual(TABLES)
    expect(ids(await migrations(executor, [...MIGRATIONS, LATER]).migrate())).toEqual([LATER.id])
  })
})
