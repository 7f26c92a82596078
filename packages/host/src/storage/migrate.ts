/** Migrates the database that DATABASE_URL names, or returns the steps that a migration would take. */

import { ConfigError } from '@ostiary/core'
import type { Migration } from '@ostiary/storage-postgres'
import type { Environment } from '../config/environment.js'
import { readStorageChoice } from '../config/read-config.js'
import { DATABASE_SUBJECT, storageError } from './storage-error.js'

/**
 * Reads only the storage settings of the configuration.
 * @param plan_only Only returns the steps.
 * @returns The steps that were missing, in order, with their SQL.
 * @throws ConfigError, StorageError
 */
export async function migrateDatabase(
  env: Environment,
  { cwd, plan_only }: { cwd: string; plan_only: boolean },
): Promise<Migration[]> {
  const choice = await readStorageChoice(env, cwd)
  if (choice.kind === 'memory')
    throw new ConfigError({
      path: 'storage',
      message: 'there is nothing to migrate in memory; name a database',
    })
  if (choice.kind === 'embedded')
    throw new ConfigError({
      path: 'database_url',
      source: 'DATABASE_URL',
      message: 'set this variable; the embedded database needs no migrations but those of each start',
    })
  const [{ migrations }, { openPostgres }] = await Promise.all([
    import('@ostiary/storage-postgres'),
    import('./postgres.js'),
  ])
  const executor = openPostgres(choice, { connections: 1 })
  try {
    const steps = migrations(executor)
    return await (plan_only ? steps.plan() : steps.migrate())
  } catch (error) {
    throw storageError(DATABASE_SUBJECT, error)
  } finally {
    await executor.close()
  }
}
