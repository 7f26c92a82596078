/** A database that was restored or copied is noticed, and one that was not is used. */

import { type ReplicatedPostgres, startReplication } from '@ostiary/local-services/replication'
import { type RecoveryTarget, startRestorable } from '@ostiary/local-services/restorable'
import { copyOfDatabase, newDatabase, UNLIMITED } from '@ostiary/test-kit/database'
import { eventually } from '@ostiary/test-kit/eventually'
import postgres from 'postgres'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  diagnose,
  diagnoseFailure,
  isUnavailable,
  lineageWatch,
  MIGRATIONS,
  migrations,
  type PooledExecutor,
  type PostgresOptions,
  postgresExecutor,
  RestoredError,
  recordLineage,
} from '../src/index.js'

function open(url: string, options: PostgresOptions = {}): PooledExecutor {
  const executor = postgresExecutor(url, { ...UNLIMITED, connections: 1, ...options })
  onTestFinished(() => executor.close())
  return executor
}

async function ownDatabase(): Promise<string> {
  const { url, drop } = await newDatabase()
  onTestFinished(drop)
  await migrations(open(url)).migrate()
  return url
}

const COPIED = 'its records were written in another database'
const EARLIER = 'a server has seen a later state'
const TO_TARGET = 'it was recovered to a point in time (recovery_target)'

/** True: it is used. False: nothing is known. Else the reason for which it is refused. */
async function askedOf(executor: PooledExecutor, watch = lineageWatch()): Promise<boolean | string> {
  try {
    const onCommit = await watch.check(executor)
    onCommit?.()
    return onCommit !== null
  } catch (error) {
    if (error instanceof RestoredError) return error.message.split(': ')[1] ?? ''
    throw error
  }
}

describe('a database', () => {
  it('that is new is used, and so are several side by side', async () => {
    const [one, other] = [open(await ownDatabase()), open(await ownDatabase())]
    const watch = lineageWatch()
    for (let times = 0; times < 2; times += 1)
      expect([await askedOf(one, watch), await askedOf(one), await askedOf(other)]).toEqual([
        true,
        true,
        true,
      ])
    expect(await watch.storeFailover(one)).toBe(false)
  })

  it('that is a copy of another one is refused, until it is accepted; the other one is used', async () => {
    const url = await ownDatabase()
    expect(await askedOf(open(url))).toBe(true)
    const copy = open(await copyOfDatabase(url, onTestFinished))
    expect(await askedOf(copy)).toBe(COPIED)
    expect(await askedOf(copy)).toBe(COPIED)
    expect(await recordLineage(copy)).toBe(true)
    expect([await askedOf(copy), await askedOf(open(url))]).toEqual([true, true])
  })

  it('into which a dump of itself was restored is refused', async () => {
    const executor = open(await ownDatabase())
    expect(await askedOf(executor)).toBe(true)
    const table = MIGRATIONS.find(({ name }) => name === 'database')?.sql ?? ''
    await executor.query(`create table dump as table oidc_database; drop table oidc_database; ${table};
      insert into oidc_database select * from dump`)
    expect(await askedOf(executor)).toBe(COPIED)
  })

  it.each([
    ['delete from oidc_database', 'its table oidc_database is empty'],
    ['drop table oidc_database', 'its schema is an older one'],
    ['update oidc_database set recorded_at = recorded_at - 1', EARLIER],
  ])('in which a backup was restored while a server used it is refused: %s', async (restore, reason) => {
    const executor = open(await ownDatabase())
    const watch = lineageWatch()
    expect(await askedOf(executor, watch)).toBe(true)
    await executor.query(restore)
    expect(await askedOf(executor, watch)).toBe(reason)
  })

  it('is unavailable while it is refused, and the error says what to do', async () => {
    const url = await ownDatabase()
    await askedOf(open(url))
    const copy = open(await copyOfDatabase(url, onTestFinished))
    const before = await copy.query('select * from oidc_database')
    const error: unknown = await diagnose(copy).catch((cause: unknown) => cause)
    expect(isUnavailable(error)).toBe(true)
    expect(diagnoseFailure(error, 'db')).toMatchObject({
      status: 'fault',
      message: `db: the database was restored, moved or copied: ${COPIED}`,
      advice: expect.stringContaining('run ostiary database restored'),
    })
    expect(await copy.query('select * from oidc_database')).toEqual(before)
  })
})

describe('a role', () => {
  async function asOwner() {
    const { url, drop } = await newDatabase()
    const role = `owner_${new URL(url).pathname.slice(1)}`
    const admin = open(url)
    await admin.query(
      `create role ${role} login; alter database ${new URL(url).pathname.slice(1)} owner to ${role}`,
    )
    onTestFinished(async () => {
      await drop()
      const server = postgresExecutor(process.env.DATABASE_URL ?? '', { ...UNLIMITED, connections: 1 })
      await server.query(`drop role ${role}`)
      await server.close()
    })
    const own = new URL(url)
    own.username = role
    const executor = open(own.href)
    await migrations(executor).migrate()
    return { admin, executor }
  }

  it('that only owns the database can tell', async () => {
    const { executor } = await asOwner()
    expect(await askedOf(executor)).toBe(true)
    const [row] = await executor.query<{ timeline: number }>('select timeline from oidc_database')
    expect(row).toEqual({ timeline: 1 })
    expect((await diagnose(executor)).server).toEqual([])
  })

  it.each(['pg_control_system()', 'pg_current_wal_flush_lsn()'])(
    'that may not ask for %s is served without the check, and doctor says so',
    async (name) => {
      const { admin, executor } = await asOwner()
      await admin.query(`revoke execute on function ${name} from public`)
      expect(await askedOf(executor)).toBe(false)
      expect(await recordLineage(executor)).toBe(false)
      expect((await diagnose(executor)).server).toMatchObject([
        { status: 'note', advice: expect.stringContaining('pg_control_system()') },
      ])
    },
  )

  it('that may not ask any more is an error', async () => {
    const { admin, executor } = await asOwner()
    const watch = lineageWatch()
    expect(await askedOf(executor, watch)).toBe(true)
    await admin.query('revoke execute on function pg_control_system() from public')
    await expect(watch.check(executor)).rejects.toThrow('permission denied for function pg_control_system')
  })
})

describe('after a restore of the files', () => {
  async function restored(to: (now: string) => RecoveryTarget | null) {
    const cluster = await startRestorable()
    onTestFinished(() => cluster.stop())
    const executor = open(cluster.url)
    await migrations(executor).migrate()
    expect(await askedOf(executor)).toBe(true)
    await cluster.backup()
    await eventually(() => executor.query('create table kept (n int)'))
    const [row] = await executor.query<{ now: string }>('select clock_timestamp()::text as now')
    await executor.query('create table lost (n int)')
    const [watch, unanswered] = [lineageWatch(), lineageWatch()]
    expect(await askedOf(executor, watch)).toBe(true)
    expect(await unanswered.check(executor)).not.toBeNull()
    await cluster.restore(to(row?.now ?? ''))
    const another = open(cluster.url)
    await eventually(() =>
      another.query('insert into kept select 1 where false').catch(() => another.query('select 1')),
    )
    const [tables] = await another.query<{ lost: boolean }>(`select to_regclass('lost') is null as lost`)
    return { executor: another, watch, unanswered, lost: tables?.lost }
  }

  it('as a snapshot, a server that has seen more refuses the database, and then every server does', async () => {
    const { executor, watch, unanswered, lost } = await restored(() => null)
    expect(lost).toBe(true)
    // No commit was answered after it had asked: a crash may have lost what it saw.
    expect(await askedOf(executor, unanswered)).toBe(true)
    expect(await askedOf(executor, watch)).toBe(EARLIER)
    expect(await askedOf(executor, watch)).toBe(EARLIER)
    expect(await askedOf(executor)).toBe(EARLIER)
    expect(await recordLineage(executor)).toBe(true)
    expect([await askedOf(executor, watch), await askedOf(executor)]).toEqual([true, true])
  })

  it('to a point in time, every server refuses the database, also when the settings are reset', async () => {
    const { executor, lost } = await restored((now) => ({ recovery_target_time: now }))
    expect(lost).toBe(true)
    expect(await askedOf(executor)).toBe(TO_TARGET)
    await executor.query('alter system reset recovery_target_time')
    expect(await askedOf(executor)).toBe(EARLIER)
    expect(await recordLineage(executor)).toBe(true)
    expect(await askedOf(executor)).toBe(true)
  })

  it('to the end of the log, nothing is lost: the database is used', async () => {
    const { executor, watch, lost } = await restored(() => ({}))
    expect(lost).toBe(false)
    expect([await askedOf(executor, watch), await askedOf(executor)]).toEqual([true, true])
  })
})

/** Resolves when the standby has every table. */
async function replicated({ standby }: ReplicatedPostgres): Promise<void> {
  const admin = postgres(standby.url, { max: 1 })
  await eventually(async () => expect(await admin`select from oidc_database`).toHaveLength(1))
  await admin.end()
}

it.each([true, false])(
  'a standby that was promoted is used, by servers that ran and by new ones; one of them reports it. Synchronous: %j',
  async (synchronous) => {
    const servers = await startReplication({ synchronous })
    onTestFinished(() => servers.stop())
    const executor = open(servers.primary.url)
    await migrations(executor).migrate()
    const watch = lineageWatch()
    expect(await askedOf(executor, watch)).toBe(true)
    await replicated(servers)
    if (!synchronous) {
      await servers.standby.disconnect()
      // More than the standby writes by itself when it is promoted.
      await executor.query("create table lost as select repeat('x', 500) from generate_series(1, 20000)")
      expect(await askedOf(executor, watch)).toBe(true)
    }
    await servers.primary.kill()
    await servers.standby.promote()
    const promoted = open(servers.standby.url)
    expect([await askedOf(promoted, watch), await askedOf(promoted)]).toEqual([true, true])
    const another = lineageWatch()
    expect(await askedOf(promoted, another)).toBe(true)
    expect([await watch.storeFailover(promoted), await another.storeFailover(promoted)]).toEqual([
      true,
      false,
    ])
    expect(await askedOf(promoted, watch)).toBe(true)
    expect(await watch.storeFailover(promoted)).toBe(false)
  },
)

describe('the check of connections', () => {
  it('comes once, before the first statement of each connection', async () => {
    const checked: number[] = []
    const executor = open(await ownDatabase(), {
      connections: 2,
      async check(connection) {
        const [row] = await connection.query<{ pid: number }>('select pg_backend_pid() as pid')
        checked.push(row?.pid ?? 0)
      },
    })
    const pidOf = async () =>
      (await executor.query<{ pid: number }>('select pg_backend_pid() as pid, pg_sleep(0.01)'))[0]?.pid ?? 0
    const pids = await Promise.all([pidOf(), pidOf(), pidOf()])
    await pidOf()
    expect(checked.sort()).toEqual([...new Set(pids)].sort())
  })

  it('that fails keeps statements and transactions from running, and is asked again by the next one', async () => {
    let refuses = true
    const executor = open(await ownDatabase(), {
      check: async () => {
        if (refuses) throw new RestoredError('in a test')
      },
    })
    const create = (db: Pick<PooledExecutor, 'query'>) => db.query('create table made (n int)')
    await expect(create(executor)).rejects.toThrow(RestoredError)
    await expect(executor.transaction(create)).rejects.toThrow(RestoredError)
    refuses = false
    const [row] = await executor.query<{ none: boolean }>(`select to_regclass('made') is null as none`)
    expect(row).toEqual({ none: true })
  })

  it('names its reason with several hosts too', async () => {
    const { host, pathname } = new URL(await ownDatabase())
    const executor = open(`postgres://postgres@127.0.0.1:1,${host}${pathname}`, {
      check: async () => {
        throw new RestoredError('in a test')
      },
    })
    await expect(executor.query('select 1')).rejects.toThrow(RestoredError)
  })
})
