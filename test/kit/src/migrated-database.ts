/** New databases with every table. */

import { MIGRATIONS, migrations, postgresExecutor } from '@ostiary/storage-postgres'
import { onTestFinished } from 'vitest'
import { type CleanUp, UNLIMITED } from './database.ts'
import { type Content, filledDatabase } from './filled-database.ts'

const EVERY_TABLE: Content = {
  key: JSON.stringify(MIGRATIONS),
  async fill(url) {
    const executor = postgresExecutor(url, { ...UNLIMITED, connections: 1 })
    await migrations(executor).migrate()
    await executor.close()
  },
}

/** A new database with every table, dropped after the test. @returns Its URL. */
export async function migratedDatabase(addCleanup: CleanUp = onTestFinished): Promise<string> {
  const { url, drop } = await newMigratedDatabase()
  addCleanup(drop)
  return url
}

/** A new database with every table for several tests: call `drop` after the last one. */
export const newMigratedDatabase = (): ReturnType<typeof filledDatabase> => filledDatabase(EVERY_TABLE)
