/**
 * A database that was restored or copied is noticed, and one that was not is used. restored-files.long.test.ts has other restores, and
 * standbys.
 */

import { copyOfDatabase, newDatabase, UNLIMITED } from '@ostiary/test-kit/database'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  diagnose,
  diagnoseFailure,
  isUnavailable,
  lineageWatch,
  MIGRATIONS,
  migrations,
  type PooledExecutor,
  postgresExecutor,
  RestoredError,
  recordLineage,
} from '../src/index.js'
import { askedOf, EARLIER, open, restored } from './_lineage.js'

async function ownDatabase(): Promise<string> {
  const { url, drop } = await newDatabase()
  onTestFinished(drop)
  await migrations(open(url)).migrate()
  return url
}

const COPIED = 'its records were written in another database'

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
})

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
