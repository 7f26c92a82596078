import { storageConformance } from '@ostiary/storage-conformance'
import { expect, it } from 'vitest'
import { postgresStores } from '../src/index.js'
import { migratedDatabase, type OwnDatabase } from './_setup.js'
import { recorded, unexplained } from './_statements.js'

let database: OwnDatabase
let texts = new Set<string>()

storageConformance({
  name: 'PostgreSQL',
  background: true,
  issue: true,
  async create() {
    database = await migratedDatabase()
    const recording = recorded(database.executor)
    texts = recording.texts
    return postgresStores(recording.executor).storage
  },
  destroy: () => database.drop(),
})

it('plans.long.test.ts explains every statement that the rules cause', async () => {
  expect(texts.size).toBeGreaterThan(40)
  expect(await unexplained(texts)).toEqual([])
})
