/** Grants and sessions that are read together with their users. */

import type { Grant, RealmStorage, Session } from '@ostiary/core'
import type { Factor, User, UserStore } from '@ostiary/identity'
import { userChanges } from '@ostiary/test-kit/user-changes'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Executor, postgresStorage, postgresStores, postgresUsers } from '../src/index.js'
import { codeRecord, grantRecord, idOf, NOW, rotation, sessionRecord } from './_grants.js'
import { migratedDatabase, type OwnDatabase } from './_setup.js'

userChanges('records and users of one database', async () => {
  const { executor, drop } = await migratedDatabase()
  return { ...postgresStores(executor), close: drop }
})

userChanges('users in another database', async () => {
  const records = await migratedDatabase()
  const people = await migratedDatabase()
  return {
    storage: postgresStorage(records.executor),
    users: postgresUsers(people.executor),
    close: async () => void (await Promise.all([records.drop(), people.drop()])),
  }
})

const ANN: User = {
  sub: 'sub',
  username: 'Ann',
  username_key: 'ann',
  password_hash: '$argon2id$…',
  claims: { name: 'Zoë "Ann" 🦉', address: { country: 'FR' } },
  attributes: { level: 3 },
  groups: ['staff'],
  created_at: NOW,
  updated_at: NOW,
  disabled_at: null,
  credential_version: 0,
  second_step: false,
}
const SESSION = { ...sessionRecord('session'), user_agent: 'Firefox' }

let database: OwnDatabase
let asked: string[] = []
let realms = 0
beforeAll(async () => {
  database = await migratedDatabase()
})
afterAll(() => database.drop())

const counted = (): Executor => ({
  ...database.executor,
  query: (text, params) => {
    asked.push(text)
    return database.executor.query(text, params)
  },
})

/** A new realm with a user, a grant, a code, a refresh token and a session. */
async function fresh(open: (executor: Executor) => ReturnType<typeof apart> = postgresStores) {
  realms += 1
  const { storage, users: usersOf, factors: factorsOf } = open(counted())
  const stores = storage(`realm-${realms}`)
  const users = usersOf(`realm-${realms}`)
  await users.create(ANN)
  await stores.grants.create(grantRecord('grant'), codeRecord('code', 'grant'))
  await stores.grants.redeemCode(idOf('code'), rotation('grant', 'token'), NOW)
  await stores.sessions.create(SESSION)
  asked = []
  return { stores, users, usersOf, factorsOf }
}

const apart = (executor: Executor) => ({
  storage: postgresStorage(executor),
  users: postgresUsers(executor),
  factors: postgresStores(executor).factors,
})

type Read = (stores: RealmStorage) => Promise<Grant | Session | null | undefined>
const READS: [string, Read][] = [
  ['grants.find', ({ grants }) => grants.find(idOf('grant'))],
  ['grants.findCode', async ({ grants }) => (await grants.findCode(idOf('code')))?.grant],
  ['grants.findRefreshToken', async ({ grants }) => (await grants.findRefreshToken(idOf('token')))?.grant],
  ['sessions.find', ({ sessions }) => sessions.find(idOf('session'))],
]

/** The user of the record that `read` finds. */
async function readUser(at: { stores: RealmStorage; users: UserStore }, read: Read): Promise<User | null> {
  const record = await read(at.stores)
  if (!record) throw new Error('there is no record')
  return at.users.find('sub', record)
}

describe.each(READS)('%s', (_, read) => {
  it('reads the user exactly as it is stored, with the same statement', async () => {
    const at = await fresh()
    expect(await readUser(at, read)).toEqual(ANN)
    expect(asked).toHaveLength(1)
    await at.users.update({ ...ANN, disabled_at: NOW, updated_at: NOW + 1 }, NOW)
    asked = []
    expect(await readUser(at, read)).toEqual({ ...ANN, disabled_at: NOW, updated_at: NOW + 1 })
    expect(asked).toHaveLength(1)
  })

  it('finds no user once the user is deleted, with the same statement', async () => {
    const at = await fresh()
    await at.users.delete('sub')
    asked = []
    expect(await readUser(at, read)).toBeNull()
    expect(asked).toHaveLength(1)
  })

  it('returns the record that postgresStorage returns, with a user and without', async () => {
    const at = await fresh()
    const found = await read(at.stores)
    expect(Object.keys(found ?? {})).not.toContain('user')
    const alone = postgresStorage(database.executor)(`realm-${realms}`)
    expect(found).toStrictEqual(await read(alone))
    await at.users.delete('sub')
    expect(await read(at.stores)).toStrictEqual(await read(alone))
  })
})

describe('users.find with a record', () => {
  it('waits for a record that is being read', async () => {
    const { stores, users } = await fresh()
    expect(await users.find('sub', stores.grants.find(idOf('grant')))).toEqual(ANN)
    expect(asked).toHaveLength(1)
  })

  it('reads the user of a record that is missing', async () => {
    const { stores, users } = await fresh()
    expect(await users.find('sub', stores.grants.find(idOf('another')))).toEqual(ANN)
    expect(asked).toHaveLength(2)
  })

  it('reads the user of a copied record, and of another storage', async () => {
    const { stores, users } = await fresh()
    const record = await stores.grants.find(idOf('grant'))
    if (!record) throw new Error('there is no grant')
    const other = await postgresStores(database.executor)
      .storage(`realm-${realms}`)
      .grants.find(idOf('grant'))
    await users.update({ ...ANN, username: 'Anna', updated_at: NOW + 1 }, NOW)
    expect(await users.find('sub', { ...record })).toMatchObject({ username: 'Anna' })
    expect(await users.find('sub', other ?? record)).toMatchObject({ username: 'Anna' })
    expect(await users.find('sub', record)).toMatchObject({ username: 'Ann' })
  })

  it('reads the user of a session and of a factor that were stored or read with it, in the same statement', async () => {
    const { stores, users, factorsOf } = await fresh()
    const session = { ...sessionRecord('second'), sid: idOf('second') }
    await stores.sessions.create(session)
    expect(await users.find('sub', session)).toEqual(ANN)
    const app: Factor = {
      factor_id: idOf('factor'),
      sub: 'sub',
      kind: 'totp',
      label: 'App',
      created_at: NOW,
      last_used_at: null,
      state: '1',
      data: { secret: 's' },
    }
    const factors = factorsOf(`realm-${realms}`)
    await factors.change({ sub: 'sub', add: [app] }, { credential_version: 0, now: NOW + 1 })
    asked = []
    const factor = await factors.find(app.factor_id)
    expect(factor).toStrictEqual(app)
    expect(await users.find('sub', factor ?? session)).toMatchObject({ credential_version: 1 })
    expect(asked).toHaveLength(1)
    // As it was when the session was stored; and null for a user who does not exist.
    expect(await users.find('sub', session)).toMatchObject({ credential_version: 0 })
    const stray = { ...sessionRecord('third'), sid: idOf('third'), sub: 'absent' }
    await stores.sessions.create(stray)
    asked = []
    expect(await users.find('absent', stray)).toBeNull()
    expect(asked).toEqual([])
  })

  it('reads the user that is asked for when the record names another one', async () => {
    const { stores, users } = await fresh()
    const record = await stores.grants.find(idOf('grant'))
    await users.create({ ...ANN, sub: 'bob', username_key: 'bob' })
    expect(await users.find('bob', record ?? undefined)).toMatchObject({ sub: 'bob' })
    expect(await users.find('absent', record ?? undefined)).toBeNull()
  })

  it('reads the user of its own realm when the record is of another one', async () => {
    const { stores, usersOf } = await fresh()
    const record = await stores.grants.find(idOf('grant'))
    expect(await usersOf('another realm').find('sub', record ?? undefined)).toBeNull()
  })

  it('finds no user where the `sub` is that of a user of another realm only', async () => {
    const { stores, users, usersOf } = await fresh()
    await users.delete('sub')
    await usersOf(`only-${realms}`).create(ANN)
    expect(await users.find('sub', stores.grants.find(idOf('grant')))).toBeNull()
  })

  it('does not wait for the record where users and records are not read together', async () => {
    const at = await fresh(apart)
    expect(await at.users.find('sub', new Promise(() => {}))).toEqual(ANN)
    asked = []
    expect(await readUser(at, ({ grants }) => grants.find(idOf('grant')))).toEqual(ANN)
    expect(asked).toHaveLength(2)
    expect(asked[0]).not.toContain('oidc_users')
  })
})
