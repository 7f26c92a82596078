/** The stores of a database that is divided by buckets keep every rule. partitions.test.ts shows that each statement touches one partition. */

import { bucketByHash } from '@ostiary/core'
import { storageConformance } from '@ostiary/storage-conformance'
import { userRules } from '@ostiary/test-kit/user-rules'
import { afterAll, beforeAll } from 'vitest'
import { postgresStores } from '../src/index.js'
import { migratedDatabase, type OwnDatabase } from './_setup.js'

let database: OwnDatabase
beforeAll(async () => {
  database = await migratedDatabase()
})
afterAll(() => database.drop())

storageConformance({
  name: 'PostgreSQL, divided by buckets',
  background: true,
  // Each asks 256 of 4,096 buckets.
  turns: 16,
  issue: true,
  create: async () => postgresStores(database.executor, { sharded: true }).storage,
})

userRules('users in PostgreSQL, divided by buckets', async () => ({
  users: postgresStores(database.executor, { sharded: true }).users,
  close: async () => {},
  inOrder: (subs) => [...subs].sort((a, b) => bucketByHash(a) - bucketByHash(b)),
}))
