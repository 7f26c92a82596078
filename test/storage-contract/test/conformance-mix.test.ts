/** The mix of PostgreSQL and Redis that the host makes when both URLs are set. */

import { mixedStorage } from '@ostiary/host'
import { storageConformance } from '@ostiary/storage-conformance'
import { postgresStorage } from '@ostiary/storage-postgres'
import { redisStorage } from '@ostiary/storage-redis'
import { type FreshDatabase, freshDatabase, redisCorner } from '../src/services.js'

const { redis, prefix } = redisCorner()
let database: FreshDatabase

storageConformance({
  name: 'Postgres and Redis',
  background: true,
  async create() {
    database = await freshDatabase()
    return mixedStorage(postgresStorage(database.executor), redisStorage(redis, { prefix }), 'redis')
  },
  async destroy() {
    for await (const keys of redis.scanStream({ match: `${prefix}*`, count: 1000 }))
      if (keys.length > 0) await redis.unlink(keys)
    redis.disconnect()
    await database.drop()
  },
})
