/** A mailed code, with two servers of which one is held: one use, and each try once. */

import type { RealmStorage } from '@ostiary/core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { browserAt, isSignedIn, type Place, place, reasons, wrong } from '../../email-codes/test/_place.js'
import { type Executor, postgresStores } from '../src/index.js'
import { executorIn, type HeldTransaction, hold, untilItWaits } from './_held.js'
import { migratedDatabase, type OwnDatabase } from './_setup.js'

describe.each([
  ['one database', false],
  ['a database that is divided by buckets', true],
])('in %s', (_, sharded) => {
  let database: OwnDatabase
  let realm = ''
  let realms = 0
  /** Of the server that answers. */
  let storage: RealmStorage
  let p: Place
  let code = ''
  let enter: (typed: string) => Promise<Response>
  beforeAll(async () => {
    database = await migratedDatabase()
  })
  afterAll(() => database.drop())

  const storeOn = (executor: Executor) => postgresStores(executor, { sharded }).storage(realm)
  const own = () => storeOn(database.executor)
  beforeEach(async () => {
    realms += 1
    realm = `realm-${realms}`
    storage = own()
    p = await place({ identity: { replays: () => storage.replays, throttle: () => storage.throttle } })
    const b = browserAt(p)
    const [html, mailed] = await b.codeFor('ada')
    code = mailed
    const kept = new Map(b.cookies)
    // Each form comes with the cookies that the browser had at first.
    enter = (typed) => {
      const copy = browserAt(p)
      for (const [name, value] of kept) copy.cookies.set(name, value)
      return copy.enter(html, typed)
    }
  })

  /** The form, sent to the server whose transaction stays open. */
  async function held(typed: string): Promise<HeldTransaction<Response>> {
    const open = await hold(database.executor, async (tx) => {
      storage = storeOn(executorIn(tx))
      return enter(typed)
    })
    storage = own()
    return open
  }

  it('the second use waits for the first, and is refused', async () => {
    const open = await held(code)
    const waiting = enter(code)
    expect(await untilItWaits(database.executor, waiting)).toBe(true)
    await open.commit()
    const late = await waiting
    expect([isSignedIn(open.result), isSignedIn(late), late.status]).toEqual([true, false, 422])
    expect(reasons(p)).toEqual(['code_reused'])
  })

  it('the second use gets the code when the first one fails', async () => {
    const open = await held(code)
    const waiting = enter(code)
    expect(await untilItWaits(database.executor, waiting)).toBe(true)
    await open.rollback()
    expect(isSignedIn(await waiting)).toBe(true)
  })

  it('a try that waits for another is the next one, and there are five', async () => {
    const open = await held(wrong(code))
    const waiting = Array.from({ length: 3 }, () => enter(wrong(code)))
    expect(await untilItWaits(database.executor, Promise.race(waiting))).toBe(true)
    await open.commit()
    const early = [open.result, ...(await Promise.all(waiting))]
    const late = await Promise.all(Array.from({ length: 20 }, () => enter(wrong(code))))
    const texts = await Promise.all([...early, ...late].map((one) => one.text()))
    expect(texts.filter((text) => text.includes('This is not the code'))).toHaveLength(5)
    expect((await enter(code)).status).toBe(422)
  })

  it('50 uses at once are one sign-in', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => enter(code)))
    expect(answers.filter(isSignedIn)).toHaveLength(1)
  })
})
