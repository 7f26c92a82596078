/** The mix of PostgreSQL and Redis that the host makes when both URLs are set. */

import { mixedStorage } from '@ostiary/host'
import { storageConformance } from '@ostiary/storage-conformance'
import { postgresStores } from '@ostiary/storage-postgres'
import { redisStorage } from '@ostiary/storage-redis'
import { userChanges } from '@ostiary/test-kit/user-changes'
import { type FreshDatabase, freshDatabase, redisCorner } from '../src/services.js'

type Corner = ReturnType<typeof redisCorner>

async function clear({ redis, prefix }: Corner): Promise<void> {
  for await (const keys of redis.scanStream({ match: `${prefix}*`, count: 1000 }))
    if (keys.length > 0) await redis.unlink(keys)
  redis.disconnect()
}

const corner = redisCorner()
let database: FreshDatabase

storageConformance({
  name: 'Postgres and Redis',
  background: true,
  async create() {
    database = await freshDatabase()
    const { redis, prefix } = corner
    return mixedStorage(postgresStores(database.executor).storage, redisStorage(redis, { prefix }), 'redis')
  },
  async destroy() {
    await clear(corner)
    await database.drop()
  },
})

userChanges('records and users in PostgreSQL, sessions in Redis', async () => {
  const { executor, drop } = await freshDatabase()
  const { storage, users } = postgresStores(executor)
  const own = redisCorner()
  return {
    storage: mixedStorage(storage, redisStorage(own.redis, { prefix: own.prefix }), 'redis'),
    users,
    async close() {
      await clear(own)
      await drop()
    },
  }
})
