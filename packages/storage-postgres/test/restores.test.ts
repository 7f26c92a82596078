/** A database that was restored answers nothing until it is accepted; a failover goes on. Two servers of a test are two executors. */

import { bucketByHash } from '@ostiary/core'
import { startReplication } from '@ostiary/local-services/replication'
import { newDatabase, UNLIMITED } from '@ostiary/test-kit/database'
import { eventually } from '@ostiary/test-kit/eventually'
import { describe, expect, it, onTestFinished } from 'vitest'
import { RestoredDatabaseError } from '../src/errors.js'
import {
  acceptIdentity,
  changePeople,
  endAccess,
  guardedExecutor,
  isUnavailable,
  migrations,
  type PooledExecutor,
  postgresExecutor,
  postgresStores,
  removePasswords,
} from '../src/index.js'
import { codeRecord, grantRecord, idOf, LATER, NOW, rotation, sessionRecord } from './_grants.js'

const ALL = { first: 0, last: 4095 }

function open(url: string): PooledExecutor {
  const executor = postgresExecutor(url, { ...UNLIMITED, connections: 2 })
  onTestFinished(() => executor.close())
  return executor
}

async function ownDatabase(): Promise<string> {
  const { url, drop } = await newDatabase()
  onTestFinished(drop)
  await migrations(open(url)).migrate()
  return url
}

const nameOf = (url: string) => new URL(url).pathname.slice(1)

/** A copy of the database as it is now, in the place of which `replace` puts it later. */
async function copied(url: string) {
  const admin = open(new URL('/postgres', url).href)
  const [name, copy] = [nameOf(url), `${nameOf(url)}_copy`]
  const end = () =>
    admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])
  await end()
  await admin.query(`create database ${copy} template ${name}`)
  return async () => {
    await admin.query(`drop database ${name} with (force)`)
    await admin.query(`alter database ${copy} rename to ${name}`)
  }
}

const refused = (work: Promise<unknown>) => expect(work).rejects.toThrow(RestoredDatabaseError)

describe('a copy that is restored', () => {
  it('answers nothing to a running server and to a new one, until it is accepted', async () => {
    const url = await ownDatabase()
    const running = guardedExecutor(open(url))
    await running.query('select 1')
    const restore = await copied(url)
    expect(await running.query('select 1')).toHaveLength(1)
    await restore()
    const error = await running.query('select 1').catch((cause: unknown) => cause)
    expect(error).toBeInstanceOf(RestoredDatabaseError)
    expect(isUnavailable(error)).toBe(true)
    expect(String(error)).toContain('ostiary database restored')
    await refused(running.transaction((tx) => tx.query('select 1')))
    await refused(guardedExecutor(open(url)).query('select 1'))
    await acceptIdentity(open(url))
    await eventually(() => running.query('select 1'))
    await guardedExecutor(open(url)).query('select 1')
  })

  it('tables that a dump has replaced are noticed at a start, and by a running server after some seconds', async () => {
    const url = await ownDatabase()
    const running = guardedExecutor(open(url))
    await running.query('select 1')
    // As pg_restore --clean does.
    await open(url).query(`create table copy as table oidc_databases; drop table oidc_databases;
      create table oidc_databases (like copy); insert into oidc_databases table copy`)
    await refused(guardedExecutor(open(url)).query('select 1'))
    await eventually(() => refused(running.query('select 1')))
  })

  it('a role that may not read the system identifier still sees that the database is another one', async () => {
    const url = await ownDatabase()
    const admin = open(url)
    await guardedExecutor(admin).query('select 1')
    const role = `r_${nameOf(url)}`
    await admin.query(`create role ${role} login; grant select on oidc_databases to ${role};
      revoke execute on function pg_control_system() from public`)
    const limited = new URL(url)
    limited.username = role
    onTestFinished(async () => {
      await admin.query(`drop owned by ${role}; drop role ${role}`)
    })
    await guardedExecutor(open(limited.href)).query('select 1')
    await admin.query(`update oidc_databases set database_oid = '1'`)
    await refused(guardedExecutor(open(limited.href)).query('select 1'))
  })

  it('the database of a new schema records which one it is, once', async () => {
    const url = await ownDatabase()
    await guardedExecutor(open(url)).query('select 1')
    await guardedExecutor(open(url)).query('select 1')
    const rows = await open(url).query(
      'select restores, timeline, system_identifier is null as none from oidc_databases',
    )
    expect(rows).toEqual([{ restores: 0, timeline: 1, none: false }])
  })
})

describe('a standby that is promoted', () => {
  const urls = ({ primary, standby }: { primary: { port: number }; standby: { port: number } }) =>
    `postgres://postgres@127.0.0.1:${primary.port},127.0.0.1:${standby.port}/postgres`

  it('goes on for a server that has seen nothing more than it has, and for a new one', async () => {
    const servers = await startReplication({ synchronous: true })
    onTestFinished(() => servers.stop())
    await migrations(open(servers.primary.url)).migrate()
    const running = guardedExecutor(open(urls(servers)))
    await running.query('select 1')
    await open(servers.primary.url).query('create table one_more (n int)')
    await servers.primary.kill()
    await servers.standby.promote()
    await eventually(() => running.query('select 1'))
    expect(await running.query('select timeline from oidc_databases')).toEqual([{ timeline: 2 }])
    await guardedExecutor(open(servers.standby.url)).query('select 1')
  })

  it('answers nothing when it is older, and nothing at a start on a timeline that nobody has recorded', async () => {
    const servers = await startReplication({ synchronous: false })
    onTestFinished(() => servers.stop())
    const writer = open(servers.primary.url)
    await migrations(writer).migrate()
    await guardedExecutor(writer).query('select 1')
    const standby = open(servers.standby.url)
    await eventually(async () => {
      const error = await standby.query('select 1').catch((cause: unknown) => cause)
      expect(String(error)).toContain('is a standby')
    })
    await writer.query('select pg_switch_wal()')
    await eventually(async () => {
      const [row] = await writer.query<{ same: boolean }>(
        'select replay_lsn >= pg_current_wal_lsn() as same from pg_stat_replication',
      )
      expect(row?.same).toBe(true)
    })
    await servers.standby.disconnect()
    await writer.query('create table lost (n int)')
    const running = guardedExecutor(open(urls(servers)))
    await running.query('select 1')
    await servers.primary.kill()
    await servers.standby.promote()
    await eventually(() => refused(running.query('select 1')))
    await refused(guardedExecutor(open(servers.standby.url)).query('select 1'))
    await acceptIdentity(open(servers.standby.url))
    await eventually(() => running.query('select 1'))
  })
})

describe('after a restore', () => {
  const user = (sub: string) => ({
    sub,
    username: sub,
    username_key: sub,
    password_hash: 'hash',
    claims: {},
    attributes: null,
    groups: null,
    created_at: NOW,
    updated_at: NOW,
    disabled_at: null,
  })

  it('no session, grant, consent or password is left, in the buckets alone that are named', async () => {
    const executor = open(await ownDatabase())
    const { storage, users } = postgresStores(executor)
    const realm = storage('r')
    await realm.sessions.create(sessionRecord('hash'))
    await realm.grants.create(grantRecord('g'), codeRecord('code', 'g'))
    await realm.grants.redeemCode(idOf('code'), rotation('g', 'token', LATER), NOW)
    const approved = [{ resource: 'api', scopes: ['a'] }]
    await realm.consents.merge({ sub: 'sub', client_id: 'client', approved }, NOW)
    await users('r').create(user('sub'))
    const bucket = bucketByHash('sub')
    const others = [
      { first: 0, last: bucket - 1 },
      { first: bucket + 1, last: 4095 },
    ]
    for (const range of others) {
      expect(await endAccess(executor, range)).toEqual({ sessions: 0, grants: 0, consents: 0 })
      expect(await removePasswords(executor, range)).toBe(0)
    }
    const own = { first: bucket, last: bucket }
    expect(await endAccess(executor, own)).toEqual({ sessions: 1, grants: 1, consents: 1 })
    expect(await removePasswords(executor, own)).toBe(1)
    expect(await endAccess(executor, ALL)).toEqual({ sessions: 0, grants: 0, consents: 0 })
    expect(await removePasswords(executor, ALL)).toBe(0)
    expect((await realm.grants.findRefreshToken(idOf('token')))?.grant.revoked_at).not.toBeNull()
    expect((await realm.consents.list('sub'))[0]?.revoked_at).not.toBeNull()
    expect(await users('r').find('sub')).toMatchObject({ password_hash: null, disabled_at: null })
    const disable = { realm: 'r', sub: 'sub', what: 'disable' as const }
    expect(await changePeople(executor, [disable, { ...disable, sub: 'nobody' }])).toBe(1)
    expect((await users('r').find('sub'))?.disabled_at).not.toBeNull()
  })

  it('each batch goes on where the one before has ended', async () => {
    const executor = open(await ownDatabase())
    await executor.query(`insert into oidc_users (realm, sub, username, username_key, password_hash, claims, bucket, created_at, updated_at)
      select 'r', 's' || n, 'u', 'u', 'hash', '{}', n % 4096, 1, 1 from generate_series(1, 2001) n`)
    await executor.query(`insert into oidc_consents (realm, sub, client_id, resource, scopes, bucket, created_at, updated_at)
      select 'r', 's' || n, 'c', 'api', '[]', n % 4096, 1, 1 from generate_series(1, 2001) n`)
    expect(await removePasswords(executor, { first: 0, last: 2047 })).toBe(2001)
    expect((await endAccess(executor, ALL)).consents).toBe(2001)
  })
})
