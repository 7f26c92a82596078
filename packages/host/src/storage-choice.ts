/** Where the records are, as the environment says. */

import { join, resolve } from 'node:path'
import type { Variables } from './environment.js'

export type StorageChoice =
  | { kind: 'embedded'; data_dir: string; folder: string }
  | { kind: 'postgres'; database_url: string }
  | { kind: 'postgres and redis'; database_url: string; redis_url: string }

/** REDIS_URL alone is a fault of the environment, and never gets here. */
export function storageChoice(variables: Variables, cwd: string): StorageChoice {
  const { DATABASE_URL: database_url, REDIS_URL: redis_url, DATA_DIR } = variables
  const data_dir = resolve(cwd, DATA_DIR)
  if (database_url === undefined) return { kind: 'embedded', data_dir, folder: join(data_dir, 'pglite') }
  if (redis_url === undefined) return { kind: 'postgres', database_url }
  return { kind: 'postgres and redis', database_url, redis_url }
}
