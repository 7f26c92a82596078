/** Remembered devices: the rules, and two servers of which one is held. */

import type { RememberedDeviceStore } from '@ostiary/identity'
import {
  rememberedDevice as device,
  rememberedDeviceRules,
} from '@ostiary/test-kit/factors/remembered-device-rules'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Executor, endAccess, postgresStores } from '../src/index.js'
import { executorIn, type HeldTransaction, hold, untilItWaits } from './_held.js'
import { migratedDatabase, type OwnDatabase } from './_setup.js'
import { recorded, unexplained } from './_statements.js'

let texts = new Set<string>()
rememberedDeviceRules('remembered devices in PostgreSQL', async () => {
  const { executor, drop } = await migratedDatabase()
  const recording = recorded(executor)
  texts = recording.texts
  return { ...postgresStores(recording.executor), close: drop }
})

it('plans.long.test.ts explains every statement that the rules for remembered devices cause', async () => {
  expect(texts.size).toBeGreaterThan(3)
  expect(await unexplained(texts)).toEqual([])
})

describe.each([
  ['one database', false],
  ['a database that is divided by buckets', true],
])('in %s', (_, sharded) => {
  let database: OwnDatabase
  let realm = ''
  let realms = 0
  const FIRST = device('one', 'ann')
  const next = (secret_hash: string) => ({ secret_hash, last_used_at: FIRST.created_at + 9 })
  beforeAll(async () => {
    database = await migratedDatabase()
  })
  afterAll(() => database.drop())
  beforeEach(async () => {
    realms += 1
    realm = `realm-${realms}`
    await own().add(FIRST)
  })

  const storesOn = (executor: Executor) => postgresStores(executor, { sharded })
  const own = () => storesOn(database.executor).remembered_devices(realm)
  const held = <T>(call: (devices: RememberedDeviceStore) => Promise<T>): Promise<HeldTransaction<T>> =>
    hold(database.executor, (tx) => call(storesOn(executorIn(tx)).remembered_devices(realm)))

  it('a second server that renews the same secret waits for the first one, and gets false', async () => {
    const open = await held((devices) => devices.renew(FIRST, next('of the first')))
    const waiting = own().renew(FIRST, next('of the second'))
    expect(await untilItWaits(database.executor, waiting)).toBe(true)
    await open.commit()
    expect([open.result, await waiting]).toEqual([true, false])
    expect(await own().list('ann')).toMatchObject([{ secret_hash: 'of the first' }])
  })

  it('a second server renews the secret when the first one fails', async () => {
    const open = await held((devices) => devices.renew(FIRST, next('of the first')))
    const waiting = own().renew(FIRST, next('of the second'))
    expect(await untilItWaits(database.executor, waiting)).toBe(true)
    await open.rollback()
    expect(await waiting).toBe(true)
    expect(await own().list('ann')).toMatchObject([{ secret_hash: 'of the second' }])
  })

  it('a renewal waits for the removal of the device, and gets false', async () => {
    const open = await held((devices) => devices.remove('ann', 'one'))
    const waiting = own().renew(FIRST, next('too late'))
    expect(await untilItWaits(database.executor, waiting)).toBe(true)
    await open.commit()
    expect([open.result, await waiting, await own().list('ann')]).toEqual([true, false, []])
  })

  it('the purge deletes devices that have expired, and no others', async () => {
    const { storage } = storesOn(database.executor)
    const now = Math.floor(Date.now() / 1000)
    await own().remove('ann', 'one')
    await own().add({ ...FIRST, expires_at: now - 1 })
    const other = device('two', 'bob', { expires_at: now + 600 })
    await own().add(other)
    expect(await storage(realm).purge(now)).toBe(1)
    expect([await own().list('ann'), await own().list('bob')]).toEqual([[], [other]])
  })

  it('what makes a restored database safe ends every device', async () => {
    await endAccess(database.executor, { first: 0, last: 4095 })
    expect(await own().list('ann')).toEqual([])
  })
})
