import { UNLIMITED } from '@ostiary/test-kit/database'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Executor, type Migration, migrations, postgresExecutor, SchemaError } from '../src/index.js'
import { MIGRATIONS } from '../src/migrations/list.js'
import { type OwnDatabase, ownDatabase } from './_setup.js'

const TABLES = [
  'oidc_addresses',
  'oidc_audit',
  'oidc_audit_seals',
  'oidc_audit_sinks',
  'oidc_authorization_codes',
  'oidc_client_documents',
  'oidc_clients',
  'oidc_consents',
  'oidc_database',
  'oidc_factors',
  'oidc_grants',
  'oidc_leases',
  'oidc_link_keys',
  'oidc_links',
  'oidc_logout_deliveries',
  'oidc_mails',
  'oidc_migrations',
  'oidc_pending_authorizations',
  'oidc_realms',
  'oidc_refresh_tokens',
  'oidc_remembered_devices',
  'oidc_replays',
  'oidc_revoked_tokens',
  'oidc_roles',
  'oidc_session_browsers',
  'oidc_session_clients',
  'oidc_sessions',
  'oidc_signing_keys',
  'oidc_throttles',
  'oidc_tickets',
  'oidc_usernames',
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

  /** Empties the database; each test starts with it. */
  const empty = () => executor.query('drop schema public cascade; create schema public')

  it('plan returns the missing steps with their SQL, and changes nothing', async () => {
    await empty()
    expect(await migrations(executor).plan()).toEqual(MIGRATIONS)
    expect(MIGRATIONS[0]?.sql).toContain('create table oidc_clients')
    expect(await tables(executor)).toEqual([])
  })

  it('migrate creates every table in an empty database, and nothing the second time', async () => {
    await empty()
    expect(ids(await migrations(executor).migrate())).toEqual(ALL)
    expect(await tables(executor)).toEqual(TABLES)
    expect(await migrations(executor).plan()).toEqual([])
    await migrations(executor).check()
    expect(await migrations(executor).migrate()).toEqual([])
  })

  it('migrate runs only the missing steps, in order, and keeps the stored rows', async () => {
    await empty()
    await migrations(executor).migrate()
    await executor.query(`insert into oidc_revoked_tokens values ('default', 'jti', 0, 1)`)
    const reason: Migration = {
      id: 9001,
      name: 'reason',
      sql: `alter table oidc_revoked_tokens add column reason text not null default 'unknown'`,
    }
    const index: Migration = {
      id: 9002,
      name: 'index',
      sql: 'create index oidc_reasons on oidc_revoked_tokens (reason)',
    }
    const next = migrations(executor, { known: [...MIGRATIONS, reason, index] })
    expect(await next.plan()).toEqual([reason, index])
    expect(await next.migrate()).toEqual([reason, index])
    expect(await executor.query('select jti, reason from oidc_revoked_tokens')).toEqual([
      { jti: 'jti', reason: 'unknown' },
    ])
    await next.check()
  })

  it('ten servers can migrate at once: each step runs once', async () => {
    await empty()
    const steps = [...MIGRATIONS, LATER]
    const servers = Array.from({ length: 10 }, () =>
      postgresExecutor(database.url, { ...UNLIMITED, connections: 2 }),
    )
    const ran = await Promise.all(servers.map((server) => migrations(server, { known: steps }).migrate()))
    expect(ids(ran.flat()).sort((a, b) => a - b)).toEqual([...ALL, LATER.id])
    await Promise.all(servers.map((server) => migrations(server, { known: steps }).check()))
    await Promise.all(servers.map((server) => server.close()))
  })

  it('waits for another server for longer than the time limit of a statement', async () => {
    await empty()
    const hasty = postgresExecutor(database.url, { statementTimeout: 1 })
    const slow = { id: 1, name: 'slow', sql: 'select pg_sleep(1.5)' }
    const first = migrations(executor, { known: [slow] }).migrate()
    const second = migrations(hasty, { known: [slow] }).migrate()
    expect([...(await first), ...(await second)]).toHaveLength(1)
    await hasty.close()
  })

  it('check refuses an older schema, and names the missing steps', async () => {
    await empty()
    await expect(migrations(executor).check()).rejects.toMatchObject({ name: 'SchemaError', state: 'older' })
    await migrations(executor).migrate()
    const next = migrations(executor, { known: [...MIGRATIONS, LATER] })
    await expect(next.check()).rejects.toThrow(
      "The database's schema is older than this version: it lacks 9000-later. Run the migrations, then start again.",
    )
    expect(await tables(executor)).toEqual(TABLES)
  })

  it('set-up creates every table in an empty database, and changes nothing in any other', async () => {
    await empty()
    expect(ids(await migrations(executor).setUp())).toEqual(ALL)
    expect(await tables(executor)).toEqual(TABLES)
    expect(await migrations(executor).setUp()).toEqual([])
    const next = migrations(executor, { known: [...MIGRATIONS, LATER] })
    await expect(next.setUp()).rejects.toMatchObject({ name: 'SchemaError', state: 'older' })
    expect(await tables(executor)).toEqual(TABLES)
  })

  it('ten servers can set up at once: one runs all steps, and the others wait for it', async () => {
    await empty()
    const slow: Migration = { id: 8000, name: 'slow', sql: 'select pg_sleep(0.5)' }
    const steps = [...MIGRATIONS, slow, LATER]
    const servers = Array.from({ length: 10 }, () =>
      postgresExecutor(database.url, { connections: 2, statementTimeout: 1 }),
    )
    const ran = await Promise.all(servers.map((server) => migrations(server, { known: steps }).setUp()))
    expect(ran.map(({ length }) => length).sort()).toEqual([...Array(9).fill(0), steps.length])
    await Promise.all(servers.map((server) => server.close()))
  })

  it('a set-up that fails changes nothing', async () => {
    await empty()
    const half = { ...LATER, sql: 'select 1 / 0' }
    await expect(migrations(executor, { known: [...MIGRATIONS, half] }).setUp()).rejects.toThrow(
      'division by zero',
    )
    expect(await tables(executor)).toEqual([])
  })

  it('set-up does not change existing tables of the same name', async () => {
    await empty()
    await executor.query('create table oidc_users (theirs integer)')
    await expect(migrations(executor).setUp()).rejects.toThrow('relation "oidc_users" already exists')
    expect(await tables(executor)).toEqual(['oidc_users'])
  })

  it('set-up tells a role without the privilege that another role must migrate', async () => {
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

  it('refuses a newer schema, and changes nothing', async () => {
    await empty()
    await migrations(executor, { known: [...MIGRATIONS, LATER] }).migrate()
    for (const step of ['check', 'plan', 'migrate', 'setUp'] as const) {
      const refusal = migrations(executor)[step]()
      await expect(refusal).rejects.toMatchObject({ state: 'newer' })
      await expect(refusal).rejects.toThrow('which does not know 9000-later. Start the version that made it')
    }
  })

  it('refuses a schema that was made by other SQL', async () => {
    await empty()
    await migrations(executor).migrate()
    const changed = MIGRATIONS.map((step) => ({ ...step, sql: `${step.sql} -- changed` }))
    for (const step of ['check', 'plan', 'migrate', 'setUp'] as const) {
      await expect(migrations(executor, { known: changed })[step]()).rejects.toMatchObject({
        state: 'changed',
      })
    }
    await expect(migrations(executor, { known: changed }).check()).rejects.toThrow(SchemaError)
    // What its user does: everything but sessions and tokens can be carried over.
    await expect(migrations(executor, { known: changed }).check()).rejects.toThrow(
      /0001-records.* export each realm with the version that made it, and import it with this one .* Sessions and tokens are not carried/,
    )
    // A changed step counts first: a schema that begins otherwise is not a newer one.
    await migrations(executor, { known: [...MIGRATIONS, LATER] }).migrate()
    await expect(migrations(executor, { known: changed }).check()).rejects.toMatchObject({ state: 'changed' })
  })

  it('a step that fails changes nothing', async () => {
    await empty()
    await migrations(executor).migrate()
    const half = { ...LATER, sql: `${LATER.sql}; select 1 / 0` }
    await expect(migrations(executor, { known: [...MIGRATIONS, half] }).migrate()).rejects.toThrow(
      'division by zero',
    )
    expect(await tables(executor)).toEqual(TABLES)
    expect(ids(await migrations(executor, { known: [...MIGRATIONS, LATER] }).migrate())).toEqual([LATER.id])
  })
})
