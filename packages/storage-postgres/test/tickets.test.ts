/** Tickets: the rules, and two servers of which one is held. */

import type { TicketStore } from '@ostiary/identity'
import { ticketRecord as ticket, ticketRules } from '@ostiary/test-kit/ticket-rules'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Executor, endAccess, postgresStores } from '../src/index.js'
import { userRecord as user } from './_grants.js'
import { executorIn, type HeldTransaction, hold, untilItWaits } from './_held.js'
import { migratedDatabase, type OwnDatabase } from './_setup.js'
import { recorded, unexplained } from './_statements.js'

let texts = new Set<string>()
ticketRules('tickets in PostgreSQL', async () => {
  const { executor, drop } = await migratedDatabase()
  const recording = recorded(executor)
  texts = recording.texts
  return { ...postgresStores(recording.executor), close: drop }
})

it('plans.long.test.ts explains every statement that the rules for tickets cause', async () => {
  expect(texts.size).toBeGreaterThan(2)
  expect(await unexplained(texts)).toEqual([])
})

describe.each([
  ['one database', false],
  ['a database that is divided by buckets', true],
])('in %s', (_, sharded) => {
  let database: OwnDatabase
  let realm = ''
  let realms = 0
  const OLD = ticket('old', 'ann')
  const NEW = ticket('new', 'ann', { created_at: 5, expires_at: 9, credential_version: 4 })
  beforeAll(async () => {
    database = await migratedDatabase()
  })
  afterAll(() => database.drop())
  beforeEach(async () => {
    realms += 1
    realm = `realm-${realms}`
    await own().put(OLD)
  })

  const storesOn = (executor: Executor) => postgresStores(executor, { sharded })
  const own = () => storesOn(database.executor).tickets(realm)
  const held = <T>(call: (tickets: TicketStore) => Promise<T>): Promise<HeldTransaction<T>> =>
    hold(database.executor, (tx) => call(storesOn(executorIn(tx)).tickets(realm)))

  it('a second server that takes a ticket waits for the first one, and gets nothing', async () => {
    const open = await held((tickets) => tickets.take(OLD.ticket_hash))
    const waiting = own().take(OLD.ticket_hash)
    expect(await untilItWaits(database.executor, waiting)).toBe(true)
    await open.commit()
    expect([open.result, await waiting]).toEqual([OLD, null])
  })

  it('a second server gets the ticket when the first one fails', async () => {
    const open = await held((tickets) => tickets.take(OLD.ticket_hash))
    const waiting = own().take(OLD.ticket_hash)
    expect(await untilItWaits(database.executor, waiting)).toBe(true)
    await open.rollback()
    expect(await waiting).toEqual(OLD)
  })

  it('taking a ticket waits for a newer one, and gets nothing', async () => {
    const open = await held((tickets) => tickets.put(NEW))
    const waiting = own().take(OLD.ticket_hash)
    expect(await untilItWaits(database.executor, waiting)).toBe(true)
    await open.commit()
    expect([await waiting, await own().find(NEW.ticket_hash)]).toEqual([null, NEW])
  })

  it('a newer ticket waits for one that is taken, and is stored', async () => {
    const open = await held((tickets) => tickets.take(OLD.ticket_hash))
    const waiting = own().put(NEW)
    expect(await untilItWaits(database.executor, waiting)).toBe(true)
    await open.commit()
    await waiting
    expect([open.result, await own().find(NEW.ticket_hash)]).toEqual([OLD, NEW])
  })

  it('the deletion of the user waits for a newer ticket, and deletes it', async () => {
    const { users } = storesOn(database.executor)
    await users(realm).create(user('ann', 'ann'))
    const open = await held((tickets) => tickets.put(NEW))
    const waiting = users(realm).delete('ann')
    expect(await untilItWaits(database.executor, waiting)).toBe(true)
    await open.commit()
    expect([await waiting, await own().find(NEW.ticket_hash)]).toEqual([true, null])
  })

  it('the purge deletes tickets that have expired, and no others', async () => {
    const { storage } = storesOn(database.executor)
    const now = Math.floor(Date.now() / 1000)
    await own().put({ ...OLD, expires_at: now - 1 })
    await own().put(ticket('other', 'bob', { expires_at: now + 600 }))
    expect(await storage(realm).purge(now)).toBe(1)
    expect(await own().find(OLD.ticket_hash)).toBeNull()
    expect(await own().find(ticket('other', 'bob').ticket_hash)).not.toBeNull()
  })

  it('what makes a restored database safe ends every ticket', async () => {
    await endAccess(database.executor, { first: 0, last: 4095 })
    expect(await own().find(OLD.ticket_hash)).toBeNull()
  })
})
