/** The storages of a provider that a short run leaves out; it has its records in memory. */

import { migrations, postgresExecutor } from '@ostiary/storage-postgres'
import { newDatabase, service, UNLIMITED } from '@ostiary/test-kit/database'
import { partitionPeople } from '@ostiary/test-kit/partitions'
import { redisCluster } from '@ostiary/test-kit/redis/cluster'

export interface StartedStorage {
  /** Environment of the provider. */
  env: Record<string, string>
  stop?(): Promise<void>
}

async function postgres(): Promise<StartedStorage> {
  const { url, drop } = await newDatabase()
  return { env: { DATABASE_URL: url }, stop: drop }
}

async function partitions(): Promise<StartedStorage> {
  const { url, drop } = await newDatabase()
  const executor = postgresExecutor(url, UNLIMITED)
  await migrations(executor).setUp()
  await executor.close()
  await partitionPeople(url)
  return { env: { DATABASE_URL: url }, stop: drop }
}

async function postgresAndRedis(): Promise<StartedStorage> {
  const { env, ...rest } = await postgres()
  return { env: { ...env, REDIS_URL: service('REDIS_URL') }, ...rest }
}

async function postgresAndCluster(): Promise<StartedStorage> {
  const cleanUps: (() => Promise<void> | void)[] = []
  const [{ env, stop }, { url }] = [
    await postgres(),
    await redisCluster((clean) => void cleanUps.push(clean)),
  ]
  return {
    env: { ...env, REDIS_URL: url, OSTIARY_SESSIONS: 'redis' },
    async stop() {
      for (const clean of cleanUps.reverse()) await clean()
      await stop?.()
    },
  }
}

/** Each with its name, and a function that starts it. */
export const STORAGES: [name: string, start: () => Promise<StartedStorage>][] = [
  ['the embedded database', async () => ({ env: {} })],
  ['PostgreSQL', postgres],
  ['PostgreSQL in 16 partitions', partitions],
  ['PostgreSQL with Redis', postgresAndRedis],
  ['PostgreSQL with a Redis Cluster', postgresAndCluster],
]
