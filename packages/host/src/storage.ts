/** Opens the storage that the configuration names, and closes it. */

import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { ConfigError, type Storage } from '@ostiary/core'
import { memoryStorage } from '@ostiary/core/memory'
import { memoryUsers, type Users } from '@ostiary/identity'
import {
  type Executor,
  migrations,
  type PooledExecutor,
  pgliteExecutor,
  postgresExecutor,
  postgresStorage,
  postgresUsers,
  waitingDeliveries,
} from '@ostiary/storage-postgres'
import type { Log } from './log.js'
import type { StorageChoice } from './storage-choice.js'
import { storageError, THE_DATABASE } from './storage-error.js'

/** The stores of a server, opened. */
export interface HostStorage {
  storage: Storage
  users: Users
  /** By the name that /readyz shows: resolves when the part does its work. */
  parts: Record<string, () => Promise<unknown>>
  /** For /metrics. Absent where nobody can tell. */
  figures?: {
    /** Back-channel logouts that some client has yet to hear of. */
    deliveries_waiting(): Promise<number>
    pool?: PooledExecutor['load']
  }
  close(): Promise<void>
}

/**
 * Sets an empty database up.
 * @throws StorageError when a server does not answer or its schema is not this version's, or another process has the
 * embedded database; ConfigError when the folder of that cannot be made.
 */
export async function openStorage(choice: StorageChoice, log: Log): Promise<HostStorage> {
  if (choice.kind === 'memory') return openMemory()
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
  // Loaded by those who use it only, as it costs memory.
  const [{ connectRedis }, { redisStorage }] = await Promise.all([
    import('./redis.js'),
    import('@ostiary/storage-redis'),
  ])
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

/** Lost with the process. */
const openMemory = (): HostStorage => ({
  storage: memoryStorage(),
  users: memoryUsers(),
  parts: {},
  close: async () => {},
})

type DatabaseChoice = Exclude<StorageChoice, { kind: 'memory' }>

async function openDatabase(choice: DatabaseChoice, log: Log): Promise<Executor | PooledExecutor> {
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
