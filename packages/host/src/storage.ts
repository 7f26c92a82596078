/** Opens the storage that the configuration names, and closes it. */

import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { ConfigError, type Storage } from '@ostiary/core'
import type { Users } from '@ostiary/identity'
import {
  type Executor,
  migrations,
  pgliteExecutor,
  postgresExecutor,
  postgresStorage,
  postgresUsers,
} from '@ostiary/storage-postgres'
import { redisStorage } from '@ostiary/storage-redis'
import { Redis } from 'ioredis'
import { errorFields, type Log } from './log.js'
import type { StorageChoice } from './storage-choice.js'
import { storageError, THE_DATABASE } from './storage-error.js'

export interface HostStorage {
  storage: Storage
  users: Users
  /** By the name that /readyz shows: resolves when the part does its work. */
  parts: Record<string, () => Promise<unknown>>
  close(): Promise<void>
}

/**
 * Sets an empty database up.
 * @throws StorageError when a server does not answer or its schema is not this version's, or another process has the
 * embedded database; ConfigError when the folder of that cannot be made.
 */
export async function openStorage(choice: StorageChoice, log: Log): Promise<HostStorage> {
  const executor = await openDatabase(choice, log)
  const storage = postgresStorage(executor)
  const durable: HostStorage = {
    storage,
    users: postgresUsers(executor),
    parts: { database: () => executor.query('select 1') },
    close: () => executor.close(),
  }
  if (choice.kind !== 'postgres and redis') return durable
  const redis = connectRedis(choice.redis_url, log)
  return {
    ...durable,
    storage: mixedStorage(storage, redisStorage(redis)),
    parts: { ...durable.parts, redis: () => redis.ping() },
    async close() {
      redis.disconnect()
      await executor.close()
    },
  }
}

async function openDatabase(choice: StorageChoice, log: Log): Promise<Executor> {
  const embedded = choice.kind === 'embedded'
  const executor = embedded ? await openEmbedded(choice) : postgresExecutor(choice.database_url)
  try {
    const steps = migrations(executor)
    // The embedded database is this process's own. A server's is set up while it is empty; after that its schema is
    // changed when its owner says so.
    const ran = await (embedded ? steps.migrate() : steps.setUp())
    if (!embedded && ran.length > 0)
      log.info('the database was empty and is set up', { steps: ran.map(({ name }) => name) })
    return executor
  } catch (error) {
    await executor.close()
    throw storageError(embedded ? `The embedded database ${choice.folder}` : THE_DATABASE, error)
  }
}

async function openEmbedded({ data_dir, folder }: { data_dir: string; folder: string }): Promise<Executor> {
  try {
    await mkdir(dirname(folder), { recursive: true, mode: 0o700 })
  } catch (error) {
    throw new ConfigError(
      `DATA_DIR: ${data_dir} cannot be written (${(error as NodeJS.ErrnoException).code})`,
    )
  }
  try {
    return await pgliteExecutor(folder)
  } catch (error) {
    throw storageError(`The embedded database ${folder}`, error)
  }
}

/** Records that must outlive everything in Postgres; in Redis short-lived and busy ones. Both purge. */
export function mixedStorage(inPostgres: Storage, inRedis: Storage): Storage {
  return (realm) => {
    const [durable, quick] = [inPostgres(realm), inRedis(realm)]
    const { sessions, pending, throttle } = quick
    const purge = async (now: number) => (await durable.purge(now)) + (await quick.purge(now))
    return { ...durable, sessions, pending, throttle, purge }
  }
}

function connectRedis(url: string, log: Log): Redis {
  const redis = new Redis(url, {
    // A request fails soon while Redis is away; the connection comes back by itself.
    maxRetriesPerRequest: 1,
    commandTimeout: 2000,
    // A connection that leads nowhere is given up, or the next commands would wait on it too, for minutes.
    ...{ connectTimeout: 3000, socketTimeout: 3000 },
    retryStrategy: (times) => Math.min(times * 100, 1000),
    // Sent again after a reconnect, what was just taken would look as if somebody else had it.
    autoResendUnfulfilledCommands: false,
  })
  let away = false
  // Each attempt to connect fails anew: one line for all of them.
  redis.on('error', (error) => {
    if (!away) log.warn('redis is away', errorFields(error))
    away = true
  })
  redis.on('ready', () => {
    if (away) log.info('redis is back')
    away = false
  })
  return redis
}
