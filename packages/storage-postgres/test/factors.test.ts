/** Factors: the rules, and changes beside a transaction that is held open. */

import type { FactorStore, User, UserStore } from '@ostiary/identity'
import { factorRules } from '@ostiary/test-kit/factor-rules'
import { factorId, factorRecord } from '@ostiary/test-kit/factors/record'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Executor, postgresStores } from '../src/index.js'
import { NOW, userRecord as user } from './_grants.js'
import { executorIn, type HeldTransaction, hold, untilItWaits } from './_held.js'
import { migratedDatabase, type OwnDatabase } from './_setup.js'
import { recorded, unexplained } from './_statements.js'

let texts = new Set<string>()
factorRules('factors in PostgreSQL', async () => {
  const { executor, drop } = await migratedDatabase()
  const recording = recorded(executor)
  texts = recording.texts
  const { users, factors } = postgresStores(recording.executor)
  return { users, factors, close: drop }
})

it('plans.long.test.ts explains every statement that the rules for factors cause', async () => {
  expect(texts.size).toBeGreaterThan(5)
  expect(await unexplained(texts)).toEqual([])
})

interface Stores {
  users: UserStore
  factors: FactorStore
}

describe.each([
  ['one database', false],
  ['a database that is divided by buckets', true],
])('while another transaction is open, in %s', (_, sharded) => {
  let database: OwnDatabase
  let realm = ''
  let realms = 0
  beforeAll(async () => {
    database = await migratedDatabase()
  })
  afterAll(() => database.drop())
  beforeEach(async () => {
    realms += 1
    realm = `realm-${realms}`
    await users().create(user('ann', 'ann'))
    expect(await add('first')(own())).toBe(true)
  })

  const storesOn = (executor: Executor): Stores => {
    const { users: usersOf, factors } = postgresStores(executor, { sharded })
    return { users: usersOf(realm), factors: factors(realm) }
  }
  const own = () => storesOn(database.executor)
  const users = () => own().users
  const ann = async () => (await users().find('ann')) as User
  const ids = async () => (await own().factors.list('ann')).map(({ factor_id }) => factor_id)

  type Call = (stores: Stores) => Promise<boolean>
  /** The call has run, and its transaction is open. */
  const held = (call: Call): Promise<HeldTransaction<boolean>> =>
    hold(database.executor, (tx) => call(storesOn(executorIn(tx))))
  const change =
    (changes: { add?: string; remove?: string }, credential_version: number): Call =>
    ({ factors }) =>
      factors.change(
        {
          sub: 'ann',
          ...(changes.add && { add: [factorRecord(changes.add, 'ann')] }),
          ...(changes.remove && { remove: [factorId(changes.remove, 'ann')] }),
        },
        { credential_version, now: NOW },
      )
  const add = (name: string): Call => change({ add: name }, 0)
  const remove: Call = change({ remove: 'first' }, 1)
  const use: Call = ({ factors }) =>
    factors.use(factorId('first', 'ann'), '0', { state: '1', last_used_at: NOW })

  /** The second call waits for the first one, which commits. @returns What both have returned. */
  async function oneAfterTheOther(first: Call, second: Call): Promise<[boolean, boolean]> {
    const open = await held(first)
    const waiting = second(own())
    expect(await untilItWaits(database.executor, waiting)).toBe(true)
    await open.commit()
    return [open.result, await waiting]
  }

  it('of two changes of the same version, the second waits, and changes nothing', async () => {
    const more = change({ add: 'more' }, 1)
    expect(await oneAfterTheOther(remove, more)).toEqual([true, false])
    expect([await ids(), (await ann()).credential_version]).toEqual([[], 2])
  })

  it('a change waits for one that is undone, and is made', async () => {
    const open = await held(remove)
    const waiting = change({ add: 'more' }, 1)(own())
    expect(await untilItWaits(database.executor, waiting)).toBe(true)
    await open.rollback()
    expect([open.result, await waiting]).toEqual([true, true])
    expect(await ids()).toEqual([factorId('first', 'ann'), factorId('more', 'ann')])
  })

  it('an update of the user that was read before waits for a change, and is refused', async () => {
    const before = await ann()
    const update: Call = (stores) =>
      stores.users.update(
        { ...before, username: 'Ann', updated_at: before.updated_at + 9 },
        before.updated_at,
      )
    expect(await oneAfterTheOther(change({ add: 'more' }, 1), update)).toEqual([true, false])
    expect(await ann()).toMatchObject({ username: 'ann', credential_version: 2 })
  })

  it('a change waits for an update that keeps the version, and is made on the updated user', async () => {
    const before = await ann()
    const updated_at = NOW + 50
    const update: Call = (stores) =>
      stores.users.update({ ...before, username: 'Ann', updated_at }, before.updated_at)
    expect(await oneAfterTheOther(update, change({ add: 'more' }, 1))).toEqual([true, true])
    expect(await ann()).toMatchObject({
      username: 'Ann',
      credential_version: 2,
      updated_at: updated_at + 1,
    })
  })

  it('a change waits for an update with another version, and changes nothing', async () => {
    const before = await ann()
    const next = { ...before, password_hash: 'new', credential_version: 2, updated_at: NOW + 50 }
    const update: Call = (stores) => stores.users.update(next, before.updated_at)
    expect(await oneAfterTheOther(update, remove)).toEqual([true, false])
    expect([await ann(), await ids()]).toEqual([next, [factorId('first', 'ann')]])
  })

  it('a change waits for the deletion of the user, and adds nothing', async () => {
    const deletion: Call = (stores) => stores.users.delete('ann')
    const open = await held(deletion)
    const waiting = change({ add: 'more' }, 1)(own())
    expect(await untilItWaits(database.executor, waiting)).toBe(true)
    await open.commit()
    expect([open.result, await waiting, await ids()]).toEqual([true, false, []])
  })

  it('the deletion of the user waits for a change, and deletes what it has added', async () => {
    const deletion: Call = (stores) => stores.users.delete('ann')
    expect(await oneAfterTheOther(change({ add: 'more' }, 1), deletion)).toEqual([true, true])
    expect([await users().find('ann'), await ids()]).toEqual([null, []])
  })

  it.each([
    ['a removal', remove],
    ['the deletion of the user', (stores: Stores) => stores.users.delete('ann')],
  ])('a use waits for %s, and is refused', async (_what, removal) => {
    expect(await oneAfterTheOther(removal, use)).toEqual([true, false])
    expect(await ids()).toEqual([])
  })

  it('of two uses of the same state, the second waits, and is refused', async () => {
    expect(await oneAfterTheOther(use, use)).toEqual([true, false])
  })
})
