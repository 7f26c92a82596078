/** Migrations of a database that servers use: requests go on while a step waits, and an interrupted step runs again. */

import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { type Executor, type Migration, migrations, postgresExecutor } from '../src/index.js'
import { MIGRATIONS } from '../src/migrations/list.js'
import { hold, untilItWaits } from './_held.js'
import { type OwnDatabase, ownDatabase } from './_setup.js'

const INDEX: Migration = {
  id: 9000,
  name: 'index',
  index: 'oidc_revoked_tokens_later',
  sql: 'create index concurrently oidc_revoked_tokens_later on oidc_revoked_tokens (realm, jti, expires_at)',
}
const COLUMN: Migration = {
  id: 9000,
  name: 'column',
  sql: 'alter table oidc_revoked_tokens add column later text',
}

describe('migrations of a database in use', () => {
  let database: OwnDatabase
  let executor: Executor
  let added = 0
  beforeAll(async () => {
    database = await ownDatabase()
    executor = database.executor
  })
  afterAll(() => database.drop())
  beforeEach(async () => {
    await executor.query('drop schema public cascade; create schema public')
    await migrations(executor).migrate()
  })

  const migrate = (step: Migration, db = executor) =>
    migrations(db, { known: [...MIGRATIONS, step] }).migrate()
  const revoke = (db: Pick<Executor, 'query'> = executor) => {
    added += 1
    return db.query(`insert into oidc_revoked_tokens values ('default', 'jti-${added}', 0, 1)`)
  }
  const count = async () => {
    const [row] = await executor.query<{ count: number }>('select count(*)::int from oidc_revoked_tokens')
    return row?.count
  }
  const index = async () => {
    const [row] = await executor.query<{ oid: number; valid: boolean }>(
      `select indexrelid::int as oid, indisvalid as valid from pg_index
       where indexrelid = to_regclass('oidc_revoked_tokens_later')`,
    )
    return row ?? null
  }
  /** The process of the database that builds the index and waits for a transaction; polls until there is one. */
  const waitingBuild = async (): Promise<number> => {
    for (;;) {
      const [row] = await executor.query<{ pid: number }>(
        `select pid from pg_stat_progress_create_index
         where datname = current_database() and phase like 'waiting%' and index_relid <> 0`,
      )
      if (row) return row.pid
    }
  }
  const terminate = (pid: number) => executor.query(`select pg_terminate_backend(${pid})`)

  it('an index is built while writers and readers of the table go on', async () => {
    const writer = await hold(executor, revoke)
    const build = migrate(INDEX)
    await waitingBuild()
    await revoke()
    // The held transaction is not committed yet.
    expect(await count()).toBe(1)
    expect(await index()).toMatchObject({ valid: false })
    await writer.commit()
    expect(await build).toEqual([INDEX])
    expect(await index()).toMatchObject({ valid: true })
    expect(await count()).toBe(2)
  })

  it('two servers at once build it once: the other one waits, and holds up no build', async () => {
    const writer = await hold(executor, revoke)
    const first = migrate(INDEX)
    await waitingBuild()
    let attempts = 0
    let refused = () => {}
    const bothRefused = new Promise<void>((resolve) => {
      refused = resolve
    })
    const counting: Executor = {
      ...executor,
      transaction(run) {
        attempts += 1
        // Each of the two tries again after it was refused the lock.
        if (attempts === 4) refused()
        return executor.transaction(run)
      },
    }
    const others = [migrate(INDEX, counting), migrate(INDEX, counting)]
    await bothRefused
    const seen = await index()
    await writer.commit()
    expect(await Promise.all([first, ...others])).toEqual([[INDEX], [], []])
    expect(await index()).toEqual({ oid: seen?.oid, valid: true })
  })

  it('after an interrupted build, the invalid index is dropped and built again', async () => {
    const writer = await hold(executor, revoke)
    const build = migrate(INDEX)
    const failed = expect(build).rejects.toThrow(/CONNECTION_CLOSED|terminating connection/)
    await terminate(await waitingBuild())
    await failed
    await writer.commit()
    const left = await index()
    expect(left).toMatchObject({ valid: false })
    expect(await migrations(executor, { known: [...MIGRATIONS, INDEX] }).plan()).toEqual([INDEX])
    expect(await migrate(INDEX)).toEqual([INDEX])
    const built = await index()
    expect(built).toMatchObject({ valid: true })
    expect(built?.oid).not.toBe(left?.oid)
  })

  it('the build of a server that was killed is awaited, and used', async () => {
    const writer = await hold(executor, revoke)
    const orphan = executor.queryAlone?.(INDEX.sql)
    await waitingBuild()
    const seen = await index()
    let attempts = 0
    let again = () => {}
    // The build could wait for a transaction that stays open, and the transaction for the build.
    const secondAttempt = new Promise<void>((resolve) => {
      again = resolve
    })
    const counting: Executor = {
      ...executor,
      transaction(run) {
        attempts += 1
        if (attempts === 2) again()
        return executor.transaction(run)
      },
    }
    const build = migrate(INDEX, counting)
    await secondAttempt
    await writer.commit()
    await orphan
    expect(await build).toEqual([INDEX])
    expect(await index()).toEqual({ oid: seen?.oid, valid: true })
  })

  it('says what to do when the limit of the role cancels the build, as behind a connection pooler', async () => {
    const hasty = postgresExecutor(database.url, { statementTimeout: 0.2 })
    onTestFinished(() => hasty.close())
    const writer = await hold(executor, revoke)
    const pooled: Executor = { ...executor, queryAlone: hasty.query }
    await expect(migrate(INDEX, pooled)).rejects.toThrow(
      'The build of the index oidc_revoked_tokens_later was canceled, by the statement_timeout of the role',
    )
    await writer.commit()
    expect(await migrate(INDEX)).toEqual([INDEX])
    expect(await index()).toMatchObject({ valid: true })
  })

  it('a new column waits for the table in short attempts, between which requests go on', async () => {
    const reader = await hold(executor, (tx) => tx.query('select from oidc_revoked_tokens'))
    const known = [...MIGRATIONS, COLUMN]
    const table_wait = { wait_ms: 50, pause_ms: 50, attempts: 10_000 }
    const step = migrations(executor, { known, table_wait }).migrate()
    expect(await untilItWaits(executor, step)).toBe(true)
    for (let requests = 0; requests < 20; requests += 1) await revoke()
    await reader.commit()
    expect(await step).toEqual([COLUMN])
    expect(await count()).toBe(20)
  })

  it('says which transaction to end when a table stays locked, and changes nothing', async () => {
    const reader = await hold(executor, (tx) => tx.query('select from oidc_revoked_tokens'))
    const next = migrations(executor, {
      known: [...MIGRATIONS, COLUMN],
      table_wait: { wait_ms: 10, pause_ms: 1, attempts: 3 },
    })
    await expect(next.migrate()).rejects.toThrow(
      'The step 9000-column changes a table that another transaction has locked, in each of 3 attempts',
    )
    await reader.commit()
    expect(await next.plan()).toEqual([COLUMN])
    expect(await next.migrate()).toEqual([COLUMN])
  })

  it('the set-up of an empty database builds the index in its one transaction', async () => {
    await executor.query('drop schema public cascade; create schema public')
    const known = [...MIGRATIONS, INDEX]
    expect(await migrations(executor, { known }).setUp()).toEqual(known)
    expect(await index()).toMatchObject({ valid: true })
  })

  it('a database without other connections builds the index in the transaction of the step', async () => {
    const embedded: Executor = { ...executor, queryAlone: undefined } as unknown as Executor
    expect(await migrations(embedded, { known: [...MIGRATIONS, INDEX] }).migrate()).toEqual([INDEX])
    expect(await index()).toMatchObject({ valid: true })
  })
})
