import { storageConformance } from '@ostiary/storage-conformance'
import { postgresStorage } from '../src/index.js'
import { migratedDatabase, type OwnDatabase } from './_setup.js'

let database: OwnDatabase

storageConformance({
  name: 'PostgreSQL',
  async create() {
    database = await migratedDatabase()
    return postgresStorage(database.executor)
  },
  destroy: () => database.drop(),
})
