/** The addresses with which users sign in: the rules, a change that is held, and one that is undone with its entry. */

import { ADA, ADDRESS_REALMS, addressRules, withAddress } from '@ostiary/test-kit/factors/address-rules'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEmailSignIn } from '../../email-sign-in/src/index.js'
import { type Executor, postgresStores } from '../src/index.js'
import { executorIn, hold, untilItWaits } from './_held.js'
import { partitionedDatabase } from './_partitioned.js'
import { migratedDatabase, type OwnDatabase } from './_setup.js'
import { recorded, unexplained } from './_statements.js'
import { strays } from './_strays.js'

const REALM = 'held'

function placeOn(executor: Executor, sharded: boolean) {
  const { users: stored, addresses } = postgresStores(executor, { sharded })
  const { users, extension } = createEmailSignIn({
    realms: [...ADDRESS_REALMS, REALM],
    users: stored,
    addresses,
  })
  const find = async (realm: string, key: string) => (await extension.names?.(realm)?.find(key)) ?? null
  // A list of a divided database is a statement for each bucket, 4,096 a realm.
  const fill = (realm: string) => createEmailSignIn({ realms: [realm], users: stored, addresses }).fill()
  return { users, stored, addresses, find, fill }
}

const texts = new Set<string>()
const NAMES: [string, boolean, () => Promise<OwnDatabase>][] = [
  ['one database', false, migratedDatabase],
  ['a database that is divided by buckets', true, partitionedDatabase],
]

describe.each(NAMES)('in %s', (_, sharded, open) => {
  let database: OwnDatabase
  const NEW = 'new@example.com'
  const moved = { ...withAddress('a', NEW), updated_at: withAddress('a', ADA).updated_at + 1 }
  beforeAll(async () => {
    database = await open()
  })
  afterAll(async () => {
    expect((await strays(database.executor)).rows).toEqual([])
    await database.drop()
  })

  addressRules('the rules', async () => {
    const recording = recorded(database.executor)
    return {
      ...placeOn(recording.executor, sharded),
      async close() {
        if (!sharded) for (const text of recording.texts) texts.add(text)
      },
    }
  })

  it('a change that is refused at the end leaves no entry', async () => {
    const place = placeOn(database.executor, sharded)
    const users = place.users(REALM)
    await users.create(withAddress('a', ADA))
    const { executor } = database
    const held = await hold(executor, async (tx) => {
      const own = placeOn(executorIn(tx), true).users(REALM)
      return own.update({ ...moved, claims: {} }, moved.updated_at - 1)
    })
    const other = users.update(moved, moved.updated_at - 1)
    expect(await untilItWaits(executor, other)).toBe(true)
    await held.commit()
    expect(await other).toBe(false)
    expect(await place.addresses(REALM).find(NEW)).toEqual([])
    expect(await place.addresses(REALM).find(ADA)).toEqual([])
  })
})

it('in one database, an entry and its user are stored together, or neither', async () => {
  const database = await migratedDatabase()
  const { executor } = database
  const { users, addresses } = placeOn(executor, false)
  await users(REALM).create(withAddress('a', ADA))
  // The table refuses the entry, as it would when the server ends between the two.
  await executor.query(
    "alter table oidc_addresses add constraint broken check (address_key <> 'new@example.com')",
  )
  const moved = { ...withAddress('a', 'new@example.com'), updated_at: 1_900_000_000 }
  await expect(users(REALM).update(moved, withAddress('a', ADA).updated_at)).rejects.toThrow()
  expect(await users(REALM).find('a')).toEqual(withAddress('a', ADA))
  expect(await addresses(REALM).find(ADA)).toEqual([{ sub: 'a' }])
  await expect(users(REALM).create(withAddress('b', 'new@example.com'))).rejects.toThrow()
  expect(await users(REALM).find('b')).toBeNull()
  await database.drop()
})

it('plans.long.test.ts explains every statement that the rules for addresses cause', async () => {
  expect(texts.size).toBeGreaterThan(6)
  expect(await unexplained(texts)).toEqual([])
})
