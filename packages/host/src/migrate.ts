/** Brings the schema of the database that DATABASE_URL names up to date, or says what that would do. */

import { ConfigError } from '@ostiary/core'
import { type Migration, migrations, postgresExecutor } from '@ostiary/storage-postgres'
import { type Environment, readEnvironment } from './environment.js'
import { storageError, THE_DATABASE } from './storage-error.js'

/**
 * @param plan_only Change nothing.
 * @returns The steps that were missing, in order, with their SQL.
 * @throws ConfigError, StorageError
 */
export async function migrateDatabase(env: Environment, plan_only: boolean): Promise<Migration[]> {
  const { variables, faults } = readEnvironment(env)
  const ours = faults.filter((fault) => fault.startsWith('DATABASE_URL:'))
  if (ours.length > 0) throw new ConfigError(ours.join('\n'))
  if (variables.DATABASE_URL === undefined)
    throw new ConfigError(
      'DATABASE_URL: set this variable; the embedded database needs no migrations but those of each start',
    )
  const executor = postgresExecutor(variables.DATABASE_URL, { connections: 1 })
  try {
    const steps = migrations(executor)
    return await (plan_only ? steps.plan() : steps.migrate())
  } catch (error) {
    throw storageError(THE_DATABASE, error)
  } finally {
    await executor.close()
  }
}
