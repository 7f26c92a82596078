/** Where the records are, as the environment says. */

import { join, resolve } from 'node:path'
import type { Variables } from './environment.js'

/** `storage` and OSTIARY_STORAGE. */
export const STORAGES = ['database', 'memory'] as const

export type StorageChoice =
  | { kind: 'memory' }
  | { kind: 'embedded'; data_dir: string; folder: string }
  | { kind: 'postgres'; database_url: string }
  | { kind: 'postgres and redis'; database_url: string; redis_url: string }

/**
 * REDIS_URL alone is a fault of the environment, and never gets here. Try-out mode has a secret of its own, and so a
 * database of its own: a server with a configuration could not open its keys.
 */
export function storageChoice(
  variables: Variables,
  { cwd, try_out, memory }: { cwd: string; try_out: boolean; memory: boolean },
): StorageChoice {
  const { DATABASE_URL: database_url, REDIS_URL: redis_url, DATA_DIR } = variables
  if (memory) return { kind: 'memory' }
  const data_dir = resolve(cwd, DATA_DIR)
  const folder = join(data_dir, try_out ? 'try-out' : '', 'pglite')
  if (database_url === undefined) return { kind: 'embedded', data_dir, folder }
  if (redis_url === undefined) return { kind: 'postgres', database_url }
  return { kind: 'postgres and redis', database_url, redis_url }
}
