/** Names where a name and its user may lie in different databases: one user has a name, whenever a server stops in between. */

import { type UserStore, upsertUser } from '@ostiary/identity'
import { gate } from '@ostiary/test-kit/races/gate'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { isUnavailable } from '../src/errors.js'
import { type Executor, type Param, postgresStores } from '../src/index.js'
import { NOW, userRecord as user } from './_grants.js'
import { type PausedExecutor, pausedBefore } from './_paused.js'
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
  users = storeOn(database.executor)
})

const storeOn = (executor: Executor): UserStore => postgresStores(executor, { sharded: true }).users(realm)

const named = async (name: string): Promise<string | undefined> => (await users.findByUsername(name))?.sub
const subs = async (): Promise<string[]> => (await users.list({ limit: 9 })).map(({ sub }) => sub)

/** Makes each claim of a name this much older. */
const age = (seconds: number, executor: Executor = database.executor) =>
  executor.query('update oidc_usernames set created_at = oidc_clock() - $2::bigint where realm = $1', [
    realm,
    seconds,
  ])

/** A server that was suspended for a minute, just after it had claimed a name. */
const suspended: Executor = {
  async query<Row>(text: string, params?: readonly Param[]): Promise<Row[]> {
    const { executor } = database
    const rows = await executor.query<Row>(text, params)
    if (!text.includes('insert into oidc_usernames') || rows.length === 0) return rows
    await age(60)
    return executor.query(
      'select created_at from oidc_usernames where realm = $1 and username_key = $2 and sub = $3',
      [realm, ...(params ?? []).slice(2)],
    )
  },
  transaction: (run) => database.executor.transaction(run),
  close: async () => {},
}

/** A statement before which a call waits, and the server that sends it. */
interface Moment {
  part: string
  server: Executor
}

/** Runs a call up to the statement, then `meanwhile`, then the rest of the call. */
async function during(
  moment: string | Moment,
  call: (store: UserStore) => Promise<boolean>,
  meanwhile: () => Promise<unknown>,
): Promise<boolean> {
  const { part, server } = typeof moment === 'string' ? { part: moment, server: database.executor } : moment
  const paused = pausedBefore(server, part)
  const result = call(storeOn(paused.executor))
  const is_reached = await Promise.race([paused.reached.then(() => true), result.then(() => false)])
  if (!is_reached) throw new Error(`the call has ended without the statement: ${part}`)
  await meanwhile()
  paused.go()
  return result
}

const CLAIM = 'insert into oidc_usernames'
const INSERT_USER = 'insert into oidc_users '
const CONFIRM = 'update oidc_usernames'
/** A confirmation is a take-over of the own claim. */
const TAKE_OVER = CONFIRM
const FREE_NAME = 'delete from oidc_usernames'
const CHANGE_USER = 'update oidc_users '

/** The second claim of a call: it has seen the name claimed, and waits for the end of that. */
function watched(server: Executor) {
  const second = gate()
  let claims = 0
  const query: Executor['query'] = (text, params) => {
    if (text.includes(CLAIM)) claims += 1
    if (claims === 2) void second.pass()
    return server.query(text, params)
  }
  return { executor: { ...server, query }, claimsAgain: second.reached }
}

/** Starts a call, and `end` when it waits for the end of a claim, or has ended. */
async function untilItWaits<T>(
  call: (store: UserStore) => Promise<T>,
  end: () => unknown,
  server: Executor = database.executor,
): Promise<T> {
  const { executor, claimsAgain } = watched(server)
  const result = call(storeOn(executor))
  await Promise.race([claimsAgain, result.catch(() => {})])
  await end()
  return result
}

const before = (part: string, place?: number) => pausedBefore(database.executor, part, place)

/** Runs one call on the paused server, then another one until it waits, and then both to their ends. */
async function inTheWay<A, B>(
  paused: PausedExecutor,
  first: (store: UserStore) => Promise<A>,
  second: (store: UserStore) => Promise<B>,
): Promise<[A, B]> {
  const result = first(storeOn(paused.executor))
  await paused.reached
  const other = await untilItWaits(second, paused.go)
  return [await result, other]
}

describe('a creation', () => {
  it('has the name before its user is stored', async () => {
    const created = await during(
      INSERT_USER,
      (store) => store.create(user('a', 'ann')),
      async () => {
        const held = 'select sub from oidc_usernames where realm = $1'
        expect(await database.executor.query(held, [realm])).toEqual([{ sub: 'a' }])
      },
    )
    expect([created, await named('ann'), await subs()]).toEqual([true, 'a', ['a']])
  })

  it.each([
    ['before its user is stored', INSERT_USER],
    ['after its user is stored', CONFIRM],
  ])('%s, whose name was taken over, leaves no user', async (_, part) => {
    const created = await during(
      part,
      (store) => store.create(user('a', 'ann')),
      async () => {
        // The server was suspended for a minute, and its user was not seen.
        await age(60)
        await database.executor.query(`delete from oidc_users where realm = '${realm}'`)
        expect(await users.create(user('b', 'ann'))).toBe(true)
      },
    )
    expect([created, await named('ann'), await subs(), await users.find('a')]).toEqual([
      false,
      'b',
      ['b'],
      null,
    ])
  })

  it.each([
    ['another name', user('a', 'anna')],
    ['another time', user('a', 'ann', { updated_at: NOW + 1 })],
  ])('whose name was taken over leaves the same user of a later creation, with %s', async (_, later) => {
    const created = await during(
      { part: CONFIRM, server: suspended },
      (store) => store.create(user('a', 'ann')),
      async () => {
        await database.executor.query(`delete from oidc_users where realm = '${realm}'`)
        expect(await users.create(user('b', 'ann'))).toBe(true)
        expect(await users.delete('b')).toBe(true)
        expect(await users.create(later)).toBe(true)
      },
    )
    expect([created, await users.find('a'), await named(later.username_key)]).toEqual([false, later, 'a'])
  })

  it('that is slow keeps its name: who has seen no user cannot take it over when there is one', async () => {
    let go_on = () => {}
    let taken: Promise<boolean> | undefined
    const created = await during(
      { part: INSERT_USER, server: suspended },
      (store) => store.create(user('a', 'ann')),
      async () => {
        const other = pausedBefore(database.executor, TAKE_OVER)
        taken = storeOn(other.executor).create(user('b', 'ann'))
        go_on = other.go
        await Promise.race([other.reached, taken])
      },
    )
    go_on()
    expect([created, await taken, await named('ann'), await subs()]).toEqual([true, false, 'a', ['a']])
  })

  it('of 20 at the same time, one has the name', async () => {
    const created = await Promise.all(
      Array.from({ length: 20 }, (_, n) => users.create(user(`sub-${n}`, 'ann'))),
    )
    expect(created.filter(Boolean)).toHaveLength(1)
    expect(await subs()).toEqual([`sub-${created.indexOf(true)}`])
  })

  it('with the `sub` of another user gives the name up', async () => {
    await users.create(user('a', 'ann'))
    expect(await users.create(user('a', 'bob'))).toBe(false)
    expect(await users.create(user('b', 'bob'))).toBe(true)
  })

  it.each([
    [
      'another user',
      'b',
      () => database.executor.query(`update oidc_usernames set sub = 'b' where username_key = 'bob'`),
    ],
    ['this user', 'a', () => users.update(user('a', 'bob', { updated_at: NOW + 1 }), NOW)],
  ])(
    'with the `sub` of another user leaves a name that has become the name of %s',
    async (_, sub, become) => {
      await users.create(user('a', 'ann'))
      const created = await during(
        { part: FREE_NAME, server: suspended },
        (store) => store.create(user('a', 'bob')),
        become,
      )
      const held = await database.executor.query<{ sub: string }>(
        'select sub from oidc_usernames where realm = $1 and username_key = $2',
        [realm, 'bob'],
      )
      expect([created, held]).toEqual([false, [{ sub }]])
    },
  )
})

describe('who wants a name that another server is about to store', () => {
  const create = (sub: string, name: string) => (store: UserStore) => store.create(user(sub, name))
  /** Whether it was created, and who has the name as soon as that is answered. */
  const creates = (sub: string, name: string) => async (store: UserStore) => [
    await store.create(user(sub, name)),
    await named(name),
  ]
  const renamed = user('a', 'anna', { updated_at: NOW + 1 })
  const rename = (store: UserStore) => store.update(renamed, NOW)

  it.each([
    ['any `sub`', {}],
    ['the same `sub`', { sub: 'a' }],
  ])('as both have the same user of a configuration, with %s: finds it stored', async (_, more) => {
    const start = (store: UserStore) => upsertUser(store, { username: 'ann', ...more })
    const [first, second] = await inTheWay(before(INSERT_USER), start, start)
    expect([first.outcome, second]).toEqual(['created', { ...first, outcome: 'unchanged' }])
  })

  it('is refused when its user is stored, and not before', async () => {
    const [created, other] = await inTheWay(before(INSERT_USER), create('a', 'ann'), creates('b', 'ann'))
    expect([created, other]).toEqual([true, [false, 'a']])
  })

  it('has it when the other one gives it up', async () => {
    await users.create(user('a', 'ann'))
    const [created, other] = await inTheWay(before(INSERT_USER), create('a', 'bob'), creates('b', 'bob'))
    expect([created, other]).toEqual([false, [true, 'b']])
  })

  it('by a change of name, is refused when its user is stored', async () => {
    await users.create(user('a', 'ann'))
    const renames = async (store: UserStore) => [await rename(store), await named('anna')]
    const [created, other] = await inTheWay(before(INSERT_USER), create('b', 'anna'), renames)
    expect([created, other]).toEqual([true, [false, 'b']])
  })

  it('is refused when a change of name has stored it', async () => {
    await users.create(user('a', 'ann'))
    const [changed, other] = await inTheWay(before(CHANGE_USER, 2), rename, creates('b', 'anna'))
    expect([changed, other]).toEqual([true, [false, 'a']])
  })

  it.each([
    ['a change of name', rename],
    ['a deletion', (store: UserStore) => store.delete('a')],
  ])('has a name that %s is about to free', async (_, free) => {
    await users.create(user('a', 'ann'))
    const [freed, other] = await inTheWay(before(FREE_NAME), free, creates('b', 'ann'))
    expect([freed, other]).toEqual([true, [true, 'b']])
  })
})

describe('a name whose user is not there', () => {
  /** A server dies between its two commits. */
  const claimed = (name: string, sub: string) => {
    const { executor } = database
    const query: Executor['query'] = (text, params) =>
      text.includes(INSERT_USER) ? Promise.reject(new Error('killed')) : executor.query(text, params)
    return expect(storeOn({ ...executor, query }).create(user(sub, name))).rejects.toThrow('killed')
  }

  /** Runs with claims of this age. The clock of a transaction stands still. */
  const atAge = <T>(seconds: number, run: (within: Executor) => Promise<T>): Promise<T> =>
    database.executor.transaction(async (tx) => {
      const within: Executor = { ...tx, transaction: (work) => work(tx), close: async () => {} }
      await age(seconds, within)
      return run(within)
    })

  it.each([5, 59, -5])('after %i seconds is refused: a later attempt may have it', async (seconds) => {
    await claimed('ann', 'a')
    const refusal = await atAge(seconds, (within) =>
      storeOn(within)
        .create(user('b', 'ann'))
        .catch((error: unknown) => error),
    )
    expect(refusal).toMatchObject({ message: expect.stringContaining('try again in a minute') })
    expect([isUnavailable(refusal), await named('ann')]).toEqual([true, undefined])
  })

  it.each([60, -60])('after %i seconds can be taken over', async (seconds) => {
    await claimed('ann', 'a')
    const taken = await atAge(seconds, (within) => storeOn(within).create(user('b', 'ann')))
    expect([taken, await named('ann')]).toEqual([true, 'b'])
  })

  it.each([0, 4, -4])('after %i seconds is waited for', async (seconds) => {
    await claimed('ann', 'a')
    const created = await atAge(seconds, (within) =>
      untilItWaits(
        (store) => store.create(user('b', 'ann')),
        () => within.query('delete from oidc_usernames where realm = $1', [realm]),
        within,
      ),
    )
    expect([created, await named('ann')]).toEqual([true, 'b'])
  })

  it('is waited for up to five seconds also where its age does not grow', async () => {
    let claims = 0
    const query: Executor['query'] = async (text) => {
      if (text.includes(CLAIM)) claims += 1
      return []
    }
    const store = storeOn({ ...database.executor, query })
    await expect(store.create(user('b', 'ann'))).rejects.toThrow('try again in a minute')
    expect(claims).toBe(5_000 / 50)
  })

  it('is not freed while the database of that user does not answer', async () => {
    await users.create(user('a', 'ann'))
    await age(60)
    const query: Executor['query'] = (text, params) =>
      text.includes('from oidc_users')
        ? Promise.reject(new Error('no answer'))
        : database.executor.query(text, params)
    const store = storeOn({ ...database.executor, query })
    await expect(store.create(user('b', 'ann'))).rejects.toThrow('no answer')
    expect(await named('ann')).toBe('a')
  })

  it('of a user that is there is not freed, however old it is', async () => {
    await users.create(user('a', 'ann'))
    await age(1_000_000)
    expect([await users.create(user('b', 'ann')), await named('ann')]).toEqual([false, 'a'])
  })
})

describe('a change of name', () => {
  const rename = (store: UserStore) => store.update(user('a', 'anna', { updated_at: NOW + 1 }), NOW)
  beforeEach(async () => {
    await users.create(user('a', 'ann'))
  })

  it('frees the old name, and has the new one', async () => {
    expect(await rename(users)).toBe(true)
    expect([await named('ann'), await named('anna')]).toEqual([undefined, 'a'])
    expect(await users.create(user('b', 'ann'))).toBe(true)
  })

  it('has the new name before the user has changed, and the user keeps the old one until then', async () => {
    const renamed = await during(CHANGE_USER, rename, async () => {})
    expect(renamed).toBe(true)
    const again = await during(
      'insert into oidc_usernames',
      (store) => store.update(user('a', 'ann', { updated_at: NOW + 2 }), NOW + 1),
      async () => {
        expect([await named('ann'), await named('anna')]).toEqual([undefined, 'a'])
      },
    )
    expect([again, await named('ann')]).toEqual([true, 'a'])
  })

  it('to the name of another user is refused, and nothing changes', async () => {
    await users.create(user('b', 'anna'))
    expect([await rename(users), await named('ann'), await named('anna')]).toEqual([false, 'a', 'b'])
    expect(await users.find('a')).toEqual(user('a', 'ann'))
  })

  it('whose claim was taken over is undone', async () => {
    const renamed = await during(CONFIRM, rename, async () => {
      await database.executor.query(`update oidc_usernames set sub = 'b' where username_key = 'anna'`)
    })
    expect([renamed, await named('ann'), await users.find('a')]).toEqual([false, 'a', user('a', 'ann')])
  })

  it('that another change has overtaken gives its claim up', async () => {
    const renamed = await during('insert into oidc_usernames', rename, async () => {
      await users.update(user('a', 'ann', { updated_at: NOW + 5 }), NOW)
    })
    expect([renamed, await users.create(user('b', 'anna'))]).toEqual([false, true])
  })

  it('that stopped after the user had changed leaves an old name that can be taken over', async () => {
    const { executor } = database
    const query: Executor['query'] = (text, params) =>
      text.includes('delete from oidc_usernames')
        ? Promise.reject(new Error('killed'))
        : executor.query(text, params)
    await expect(rename(storeOn({ ...executor, query }))).rejects.toThrow('killed')
    expect([await named('ann'), await named('anna')]).toEqual([undefined, 'a'])
    await age(60)
    expect([await users.create(user('b', 'ann')), await named('ann')]).toEqual([true, 'b'])
  })
})

describe('a user whose name names another', () => {
  it('is not found by the name, and not listed', async () => {
    await users.create(user('a', 'ann'))
    await users.create(user('b', 'bob'))
    await database.executor.query(
      `update oidc_usernames set sub = 'b' where realm = '${realm}' and sub = 'a'`,
    )
    expect([await named('ann'), await subs()]).toEqual([undefined, ['b']])
  })
})

describe('a deletion', () => {
  it('frees the name, and leaves it with whoever has taken it over', async () => {
    await users.create(user('a', 'ann'))
    expect([await users.delete('a'), await users.delete('a')]).toEqual([true, false])
    expect(await users.create(user('b', 'ann'))).toBe(true)
    expect([await users.delete('a'), await named('ann')]).toEqual([false, 'b'])
  })

  it('of a user that changes meanwhile frees the name that the user has then', async () => {
    await users.create(user('a', 'ann'))
    const deleted = await during(
      CHANGE_USER,
      (store) => store.delete('a'),
      () => users.update(user('a', 'anna', { updated_at: NOW + 1 }), NOW),
    )
    expect([deleted, await users.find('a'), await named('anna')]).toEqual([true, null, undefined])
    expect(await users.create(user('b', 'anna'))).toBe(true)
  })

  it('leaves the name with whoever takes it over before it is freed', async () => {
    await users.create(user('a', 'ann'))
    const deleted = await during(
      FREE_NAME,
      (store) => store.delete('a'),
      async () => {
        await age(60)
        expect(await users.create(user('b', 'ann'))).toBe(true)
      },
    )
    expect([deleted, await named('ann'), await subs()]).toEqual([true, 'b', ['b']])
  })
})
