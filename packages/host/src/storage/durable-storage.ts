/** Opens PostgreSQL, the embedded database, and Redis beside PostgreSQL. Loaded when it is used. */

import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { ConfigError } from '@ostiary/core'
import type { PgliteOptions } from '@ostiary/storage-pglite'
import {
  databaseFigures,
  type Executor,
  isRanged,
  isServer,
  type Lease,
  MIGRATIONS,
  migrations,
  newestKeys,
  postgresLease,
  postgresStores,
  refuseReadOnly,
  writeCheck,
} from '@ostiary/storage-postgres'
import type { PostgresChoice, StorageChoice } from '../config/storage-choice.js'
import type { Log } from '../log/log.js'
import { embeddedExecutor } from './embedded.js'
import type { HostStorage, OpenOptions } from './host-storage.js'
import { mixedStorage } from './mixed-storage.js'
import { asSender, openPostgres, openPostgresOfServer } from './postgres.js'
import { type RestoreGuard, restoreGuard } from './restore-guard.js'
import { DATABASE_SUBJECT, storageError } from './storage-error.js'

type DatabaseChoice = Exclude<StorageChoice, { kind: 'memory' }>

/** Throws like `openStorage`. */
export async function openDurable(
  choice: DatabaseChoice,
  log: Log,
  { guarded = true }: OpenOptions,
): Promise<HostStorage> {
  const guard = guarded && choice.kind !== 'embedded' ? restoreGuard(log) : null
  const open = (server: PostgresChoice) =>
    openPostgresOfServer(server, { ...(guard && { check: guard.check }) })
  const executor = await opened(choice, { log, open, guard, socket: guarded ? 'listen' : 'connect' })
  const verify = async () => (await guard?.verify(executor)) ?? (() => {})
  const sharded = choice.kind !== 'embedded' && choice.database.sharded
  const { storage, ...stores } = postgresStores(executor, { sharded })
  const durable: HostStorage = {
    storage,
    ...stores,
    records: executor,
    parts: { database: databaseCheck(executor, verify) },
    ...(guard && { isRestored: guard.isRestored }),
    ...(isRanged(executor) && {
      ranges: Object.fromEntries(executor.ranges.map(({ name, check }) => [`buckets ${name}`, check])),
      asSender,
    }),
    figures: {
      database: () => databaseFigures(executor),
      newest_keys: () => newestKeys(executor),
      schema: MIGRATIONS.length,
      ...(isServer(executor) && { pool: executor.load }),
    },
    ...(choice.kind !== 'embedded' && { lease: after(verify, postgresLease(executor, 'background')) }),
    close: (within_ms) => executor.close(within_ms),
  }
  if (choice.kind !== 'postgres and redis') return durable
  const [{ openRedis }, { deleteRealm, redisStorage }] = await Promise.all([
    import('./redis.js'),
    import('@ostiary/storage-redis'),
  ])
  const { redis, part, close } = await openRedis(choice, log).catch(async (error: unknown) => {
    await executor.close()
    throw error
  })
  return {
    ...durable,
    storage: mixedStorage(storage, redisStorage(redis), choice.sessions),
    deleteQuick: (realm) => deleteRealm(redis, realm),
    parts: { ...durable.parts, redis: part },
    async close(within_ms) {
      close()
      await executor.close(within_ms)
    },
  }
}

type Verify = () => Promise<() => void>

/** The embedded database belongs to this process, and is no standby. */
const databaseCheck = (executor: Executor, verify: Verify): (() => Promise<unknown>) =>
  isServer(executor) ? writeCheck(executor, verify) : () => executor.query('select 1')

/** Each server asks for the lease every few seconds: so a restore is noticed behind a pooler too, which hides it from its connections. */
const after = (verify: Verify, { take, now, giveBack }: Lease): Lease => ({
  async take(...asked) {
    const onCommit = await verify()
    const answer = await take(...asked)
    if (answer.held) onCommit()
    return answer
  },
  async now() {
    await verify()
    return now()
  },
  giveBack,
})

/**
 * The database alone, with every table: one PostgreSQL, also where there are several, and also one that was restored. Throws like
 * `openStorage`.
 */
export const openDatabase = (choice: DatabaseChoice, log: Log, options: PgliteOptions): Promise<Executor> =>
  opened(choice, { log, open: openPostgres, guard: null, ...options })

interface Opening extends PgliteOptions {
  log: Log
  /** Opens a PostgreSQL. */
  open: (choice: PostgresChoice) => Executor
  /** Null: a restored database is opened too. */
  guard: RestoreGuard | null
}

async function opened(choice: DatabaseChoice, { log, open, guard, ...options }: Opening): Promise<Executor> {
  const embedded = choice.kind === 'embedded'
  const executor = embedded ? await openEmbedded(choice, log, options) : open(choice)
  try {
    const steps = migrations(executor)
    // The embedded database belongs to this process. A PostgreSQL is only set up while it is empty; its operator runs
    // later migrations with a command.
    const ran = await (embedded ? steps.migrate() : steps.setUp())
    if (!embedded && ran.length > 0)
      log.info('the database was empty and is set up', { steps: ran.map(({ name }) => name) })
    if (isServer(executor)) await refuseReadOnly(executor)
    await guard?.start(executor)
    return executor
  } catch (error) {
    await executor.close()
    throw storageError(embedded ? `The embedded database ${choice.folder}` : DATABASE_SUBJECT, error)
  }
}

async function openEmbedded(
  { data_dir, folder }: { data_dir: string; folder: string },
  log: Log,
  options: PgliteOptions,
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
    return await embeddedExecutor(folder, options)
  } catch (error) {
    throw storageError(`The embedded database ${folder}`, error)
  }
}
