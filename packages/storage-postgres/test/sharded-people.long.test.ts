/** The stores of people, where the database is divided by buckets, keep every rule. It is the other half of sharded.weekly.test.ts. */

import { bucketByHash, bucketByTag } from '@ostiary/core'
import { UNLIMITED } from '@ostiary/test-kit/database'
import { factorRules } from '@ostiary/test-kit/factor-rules'
import { linkRules } from '@ostiary/test-kit/factors/link-rules'
import { rememberedDeviceRules } from '@ostiary/test-kit/factors/remembered-device-rules'
import { mailQueueRules } from '@ostiary/test-kit/mail/mail-queue-rules'
import { ticketRules } from '@ostiary/test-kit/ticket-rules'
import { userRules } from '@ostiary/test-kit/user-rules'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { postgresStores, type RangedExecutor } from '../src/index.js'
import { type DividedDatabase, dividedDatabase } from './_divided.js'
import { strays } from './_strays.js'

let database: DividedDatabase
let executor: RangedExecutor
beforeAll(async () => {
  database = await dividedDatabase()
  executor = database.open(UNLIMITED)
})
afterAll(() => database.drop())

userRules('users in two PostgreSQL, divided by buckets', async () => ({
  users: postgresStores(executor).users,
  close: async () => {},
  inOrder: (subs) => [...subs].sort((a, b) => bucketByHash(a) - bucketByHash(b)),
}))

factorRules('factors in two PostgreSQL, divided by buckets', async () => ({
  ...postgresStores(executor),
  close: async () => {},
  inOrder: (ids) => [...ids].sort((a, b) => bucketByTag(a) - bucketByTag(b) || (a < b ? -1 : 1)),
}))

ticketRules('tickets in two PostgreSQL, divided by buckets', async () => ({
  ...postgresStores(executor),
  close: async () => {},
}))

rememberedDeviceRules('remembered devices in two PostgreSQL, divided by buckets', async () => ({
  ...postgresStores(executor),
  close: async () => {},
}))

linkRules('links in two PostgreSQL, divided by buckets', async () => ({
  ...postgresStores(executor),
  close: async () => {},
}))

mailQueueRules('mails in two PostgreSQL, divided by buckets', async () => ({
  ...postgresStores(executor),
  close: async () => {},
}))

it('each row that these rules have stored is in the bucket of its person, or of its own key', async () => {
  for (const half of database.databases) expect((await strays(half.executor)).rows).toEqual([])
})
