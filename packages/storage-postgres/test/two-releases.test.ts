/**
 * Servers of the release before go on working on a database that was migrated to this release. `_previous-release.json` has the statements
 * of that release: what `statements()` of its own _statements.ts returned. A release replaces the file by its statements before it adds a
 * migration, and tests here what both read of each other's records.
 */

import { bucketByHash } from '@ostiary/core'
import { clientRecord } from '@ostiary/test-kit/client-record'
import { factorRecord } from '@ostiary/test-kit/factors/record'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { postgresStorage, postgresStores } from '../src/index.js'
import { MIGRATIONS } from '../src/migrations/list.js'
import { NOW, userRecord as user } from './_grants.js'
import PREVIOUS from './_previous-release.json' with { type: 'json' }
import { migratedDatabase, type OwnDatabase } from './_setup.js'
import { statements } from './_statements.js'

describe('two releases on one database', () => {
  let database: OwnDatabase
  beforeAll(async () => {
    database = await migratedDatabase()
  })
  afterAll(() => database.drop())

  it.each(Object.entries(PREVIOUS))('the database understands %s of the release before', async (_, texts) => {
    for (const text of texts) {
      await database.executor.transaction(async (tx) => {
        await tx.query(`prepare previous as ${text}`)
        await tx.query('deallocate previous')
      })
    }
  })

  it('the file has every operation of the schema that it is about', async () => {
    const later = /^(?:factors|links|tickets|remembered_devices|mails|addresses)\./
    const asked = new Set((await statements()).map(({ name }) => name).filter((name) => !later.test(name)))
    expect(MIGRATIONS).toHaveLength(14)
    expect(Object.keys(PREVIOUS).sort()).toEqual([...asked].sort())
  })

  it('the mark of a client: the release before stores none, and leaves the one that is stored', async () => {
    const { executor } = database
    const { clients } = postgresStorage(executor)('default')
    const record = clientRecord({ client_id: 'marked', not_before: 5 })
    await clients.create(record)
    const { origin: _, not_before: __, ...fields } = record
    const row = (changes: object) => JSON.stringify({ ...fields, self_registered: false, ...changes })
    const [update = ''] = PREVIOUS['clients.update']
    await executor.query(update, ['default', 'marked', row({ client_name: 'Renamed' })])
    expect(await clients.find('marked')).toEqual({ ...record, client_name: 'Renamed' })
    const [create = ''] = PREVIOUS['clients.create']
    await executor.query(create, ['default', row({ client_id: 'new' })])
    expect(await clients.find('new')).toMatchObject({ not_before: null })
  })

  it('the rules of a client: the release before stores none, and leaves those that are stored', async () => {
    const { executor } = database
    const { clients } = postgresStorage(executor)('default')
    const record = clientRecord({ client_id: 'ruled', allowed_groups: ['staff'], required_acr: '2' })
    await clients.create(record)
    const { origin: _, allowed_groups: __, required_acr: ___, ...fields } = record
    const renamed = { ...fields, self_registered: false, client_name: 'Renamed' }
    const [update = ''] = PREVIOUS['clients.update']
    await executor.query(update, ['default', 'ruled', JSON.stringify(renamed)])
    expect(await clients.find('ruled')).toEqual({ ...record, client_name: 'Renamed' })
  })

  it('a user: the release before stores no version of credentials, and leaves the one that is stored', async () => {
    const { users, factors } = postgresStores(database.executor)
    const store = users('default')
    const {
      credential_version: _,
      second_step: __,
      attributes: ___,
      groups: ____,
      ...ann
    } = user('ann', 'Ann')
    const before = (record: object) => [JSON.stringify(record), bucketByHash('Ann'), 'Ann']
    const [create = ''] = PREVIOUS['users.create']
    await database.executor.query(create, ['default', bucketByHash('ann'), ...before(ann)])
    expect(await store.find('ann')).toEqual(user('ann', 'Ann'))
    const add = [factorRecord('f', 'ann')]
    const version = { credential_version: 0, now: NOW + 1 }
    expect(await factors('default').change({ sub: 'ann', add, second_step: true }, version)).toBe(true)
    const [update = ''] = PREVIOUS['users.update']
    const key = ['default', bucketByHash('ann'), 'ann', NOW + 1, 'Ann']
    const changed = { ...ann, password_hash: 'new', updated_at: NOW + 2 }
    expect(await database.executor.query(update, [...key, JSON.stringify(changed)])).toHaveLength(1)
    const credentials = { credential_version: 1, second_step: true }
    expect(await store.find('ann')).toEqual({ ...user('ann', 'Ann'), ...changed, ...credentials })
  })

  it('accepted terms: the release before keeps them with a change, and ends them with the user', async () => {
    const store = postgresStores(database.executor).users('default')
    const terms = { version: '2026-11-01', accepted_at: NOW }
    const bob = { ...user('bob', 'Bob'), attributes: { level: 3 }, terms }
    await store.create(bob)
    const rowOf = async () => {
      const query = `select claims from oidc_users where realm = 'default' and sub = 'bob'`
      return (await database.executor.query<{ claims: object }>(query))[0]?.claims
    }
    const [update = ''] = PREVIOUS['users.update']
    const key = ['default', bucketByHash('bob'), 'bob', bob.updated_at, 'Bob']
    // It has read all of the column as claims, and attributes and groups in it.
    const changed = { ...bob, claims: { ...(await rowOf()), name: 'Bob' }, updated_at: NOW + 2 }
    expect(await database.executor.query(update, [...key, JSON.stringify(changed)])).toHaveLength(1)
    const claims = { ...bob.claims, name: 'Bob' }
    expect(await store.find('bob')).toEqual({ ...bob, claims, updated_at: NOW + 2 })
    expect(await store.delete('bob')).toBe(true)
    expect(await rowOf()).toEqual({})
  })
})
