/** Determines where the records are stored. */

import { join, resolve } from 'node:path'
import type { DatabaseSettings } from './database-settings.js'
import type { ConfigFile } from './file-schema.js'
import type { SessionPlace } from './storage-kinds.js'

type StorageKeys = 'storage' | 'database_url' | 'database' | 'redis_url' | 'data_dir' | 'sessions'

/** Where the records are stored. `folder` is the embedded database in `data_dir`. */
export type StorageChoice =
  | { kind: 'memory' }
  | { kind: 'embedded'; data_dir: string; folder: string }
  | ({ kind: 'postgres' } & PostgresChoice)
  | ({ kind: 'postgres and redis'; redis_url: string; sessions: SessionPlace } & PostgresChoice)

/** A PostgreSQL, and how it is used. */
export interface PostgresChoice {
  database_url: string
  database: DatabaseSettings
}

/**
 * The configuration must not name a Redis without a database: `readConfig` refuses that. Try-out mode has its own secret,
 * and therefore its own database: a server with a configuration could not open the signing keys in it.
 */
export function storageChoice(
  {
    storage,
    database_url,
    database,
    redis_url,
    data_dir: folderName,
    sessions,
  }: Pick<ConfigFile, StorageKeys>,
  { cwd, try_out }: { cwd: string; try_out: boolean },
): StorageChoice {
  if (storage === 'memory') return { kind: 'memory' }
  const data_dir = resolve(cwd, folderName)
  const folder = join(data_dir, try_out ? 'try-out' : '', 'pglite')
  if (database_url === undefined) return { kind: 'embedded', data_dir, folder }
  if (redis_url === undefined) return { kind: 'postgres', database_url, database }
  return { kind: 'postgres and redis', database_url, database, redis_url, sessions }
}
