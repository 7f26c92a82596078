/** The tables of people in 16 partitions: the stores keep every rule. */

import { storageConformance } from '@ostiary/storage-conformance'
import { factorRules } from '@ostiary/test-kit/factor-rules'
import { ADDRESS_REALMS, addressRules } from '@ostiary/test-kit/factors/address-rules'
import { linkRules } from '@ostiary/test-kit/factors/link-rules'
import { rememberedDeviceRules } from '@ostiary/test-kit/factors/remembered-device-rules'
import { ticketRules } from '@ostiary/test-kit/ticket-rules'
import { userRules } from '@ostiary/test-kit/user-rules'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createEmailSignIn } from '../../email-sign-in/src/index.js'
import { postgresStores, postgresUsers } from '../src/index.js'
import { partitionedDatabase, TABLES_WITH_BUCKETS } from './_partitioned.js'
import type { OwnDatabase } from './_setup.js'
import { strays } from './_strays.js'

let database: OwnDatabase
beforeAll(async () => {
  database = await partitionedDatabase()
})
afterAll(() => database.drop())

storageConformance({
  name: 'PostgreSQL, the people in 16 partitions',
  background: true,
  issue: true,
  create: async () => postgresStores(database.executor).storage,
})

userRules('users in PostgreSQL, in 16 partitions', async () => ({
  users: postgresUsers(database.executor),
  close: async () => {},
}))

ticketRules('tickets in PostgreSQL, in 16 partitions', async () => ({
  ...postgresStores(database.executor),
  close: async () => {},
}))

rememberedDeviceRules('remembered devices in PostgreSQL, in 16 partitions', async () => ({
  ...postgresStores(database.executor),
  close: async () => {},
}))

linkRules('links in PostgreSQL, in 16 partitions', async () => ({
  ...postgresStores(database.executor),
  close: async () => {},
}))

addressRules('addresses in PostgreSQL, in 16 partitions', async () => {
  const { users: stored, addresses } = postgresStores(database.executor)
  const by_email = createEmailSignIn({ realms: ADDRESS_REALMS, users: stored, addresses })
  const find = async (realm: string, key: string) =>
    (await by_email.extension.names?.(realm)?.find(key)) ?? null
  // Entries that stay, for what looks at all tables.
  const kept = async () => void (await addresses('kept').add('ann@example.com', 'ann'))
  return { ...by_email, stored, addresses, find, close: kept }
})

factorRules('factors in PostgreSQL, in 16 partitions', async () => ({
  ...postgresStores(database.executor),
  close: async () => {},
}))

it('each row that these rules have stored is in the bucket of its person, or of its own key', async () => {
  expect(await strays(database.executor)).toEqual({
    filled: expect.arrayContaining(TABLES_WITH_BUCKETS),
    rows: [],
  })
})
