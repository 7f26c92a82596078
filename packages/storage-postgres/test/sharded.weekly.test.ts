/** The stores of a database that is divided by buckets keep every rule. partitions.test.ts shows that each statement touches one partition. */

import { storageConformance } from '@ostiary/storage-conformance'
import { UNLIMITED } from '@ostiary/test-kit/database'
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

storageConformance({
  name: 'two PostgreSQL, divided by buckets',
  background: true,
  // Each asks 256 of 4,096 buckets.
  turns: 16,
  issue: true,
  create: async () => postgresStores(executor).storage,
})

it('each row that these rules have stored is in the bucket of its person, or of its own key', async () => {
  for (const half of database.databases) expect((await strays(half.executor)).rows).toEqual([])
})
