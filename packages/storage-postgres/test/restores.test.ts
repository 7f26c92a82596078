/** What a restore would bring back is ended, in the named buckets alone. */

import { BUCKETS, bucketByHash } from '@ostiary/core'
import { newDatabase, UNLIMITED } from '@ostiary/test-kit/database'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  endAccess,
  migrations,
  type PooledExecutor,
  postgresExecutor,
  postgresStores,
  removePasswords,
} from '../src/index.js'
import { codeRecord, grantRecord, idOf, LATER, NOW, rotation, sessionRecord, userRecord } from './_grants.js'

const ALL = { first: 0, last: BUCKETS - 1 }

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

describe('after a restore', () => {
  it('no session, grant, consent or password is left, in the buckets alone that are named', async () => {
    const executor = open(await ownDatabase())
    const { storage, users } = postgresStores(executor)
    const realm = storage('r')
    await realm.sessions.create(sessionRecord('hash'))
    await realm.grants.create(grantRecord('g'), codeRecord('code', 'g'))
    await realm.grants.redeemCode(idOf('code'), rotation('g', 'token', LATER), NOW)
    const approved = [{ resource: 'api', scopes: ['a'] }]
    await realm.consents.merge({ sub: 'sub', client_id: 'client', approved }, NOW)
    await users('r').create(userRecord('sub', 'sub', { password_hash: 'hash' }))
    const bucket = bucketByHash('sub')
    const others = [
      { first: 0, last: bucket - 1 },
      { first: bucket + 1, last: BUCKETS - 1 },
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
    expect(await users('r').find('sub')).toMatchObject({
      password_hash: null,
      disabled_at: null,
      credential_version: 1,
    })
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
