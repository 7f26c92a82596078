/** Through the PgBouncer of docs/run-it.md, in both modes: its blocks, its restart under load, and what goes wrong without them. */

import { MIGRATIONS, type Migration, migrations, postgresExecutor } from '@ostiary/storage-postgres'
import { eventually } from '@ostiary/test-kit/eventually'
import { run, SECRET } from '@ostiary/test-kit/server'
import { expect, it, onTestFinished } from 'vitest'
import { WEEKLY } from '../../../vitest.shared.ts'
import { clients, QUICK_KEYS, users } from './client.ts'
import { blockWith, startProgram } from './debian-programs.ts'
import { broken, grantsLost, NOTHING_BROKEN } from './ledger.ts'
import { ALL, grown, type Kind, startWork, total } from './outage-load.ts'
import { provider } from './provider.ts'
import { report } from './report.ts'
import { ownPostgres } from './services.ts'

const REQUESTS = 2000
type Mode = 'transaction' | 'session'

const config = (origin: string) => ({
  app: { url: origin },
  oidc: { keys: QUICK_KEYS, tokens: { refresh_token_grace: 60 } },
  clients,
  users,
})

/** A PgBouncer in front of a new PostgreSQL. @returns It, and the variables of docs/run-it.md for a server. */
async function startPooler(mode: Mode, changes: Record<string, string> = {}) {
  const postgres = await ownPostgres()
  const admin = postgresExecutor(postgres.url)
  await admin.query('create role ostiary login')
  await admin.query('create database ostiary owner ostiary')
  await admin.query(blockWith('ALTER ROLE ostiary'))
  await admin.close()
  const pooler = await startProgram({
    program: 'pgbouncer',
    files: { users: '"ostiary" "password"\n' },
    configuration: (port, folder) =>
      blockWith('[pgbouncer]', {
        'port=5432': `port=${new URL(postgres.url).port}`,
        'listen_port = 6432': `listen_port = ${port}\nunix_socket_dir =`,
        '/etc/pgbouncer/userlist.txt': `${folder}/users`,
        'pool_mode = transaction': `pool_mode = ${mode}`,
        ...changes,
      }),
  })
  const variables = blockWith('DATABASE_URL=postgres://ostiary:password@127.0.0.1:6432')
    .replace('6432', `${pooler.port}`)
    .trim()
    .split('\n')
    .map((line): [string, string] => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)])
  const direct = new URL(postgres.url)
  direct.pathname = '/ostiary'
  return { pooler, env: Object.fromEntries(variables), direct: direct.href }
}

/** Lets the clients work until they have had this many answers. */
async function served(tally: { served: Record<Kind, number> }, faults: string[], count: number) {
  const goal = total(tally.served) + count
  await eventually(() => faults.length > 0 || total(tally.served) >= goal, { seconds: 120 })
  expect(faults).toEqual([])
}

/** What `doctor` says about the database beside that it answers. */
async function doctorNotes(env: Record<string, string>): Promise<string[]> {
  const { stdout } = await run({
    config: config('http://localhost:3000'),
    env: { ...env, OIDC_SECRET: SECRET },
    args: ['doctor', '--offline', '--json'],
  })
  const { checks } = JSON.parse(stdout) as { checks: { check: string; status: string; message: string }[] }
  return checks.flatMap(({ check, status, message }) =>
    check === 'database' && status !== 'ok' ? [message] : [],
  )
}

it.each(WEEKLY ? (['session'] as const) : (['transaction'] as const))(
  '%s mode: no error; through a restart 503 only',
  async (mode) => {
    const { pooler, env, direct } = await startPooler(mode)
    const { DATABASE_URL = '', OSTIARY_DATABASE__PREPARE = '' } = env
    const prepare = mode === 'transaction' ? { OSTIARY_DATABASE__PREPARE } : undefined
    const { origin } = await provider({ config, env: { DATABASE_URL, ...prepare } })
    const load = await startWork(origin)
    const { tally, ledger } = load
    const under = (work: Promise<unknown>) => Promise.race([work, load.working])
    await under(served(tally, ledger.faults, REQUESTS))
    const before = { requests: total(tally.served), answered_503: total(tally.unavailable) }
    await pooler.pause()
    await under(
      grown(tally.unavailable, [['authorize', 'redeem'], ['refresh'], ['introspect']], ledger.faults),
    )
    await pooler.resume()
    await under(grown(tally.served, ALL, ledger.faults))
    await load.stop()
    const database = postgresExecutor(direct)
    onTestFinished(() => database.close())
    const pooled = postgresExecutor(DATABASE_URL, { prepare: false })
    onTestFinished(() => pooled.close())
    expect(await doctorNotes({ DATABASE_URL, OSTIARY_DATABASE__PREPARE: 'true' })).toEqual(
      mode === 'transaction' ? [expect.stringContaining('gives each transaction another connection')] : [],
    )
    expect(await doctorNotes(env)).toEqual([])
    const [limit] = await pooled.query<{ statement_timeout: string }>('show statement_timeout')
    const found = await broken(database, ledger)
    report(`PgBouncer in ${mode} mode`, {
      before_the_restart: before,
      through_the_restart: {
        requests: total(tally.served) - before.requests,
        answered_503: total(tally.unavailable) - before.answered_503,
      },
      other_errors: ledger.faults.length,
      codes_lost: tally.codes_lost,
      ...found,
    })
    expect(before.answered_503).toBe(0)
    expect(limit).toEqual({ statement_timeout: '5s' })
    expect(found).toEqual(NOTHING_BROKEN)
    expect(await grantsLost(database, ledger)).toBe(0)
  },
)

it('transaction mode with prepared statements: they are no longer prepared after the first that is lost', async () => {
  const { env } = await startPooler('transaction')
  const { DATABASE_URL = '' } = env
  const { origin } = await provider({ config, env: { DATABASE_URL } })
  const load = await startWork(origin)
  const { tally, ledger } = load
  await Promise.race([served(tally, ledger.faults, REQUESTS / 4), load.working])
  await load.stop()
  report('PgBouncer in transaction mode, with prepared statements', {
    requests: total(tally.served),
    answered_503: total(tally.unavailable),
    other_errors: ledger.faults.length,
  })
  expect(total(tally.unavailable)).toBe(0)
})

it('without ignore_startup_parameters: the start and doctor say what to set, and it works', async () => {
  const { env } = await startPooler('transaction', { 'ignore_startup_parameters = statement_timeout\n': '' })
  const { DATABASE_URL = '' } = env
  const { code, stderr } = await run({
    config: config('http://localhost:3000'),
    env: { DATABASE_URL, OIDC_SECRET: SECRET },
  })
  expect([code, stderr]).toEqual([1, expect.stringContaining('OSTIARY_DATABASE__STATEMENT_TIMEOUT to 0')])
  expect(stderr).toContain(
    'Add statement_timeout to ignore_startup_parameters in the configuration of PgBouncer',
  )
  const { origin } = await provider({ config, env: { ...env, OSTIARY_DATABASE__STATEMENT_TIMEOUT: '0' } })
  expect((await fetch(`${origin}/readyz`)).status).toBe(200)
})

const INDEX: Migration = {
  id: 9000,
  name: 'index',
  index: 'oidc_revoked_tokens_later',
  sql: 'create index concurrently oidc_revoked_tokens_later on oidc_revoked_tokens (realm, jti, expires_at)',
}

it('transaction mode: three servers migrate at once, and an index is built while a transaction is open', async () => {
  const { env, direct } = await startPooler('transaction')
  const servers = Array.from({ length: 3 }, () =>
    postgresExecutor(env.DATABASE_URL ?? '', { connections: 2, prepare: false, statementTimeout: 0 }),
  )
  const observer = postgresExecutor(direct)
  onTestFinished(async () => {
    await Promise.all([observer, ...servers].map((executor) => executor.close()))
  })
  const migrate = (known: readonly Migration[]) =>
    Promise.all(servers.map((server) => migrations(server, { known }).migrate()))
  const first = await migrate(MIGRATIONS)
  // Each step once: the lock is given up between two steps, so another server may run the next one.
  expect(first.flat().sort((a, b) => a.id - b.id)).toEqual(MIGRATIONS)
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const writer = observer.transaction(async (tx) => {
    await tx.query(`insert into oidc_revoked_tokens values ('default', 'jti', 0, 1)`)
    await released
  })
  const second = migrate([...MIGRATIONS, INDEX])
  await eventually(
    async () =>
      (await observer.query(`select from pg_stat_progress_create_index where phase like 'waiting%'`)).length >
      0,
  )
  release()
  await writer
  const steps = await second
  expect(steps.map(({ length }) => length).sort()).toEqual([0, 0, 1])
  const valid = await observer.query(
    `select indisvalid as valid from pg_index where indexrelid = 'oidc_revoked_tokens_later'::regclass`,
  )
  expect(valid).toEqual([{ valid: true }])
  report('migrations through PgBouncer in transaction mode', { servers: 3, builds: 1 })
})

it.each([false, true])(
  'transaction mode: a transaction on another backend than the one before it is committed (prepare: %s)',
  async (prepare) => {
    const { env, direct } = await startPooler('transaction')
    const open = () => postgresExecutor(env.DATABASE_URL ?? '', { connections: 1, prepare })
    const observer = postgresExecutor(direct)
    const writer = open()
    const other = open()
    onTestFinished(async () => {
      await Promise.all([observer, writer, other].map((executor) => executor.close()))
    })
    await observer.query('create table written (n integer)')
    await observer.query('grant all on written to public')
    const write = (n: number) =>
      writer.transaction(async (tx) => {
        const [row] = await tx.query<{ pid: number }>('select pg_backend_pid() as pid')
        await tx.query(`insert into written values (${n})`)
        return row?.pid
      })
    const first = await write(1)
    const second = other.transaction(async (tx) => {
      await tx.query('select 1')
      return write(2)
    })
    expect(await second).not.toBe(first)
    const rows = await observer.query('select n from written order by n')
    expect(rows).toEqual([{ n: 1 }, { n: 2 }])
  },
)
