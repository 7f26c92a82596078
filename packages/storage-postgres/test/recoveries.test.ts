/** A recovery by mail that waits, with two servers of which one is held: what cancels it, what begins it, and a newer one. */

import type { TicketStore } from '@ostiary/identity'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  browserAt,
  DELAY,
  FLOW,
  lastLink,
  linkFor,
  type Place,
  place,
  waitingFor,
} from '../../recovery/test/_place.js'
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
  let tickets: TicketStore
  let p: Place
  let cancel_link = ''
  beforeAll(async () => {
    database = await migratedDatabase()
  })
  afterAll(() => database.drop())

  const storeOn = (executor: Executor) => postgresStores(executor, { sharded }).tickets(realm)
  const own = () => storeOn(database.executor)
  beforeEach(async () => {
    realms += 1
    realm = `realm-${realms}`
    tickets = own()
    p = await place({ wrap: () => () => tickets })
    cancel_link = (await waitingFor(p, 'bob')).cancel
  })

  /** A request to the server whose transaction stays open. */
  async function held(request: () => Promise<Response>): Promise<HeldTransaction<Response>> {
    const open = await hold(database.executor, async (tx) => {
      tickets = storeOn(executorIn(tx))
      return request()
    })
    tickets = own()
    return open
  }
  const cancel = () => browserAt(p).cancel(cancel_link)
  const locationOf = (answer: Response) => answer.headers.get('location') ?? ''
  const ends = () =>
    p.events.flatMap(({ type }) =>
      type === 'recovery.cancelled' || type === 'recovery.started' ? [type] : [],
    )
  const untils = () =>
    p.events.flatMap((event) =>
      event.type === 'recovery.requested' && event.until !== undefined ? [event.until] : [],
    )
  const isWaiting = async () => (await own().findOf((await p.user('bob')).sub, 'wait')) !== null
  async function linkAtTheEnd(): Promise<string> {
    p.clock.now += DELAY
    await p.deliver()
    return lastLink(p, 't')
  }

  it('the button that begins waits for the one that cancels, and begins nothing', async () => {
    const link = await linkAtTheEnd()
    const open = await held(cancel)
    const waiting = browserAt(p).begin(link)
    expect(await untilItWaits(database.executor, waiting)).toBe(true)
    await open.commit()
    expect([locationOf(open.result), (await waiting).status]).toEqual([
      'https://id.example/login/regain?cancelled=',
      400,
    ])
    expect(ends()).toEqual(['recovery.cancelled'])
  })

  it('the button that cancels waits for the one that begins, and does not say that it has cancelled', async () => {
    const link = await linkAtTheEnd()
    const open = await held(() => browserAt(p).begin(link))
    const waiting = cancel()
    expect(await untilItWaits(database.executor, waiting)).toBe(true)
    await open.commit()
    expect([locationOf(open.result), locationOf(await waiting)]).toEqual([
      FLOW,
      'https://id.example/login/regain?none=',
    ])
    expect(ends()).toEqual(['recovery.started'])
  })

  it('the button that begins gets the recovery when the one that cancels fails', async () => {
    const link = await linkAtTheEnd()
    const open = await held(cancel)
    const waiting = browserAt(p).begin(link)
    expect(await untilItWaits(database.executor, waiting)).toBe(true)
    await open.rollback()
    expect(locationOf(await waiting)).toBe(FLOW)
  })

  it('a newer recovery waits for a cancellation, and has the whole delay', async () => {
    p.clock.now += DELAY - 60
    const link = await linkFor(p, 'bob')
    const open = await held(cancel)
    const waiting = browserAt(p).wait(link)
    expect(await untilItWaits(database.executor, waiting)).toBe(true)
    await open.commit()
    expect((await waiting).status).toBe(303)
    expect(untils().at(-1)).toBe(p.clock.now + DELAY)
  })

  it('a cancellation waits for a newer recovery, and cancels that', async () => {
    p.clock.now += DELAY - 60
    const link = await linkFor(p, 'bob')
    const open = await held(() => browserAt(p).wait(link))
    const waiting = cancel()
    expect(await untilItWaits(database.executor, waiting)).toBe(true)
    await open.commit()
    expect(locationOf(await waiting)).toContain('?cancelled=')
    expect(await isWaiting()).toBe(false)
  })

  it('of two servers with one link, one begins to wait', async () => {
    const link = await linkFor(p, 'ann')
    const open = await held(() => browserAt(p).wait(link))
    const waiting = browserAt(p).wait(link)
    expect(await untilItWaits(database.executor, waiting)).toBe(true)
    await open.commit()
    expect([open.result.status, (await waiting).status]).toEqual([303, 400])
  })
})
