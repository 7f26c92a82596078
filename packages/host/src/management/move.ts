/** Moves the records of the embedded database to the PostgreSQL that DATABASE_URL names. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError, SealedKeyError } from '@ostiary/core'
import type { Executor, RowCounts } from '@ostiary/storage-postgres'
import type { Environment } from '../config/environment.js'
import type { HostConfig } from '../config/host-config.js'
import { readConfig, readEmbeddedFolder } from '../config/read-config.js'
import { realmIds } from '../config/realm-ids.js'
import type { PostgresChoice, StorageChoice } from '../config/storage-choice.js'
import { embeddedExecutor } from '../storage/embedded.js'
import { withStoredRealms } from '../storage/run-time-realms.js'
import { DATABASE_SUBJECT, lostSecretError, StorageError, storageError } from '../storage/storage-error.js'
import { databaseStores } from './database-stores.js'
import { requireUndivided } from './manage.js'

/** What `moveDatabase` is going to do, and has done. */
export interface MovePlan {
  /** The folder of the embedded database. */
  folder: string
  /** Rows by table. */
  tables: RowCounts
  /** True when the servers of the target keep sessions in Redis: those of the embedded database are not used there. */
  ends_sessions: boolean
}

interface MoveOptions {
  /** Where relative paths of the configuration start. */
  cwd: string
  /** Called when everything is checked and nothing is done. Rejects when the operator does not want it. */
  approve(plan: MovePlan): Promise<void>
}

/**
 * Copies all records in one transaction. The embedded database stays as it is.
 * @throws ConfigError, StorageError
 */
export async function moveDatabase(env: Environment, { cwd, approve }: MoveOptions): Promise<MovePlan> {
  const config = await readConfig(env, cwd, { entry_secrets: false })
  const choice = postgresChoice(config)
  requireUndivided(config)
  const folder = await readEmbeddedFolder(env, cwd)
  const source = await openSource(folder)
  try {
    const { openPostgres } = await import('../storage/postgres.js')
    const target = openPostgres(choice)
    try {
      return await move(config, { source, target, folder, approve })
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}

function postgresChoice({ storage, try_out }: HostConfig): StorageChoice & PostgresChoice {
  if (try_out === null && 'database_url' in storage) return storage
  throw new ConfigError({
    path: try_out === null ? 'database_url' : '',
    ...(try_out === null && { source: 'DATABASE_URL' }),
    message:
      try_out === null
        ? 'set this variable to the PostgreSQL server to which the records move'
        : 'there is no configuration here, and try-out mode is not moved: go to the folder of ostiary.config.json, or name the file with OSTIARY_CONFIG',
  })
}

async function openSource(folder: string): Promise<Executor> {
  if (!existsSync(join(folder, 'PG_VERSION')))
    throw new StorageError(
      `There is no embedded database in ${folder}: set DATA_DIR to the folder in which the server has kept its records`,
      { cause: null },
    )
  const { migrations } = await import('@ostiary/storage-postgres')
  let source: Executor | undefined
  try {
    source = await embeddedExecutor(folder)
    // As each start of a server on it does.
    await migrations(source).migrate()
    return source
  } catch (error) {
    await source?.close()
    throw storageError(`The embedded database ${folder}`, error)
  }
}

interface Move extends Pick<MoveOptions, 'approve'> {
  source: Executor
  target: Executor
  folder: string
}

async function move(config: HostConfig, { source, target, folder, approve }: Move): Promise<MovePlan> {
  const { copyDatabase, countRecords } = await import('@ostiary/storage-postgres')
  await requireOpenKeys(config, source)
  const { storage } = config
  const plan = {
    folder,
    tables: await countRecords(source),
    ends_sessions: 'sessions' in storage && storage.sessions === 'redis',
  }
  const setUp = await ofTarget(checkTarget(target))
  await approve(plan)
  await ofTarget(setUp())
  const tables = await ofTarget(copyDatabase(source, target))
  // Without statistics, the planner of a database that is suddenly full would assume that it is empty.
  await ofTarget(Promise.resolve(target.queryAlone?.('analyze')))
  return { ...plan, tables }
}

/** @returns Creates the tables when there are none. */
async function checkTarget(target: Executor): Promise<() => Promise<unknown>> {
  const { MIGRATIONS, migrations, requireEmpty } = await import('@ostiary/storage-postgres')
  const steps = migrations(target)
  if ((await steps.plan()).length === MIGRATIONS.length) return () => steps.setUp()
  await steps.check()
  await requireEmpty(target)
  return async () => {}
}

async function ofTarget<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw error instanceof Error && error.name === 'TargetNotEmptyError'
      ? new StorageError(error.message, { cause: error })
      : storageError(DATABASE_SUBJECT, error)
  }
}

/** The servers of the target have the secret of this configuration. */
async function requireOpenKeys(read: HostConfig, source: Executor): Promise<void> {
  const config = await withStoredRealms(read, { records: source })
  const { provider } = await databaseStores(config, source)
  for (const realm of realmIds(config)) {
    const { keys } = await provider.manage(realm)
    // Without a key, `ready` would make one.
    if ((await keys.list()).length === 0) continue
    try {
      await keys.ready()
    } catch (cause) {
      if (!(cause instanceof SealedKeyError)) throw cause
      throw lostSecretError(cause, config)
    }
  }
}
