/** Names of users: one user has a name, also when two servers give it at the same time, and when a change fails. */

import type { UserStore } from '@ostiary/identity'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Executor, postgresUsers } from '../src/index.js'
import { hashed } from './_full-tables.js'
import { NOW, userRecord as user } from './_grants.js'
import { type HeldTransaction, hold, untilItWaits } from './_held.js'
import { migratedDatabase, type OwnDatabase } from './_setup.js'

let database: OwnDatabase
let realm = ''
let realms = 0
let users: UserStore
beforeAll(async () => {
  database = await migratedDatabase()
})
afterAll(() => database.drop())
beforeEach(() => {
  realms += 1
  realm = `realm-${realms}`
  users = postgresUsers(database.executor)(realm)
})

type Call = (store: UserStore) => Promise<boolean>

/** The call has run, and its transaction is open. */
const held = (call: Call): Promise<HeldTransaction<boolean>> =>
  hold(database.executor, (tx) => {
    const within: Executor = { ...tx, transaction: (run) => run(tx), close: async () => {} }
    return call(postgresUsers(within)(realm))
  })

const named = async (name: string): Promise<string | undefined> => (await users.findByUsername(name))?.sub

/** The names that are stored, with their users; those of other realms are left out. */
const stored = async (): Promise<string[]> => {
  const rows = await database.executor.query<{ pair: string }>(
    `select username_key || ' ' || sub as pair from oidc_usernames where realm = $1 order by 1`,
    [realm],
  )
  return rows.map(({ pair }) => pair)
}

const create =
  (sub: string, name: string): Call =>
  (store) =>
    store.create(user(sub, name))
const rename =
  (sub: string, name: string): Call =>
  (store) =>
    store.update(user(sub, name, { updated_at: NOW + 1 }), NOW)

describe('while another server takes the name', () => {
  it.each([
    ['two creations', create('a', 'ann'), create('b', 'ann')],
    ['a creation and a change of name', create('a', 'ann'), rename('c', 'ann')],
    ['a change of name and a creation', rename('c', 'ann'), create('b', 'ann')],
    ['two changes of name', rename('c', 'ann'), rename('d', 'ann')],
  ])('%s: the second waits, and has it only when the first fails', async (_, first, second) => {
    for (const [how, wanted] of [
      ['commit', false],
      ['rollback', true],
    ] as const) {
      realms += 1
      realm = `realm-${realms}`
      users = postgresUsers(database.executor)(realm)
      for (const sub of ['c', 'd']) await users.create(user(sub, `${sub}-name`))
      const open = await held(first)
      expect(open.result).toBe(true)
      const waiting = second(users)
      expect(await untilItWaits(database.executor, waiting)).toBe(true)
      await open[how]()
      expect(await waiting, how).toBe(wanted)
      expect((await stored()).filter((pair) => pair.startsWith('ann '))).toHaveLength(1)
      expect(await named('ann')).toBeDefined()
    }
  })

  it('a deletion waits for a change of name, and frees the new name too', async () => {
    await users.create(user('a', 'ann'))
    const open = await held(rename('a', 'anna'))
    const deletion = users.delete('a')
    expect(await untilItWaits(database.executor, deletion)).toBe(true)
    await open.commit()
    expect(await deletion).toBe(true)
    expect(await stored()).toEqual([])
    expect(await users.find('a')).toBeNull()
  })

  it('a change of name waits for a deletion, and then changes nothing', async () => {
    await users.create(user('a', 'ann'))
    const open = await held((store) => store.delete('a'))
    const change = rename('a', 'anna')(users)
    expect(await untilItWaits(database.executor, change)).toBe(true)
    await open.commit()
    expect(await change).toBe(false)
    expect(await stored()).toEqual([])
  })
})

describe('what fails leaves the names as they were', () => {
  it('a creation under a name that is taken stores no user', async () => {
    await users.create(user('a', 'ann'))
    expect(await users.create(user('b', 'ann'))).toBe(false)
    expect([await users.find('b'), await stored()]).toEqual([null, ['ann a']])
    expect(await users.create(user('b', 'bob'))).toBe(true)
  })

  it('a creation with a sub that is taken takes no name', async () => {
    await users.create(user('a', 'ann'))
    expect(await users.create(user('a', 'anna'))).toBe(false)
    expect([await stored(), await named('anna')]).toEqual([['ann a'], undefined])
  })

  it('a creation with the sub of a deleted user takes no name', async () => {
    await users.create(user('a', 'ann'))
    await users.delete('a')
    expect(await users.create(user('a', 'ann'))).toBe(false)
    expect(await stored()).toEqual([])
    expect(await users.create(user('b', 'ann'))).toBe(true)
  })

  it('a change to a name that is taken keeps the old one', async () => {
    await users.create(user('a', 'ann'))
    await users.create(user('b', 'bob'))
    expect(await rename('b', 'ann')(users)).toBe(false)
    expect([await named('ann'), await named('bob')]).toEqual(['a', 'b'])
    expect(await stored()).toEqual(['ann a', 'bob b'])
  })

  it('a change of a record that was changed meanwhile keeps the name', async () => {
    await users.create(user('a', 'ann'))
    expect(await users.update({ ...user('a', 'anna'), updated_at: NOW + 9 }, NOW - 1)).toBe(false)
    expect(await stored()).toEqual(['ann a'])
  })
})

it('a name that was given up is free at once, and no user is found by it meanwhile', async () => {
  await users.create(user('a', 'ann'))
  expect(await rename('a', 'anna')(users)).toBe(true)
  expect([await named('ann'), await named('anna'), await stored()]).toEqual([undefined, 'a', ['anna a']])
  expect(await users.create(user('b', 'ann'))).toBe(true)
  expect(await named('ann')).toBe('b')
})

it('a row of the names that names a user with another name finds no user', async () => {
  await users.create(user('a', 'ann'))
  await database.executor.query(`insert into oidc_usernames (realm, username_key, sub, bucket)
    select realm, 'old', sub, ${hashed(`'old'`)}
    from oidc_usernames where realm = '${realm}'`)
  expect(await named('old')).toBeUndefined()
  expect(await named('ann')).toBe('a')
})

it('a look-up of a name that no user has takes as many statements as one of a name that a user has', async () => {
  let asked = 0
  const counting: Executor = {
    ...database.executor,
    query: (text, params) => {
      asked += 1
      return database.executor.query(text, params)
    },
  }
  const store = postgresUsers(counting)(realm)
  await users.create(user('a', 'ann'))
  const statementsOf = async (name: string): Promise<number> => {
    asked = 0
    await store.findByUsername(name)
    return asked
  }
  expect([await statementsOf('ann'), await statementsOf('unknown'), await statementsOf('a')]).toEqual([
    2, 2, 2,
  ])
})

describe('a deletion, when the user is changed between its look-up and its write', () => {
  /** Users of a server whose deletions come too late so many times: another server has changed the user each time. */
  const late = (times: number): UserStore => {
    let changes = 0
    const executor: Executor = {
      ...database.executor,
      async query(text, params) {
        if (text.includes('with deleted as') && changes < times) {
          changes += 1
          const changed = { ...user('a', `ann-${changes}`), updated_at: NOW + changes }
          expect(await users.update(changed, NOW + changes - 1)).toBe(true)
        }
        return database.executor.query(text, params)
      },
    }
    return postgresUsers(executor)(realm)
  }

  it('reads again, up to nine times', async () => {
    await users.create(user('a', 'ann'))
    expect(await late(9).delete('a')).toBe(true)
    expect([await users.find('a'), await stored()]).toEqual([null, []])
  })

  it('fails after ten times, and leaves the user and the last name', async () => {
    await users.create(user('a', 'ann'))
    await expect(late(10).delete('a')).rejects.toThrow('changed 10 times while it was deleted')
    expect([await named('ann-10'), await stored()]).toEqual(['a', ['ann-10 a']])
  })
})
