/** What `diagnose` finds in a real PostgreSQL, and what `diagnoseFailure` says of its errors. */

import { UNLIMITED } from '@ostiary/test-kit/database'
import { freePort } from '@ostiary/test-kit/ports'
import { describe, expect, it, onTestFinished } from 'vitest'
import { diagnose, diagnoseFailure, type Executor, migrations, postgresExecutor } from '../src/index.js'
import { MIGRATIONS } from '../src/migrations/list.js'
import { migratedDatabase, ownDatabase } from './_setup.js'

const SAME_TIME = { status: 'ok', message: 'this machine and the database show the same time' }

async function migrated() {
  const database = await migratedDatabase()
  onTestFinished(database.drop)
  return database
}

const connections = (url: string) => {
  const executor = postgresExecutor(url, { ...UNLIMITED, connections: 1 })
  onTestFinished(() => executor.close())
  return executor
}

describe('diagnose', () => {
  it('an empty database, and one with every table: nothing is wrong', async () => {
    const { executor, drop } = await ownDatabase()
    onTestFinished(drop)
    expect(await diagnose(executor)).toEqual({ is_empty: true, server: [], clock: SAME_TIME })
    expect(await executor.query(`select from pg_tables where schemaname = 'public'`)).toEqual([])
    const { url } = await migrated()
    const another = () => postgresExecutor(url, { ...UNLIMITED, connections: 1 })
    const { executor: other } = await migrated()
    expect(await diagnose(other, { another })).toEqual({ is_empty: false, server: [], clock: SAME_TIME })
  })

  it('a database that is read-only', async () => {
    const { executor, url } = await migrated()
    const name = new URL(url).pathname.slice(1)
    await executor.query(`alter database ${name} set default_transaction_read_only = on`)
    const { server } = await diagnose(connections(url))
    expect(server).toMatchObject([
      { status: 'fault', message: expect.stringMatching(/^is read-only .*: the server does not start$/) },
    ])
  })

  it('connections of a pooler, which change with each transaction', async () => {
    const { executor, url } = await migrated()
    /** What such a pooler does: the next query is on another backend. */
    const another = () => {
      const pool = postgresExecutor(url, { ...UNLIMITED, connections: 1 })
      const query = async <T>(text: string) => {
        const next = postgresExecutor(url, { ...UNLIMITED, connections: 1 })
        return next.query<T>(text).finally(() => next.close())
      }
      return { ...pool, query }
    }
    const { server } = await diagnose(executor, { another })
    expect(server).toMatchObject([{ status: 'note', message: expect.stringMatching(/^is behind a pooler/) }])
    expect((await diagnose(executor)).server).toEqual([])
  })

  it.each([
    ["+ interval '1 hour'", /^this machine is \d+ s behind the database$/],
    ["- interval '1 hour'", /^this machine is \d+ s ahead of the database$/],
  ])('a clock %s', async (difference, message) => {
    const { executor } = await migrated()
    const other: Executor = {
      ...executor,
      query: (text, params) =>
        executor.query(text.replace('clock_timestamp()', `clock_timestamp() ${difference}`), params),
    }
    const { clock } = await diagnose(other)
    expect(clock).toMatchObject({ status: 'fault', message: expect.stringMatching(message) })
  })
})

describe('diagnoseFailure', () => {
  const failureOf = (failing: Promise<unknown>): Promise<unknown> =>
    failing.then(
      () => expect.unreachable(),
      (error: unknown) => error,
    )

  it('a schema of another version, of a server and embedded', async () => {
    const { executor } = await migrated()
    const later = { id: 8000, name: 'later', sql: 'select 1' }
    const older = await failureOf(migrations(executor, { known: [...MIGRATIONS, later] }).check())
    for (const shown_as of ['it', null])
      expect(diagnoseFailure(older, shown_as)).toMatchObject({ advice: 'Run ostiary migrate.' })
    await executor.query(`insert into oidc_migrations (id, name, checksum) values (9000, 'later', '')`)
    const newer = await failureOf(diagnose(executor))
    expect(diagnoseFailure(newer, 'it')).toMatchObject({
      advice: expect.stringMatching(/^Run the newer version/),
    })
  })

  it('a server that does not answer', async () => {
    const error = await failureOf(diagnose(connections(`postgres://127.0.0.1:${await freePort()}/x`)))
    expect(diagnoseFailure(error, 'it')).toEqual({
      status: 'fault',
      message: 'it does not answer (ECONNREFUSED)',
      advice: 'Start it, or correct DATABASE_URL; check the firewall.',
    })
    expect(diagnoseFailure(error, null)).toBeNull()
  })

  it('a database that does not exist', async () => {
    const { url } = await migrated()
    const missing = new URL(url)
    missing.pathname = '/ostiary_missing'
    const error = await failureOf(diagnose(connections(missing.href)))
    expect(diagnoseFailure(error, 'it')).toMatchObject({ message: 'it: there is no such database' })
  })

  it.each([
    ['28P01', 'it refuses the user or the password'],
    ['28000', 'it refuses the user or the password'],
    ['42501', 'it: the user may not read its tables'],
    ['57P03', 'it does not answer (57P03)'],
    ['CONNECT_TIMEOUT', 'it does not answer (CONNECT_TIMEOUT)'],
  ])('code %s, also of the cause', (code, message) => {
    const error = Object.assign(new Error('failed'), { code })
    for (const failure of [error, new Error('outer', { cause: error }), new AggregateError([error])])
      expect(diagnoseFailure(failure, 'it')).toMatchObject({ status: 'fault', message })
  })

  it('a pooler that refuses a parameter', () => {
    const error = new Error('unsupported startup parameter: statement_timeout')
    expect(diagnoseFailure(error, 'it')).toMatchObject({
      message: 'it: unsupported startup parameter: statement_timeout',
      advice: expect.stringMatching(/^Add statement_timeout to ignore_startup_parameters/),
    })
  })

  it('another error is not understood', () => {
    expect(diagnoseFailure(new Error('something else'), 'it')).toBeNull()
  })
})
