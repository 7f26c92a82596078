/** Changes of an email address, with two servers of which one is held: the button that confirms, the one that undoes, and what ends both. */

import { setPassword, type TicketStore, type UserStore } from '@ostiary/identity'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  type AtBrowser,
  asked,
  browserAt,
  changed,
  HASH,
  linkTo,
  type Place,
  place,
  signedIn,
  told,
} from '../../addresses/test/_place.js'
import { type Executor, postgresStores } from '../src/index.js'
import { executorIn, type HeldTransaction, hold, untilItWaits } from './_held.js'
import { migratedDatabase, type OwnDatabase } from './_setup.js'

const OWN = 'ann@corp.example'
const OTHER = 'other@evil.example'

describe.each([
  ['one database', false],
  ['a database that is divided by buckets', true],
])('in %s', (_, sharded) => {
  let database: OwnDatabase
  let realm = ''
  let realms = 0
  /** Of the server that answers. */
  let stores: { tickets: TicketStore; users: UserStore }
  let p: Place
  let owner: AtBrowser
  beforeAll(async () => {
    database = await migratedDatabase()
  })
  afterAll(() => database.drop())

  const storesOn = (executor: Executor) => {
    const { tickets, users } = postgresStores(executor, { sharded })
    return { tickets: tickets(realm), users: users(realm) }
  }
  const own = () => storesOn(database.executor)
  beforeEach(async () => {
    realms += 1
    realm = `realm-${realms}`
    stores = own()
    p = await place({ tickets: () => () => stores.tickets, users: () => () => stores.users })
    owner = browserAt(p)
  })

  /** What the server does whose transaction stays open. */
  async function held<T>(run: () => Promise<T>): Promise<HeldTransaction<T>> {
    const open = await hold(database.executor, async (tx) => {
      stores = storesOn(executorIn(tx))
      return run()
    })
    stores = own()
    return open
  }
  const emailOf = async () => (await p.user('ann')).claims.email

  /** The account was taken over: the owner has the link that undoes it, the attacker that of a further change. */
  async function takenOver(): Promise<{ undo: string; further: string }> {
    await changed(p, 'ann', 'evil@evil.example')
    const undo = linkTo(p, OWN)
    return { undo, further: await asked(p, 'ann', OTHER) }
  }

  it('the undo waits for a further change, and undoes that too', async () => {
    const { undo, further } = await takenOver()
    const open = await held(() => browserAt(p).press(further))
    const waiting = owner.press(undo)
    expect(await untilItWaits(database.executor, waiting)).toBe(true)
    await open.commit()
    expect([open.result.status, (await waiting).status]).toEqual([303, 303])
    expect(await emailOf()).toBe(OWN)
  })

  it('a further change waits for the undo, and changes nothing', async () => {
    const { undo, further } = await takenOver()
    const open = await held(() => owner.press(undo))
    const waiting = browserAt(p).press(further)
    expect(await untilItWaits(database.executor, waiting)).toBe(true)
    await open.commit()
    expect([open.result.status, (await waiting).status]).toEqual([303, 400])
    expect(await emailOf()).toBe(OWN)
  })

  it('a further change that waits for an undo counts when the undo fails, and can be undone', async () => {
    const { undo, further } = await takenOver()
    const open = await held(() => owner.press(undo))
    const waiting = browserAt(p).press(further)
    expect(await untilItWaits(database.executor, waiting)).toBe(true)
    await open.rollback()
    expect((await waiting).status).toBe(303)
    expect(await emailOf()).toBe(OTHER)
    expect((await owner.press(undo)).status).toBe(303)
    expect(await emailOf()).toBe(OWN)
  })

  it('of two servers with one link of an undo, one undoes', async () => {
    const { undo } = await takenOver()
    const open = await held(() => owner.press(undo))
    const waiting = browserAt(p).press(undo)
    expect(await untilItWaits(database.executor, waiting)).toBe(true)
    await open.commit()
    expect([open.result.status, (await waiting).status]).toEqual([303, 400])
    expect(told(p).filter((one) => one === 'undone')).toHaveLength(1)
  })

  it('of two servers with one link that confirms, one confirms', async () => {
    const link = await asked(p, 'ann', OTHER)
    const open = await held(() => browserAt(p).press(link))
    const waiting = browserAt(p).press(link)
    expect(await untilItWaits(database.executor, waiting)).toBe(true)
    await open.commit()
    expect([open.result.status, (await waiting).status]).toEqual([303, 400])
    expect(told(p).filter((one) => one === 'changed')).toHaveLength(1)
  })

  it('the button that confirms waits for a newer link, and changes nothing', async () => {
    const link = await asked(p, 'ann', OTHER)
    const b = await signedIn(p, 'ann')
    const open = await held(() => b.change('newer@corp.example'))
    const waiting = browserAt(p).press(link)
    expect(await untilItWaits(database.executor, waiting)).toBe(true)
    await open.commit()
    expect([open.result.status, (await waiting).status]).toEqual([303, 400])
    expect(await emailOf()).toBe(OWN)
  })

  it('the button that confirms waits for a new password, and changes nothing', async () => {
    const link = await asked(p, 'ann', OTHER)
    const { sub } = await p.user('ann')
    const set = { sub, password: 'seven words that ann has chosen' }
    const open = await held(() => setPassword(stores.users, set, { passwords: HASH }))
    const waiting = browserAt(p).press(link)
    expect(await untilItWaits(database.executor, waiting)).toBe(true)
    await open.commit()
    expect([open.result, (await waiting).status]).toEqual([true, 400])
    expect(await emailOf()).toBe(OWN)
  })

  it('two accounts that take one username at the same moment: one gets it, the other is told', async () => {
    const mine = await asked(p, 'mia@corp.example', OTHER)
    const his = await asked(p, 'bob@corp.example', OTHER)
    const open = await held(() => browserAt(p).press(mine))
    const waiting = browserAt(p).press(his)
    expect(await untilItWaits(database.executor, waiting)).toBe(true)
    await open.commit()
    expect([open.result.status, (await waiting).status]).toEqual([303, 409])
    expect((await p.user('bob@corp.example')).claims).toMatchObject({ email: 'bob@corp.example' })
  })
})
