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
  | ({ kind: 'postgres and redis' } & PostgresChoice & RedisChoice)

/** A PostgreSQL, and how it is used. */
export interface PostgresChoice {
  database_url: string
  database: DatabaseSettings
}

/** A Redis, and whether the sessions are in it. */
export interface RedisChoice {
  redis_url: string
  sessions: SessionPlace
}

/** Where the embedded database is, if there is one. */
export interface EmbeddedFolder {
  data_dir: string
  folder: string
}

interface Place {
  cwd: string
  try_out: boolean
}

/**
 * The configuration must not name a Redis without a database: `readConfig` refuses that. Try-out mode has its own secret,
 * and therefore its own database: a server with a configuration could not decrypt the signing keys in it.
 */
export function storageChoice(config: Pick<ConfigFile, StorageKeys>, place: Place): StorageChoice {
  const { storage, database_url, database, redis_url, sessions } = config
  if (storage === 'memory') return { kind: 'memory' }
  if (database_url === undefined) return { kind: 'embedded', ...embeddedFolder(config, place) }
  if (redis_url === undefined) return { kind: 'postgres', database_url, database }
  return { kind: 'postgres and redis', database_url, database, redis_url, sessions }
}

export function embeddedFolder(
  { data_dir: folderName }: Pick<ConfigFile, 'data_dir'>,
  { cwd, try_out }: Place,
): EmbeddedFolder {
  const data_dir = resolve(cwd, folderName)
  return { data_dir, folder: join(data_dir, try_out ? 'try-out' : '', 'pglite') }
}
