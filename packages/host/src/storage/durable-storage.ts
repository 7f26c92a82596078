/** Opens PostgreSQL, the embedded database, and Redis beside PostgreSQL. Imported only by open-storage.ts. */

import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { ConfigError } from '@ostiary/core'
import {
  type Executor,
  migrations,
  type PooledExecutor,
  postgresStorage,
  postgresUsers,
  waitingDeliveries,
} from '@ostiary/storage-postgres'
import type { StorageChoice } from '../config/storage-choice.js'
import type { Log } from '../log/log.js'
import { embeddedExecutor } from './embedded.js'
import type { HostStorage } from './host-storage.js'
import { mixedStorage } from './mixed-storage.js'
import { openPostgres } from './postgres.js'
import { DATABASE_SUBJECT, StorageError, storageError } from './storage-error.js'

type DatabaseChoice = Exclude<StorageChoice, { kind: 'memory' }>

/** Throws like `openStorage`. */
export async function openDurable(choice: DatabaseChoice, log: Log): Promise<HostStorage> {
  const executor = await openDatabase(choice, log)
  const storage = postgresStorage(executor)
  const durable: HostStorage = {
    storage,
    users: postgresUsers(executor),
    parts: { database: () => executor.query('select 1') },
    figures: {
      deliveries_waiting: () => waitingDeliveries(executor),
      ...('load' in executor && { pool: executor.load }),
    },
    close: () => executor.close(),
  }
  if (choice.kind !== 'postgres and redis') return durable
  const [{ connectRedis, evictionPolicy }, { redisStorage }] = await Promise.all([
    import('./redis.js'),
    import('@ostiary/storage-redis'),
  ])
  const redis = connectRedis(choice.redis_url, log)
  const policy = choice.sessions === 'redis' ? await evictionPolicy(redis) : null
  if (policy !== null) {
    redis.disconnect()
    await executor.close()
    throw new StorageError(
      `The Redis that REDIS_URL names drops records when it is full (maxmemory-policy ${policy}), and it holds the ` +
        'sessions: set its maxmemory-policy to noeviction, or OSTIARY_SESSIONS to database',
      { cause: null },
    )
  }
  return {
    ...durable,
    storage: mixedStorage(storage, redisStorage(redis), choice.sessions),
    parts: { ...durable.parts, redis: () => redis.ping() },
    async close() {
      redis.disconnect()
      await executor.close()
    },
  }
}

async function openDatabase(choice: DatabaseChoice, log: Log): Promise<Executor | PooledExecutor> {
  const embedded = choice.kind === 'embedded'
  const executor = embedded ? await openEmbedded(choice, log) : openPostgres(choice)
  try {
    const steps = migrations(executor)
    // The embedded database belongs to this process. A PostgreSQL is only set up while it is empty; its operator runs
    // later migrations with a command.
    const ran = await (embedded ? steps.migrate() : steps.setUp())
    if (!embedded && ran.length > 0)
      log.info('the database was empty and is set up', { steps: ran.map(({ name }) => name) })
    return executor
  } catch (error) {
    await executor.close()
    throw storageError(embedded ? `The embedded database ${choice.folder}` : DATABASE_SUBJECT, error)
  }
}

async function openEmbedded(
  { data_dir, folder }: { data_dir: string; folder: string },
  log: Log,
): Promise<Executor> {
  try {
    await mkdir(dirname(folder), { recursive: true, mode: 0o700 })
  } catch (error) {
    throw new ConfigError({
      path: 'data_dir',
      source: 'DATA_DIR',
      message: `${data_dir} cannot be written (${(error as NodeJS.ErrnoException).code})`,
    })
  }
  try {
    // It may take some seconds.
    if (!existsSync(folder)) log.info('the embedded database is being created', { folder })
    return await embeddedExecutor(folder)
  } catch (error) {
    throw storageError(`The embedded database ${folder}`, error)
  }
}
