import { newDatabase, UNLIMITED } from '@ostiary/test-kit/database'
import { type Executor, migrations, postgresExecutor } from '../src/index.js'

export interface OwnDatabase {
  url: string
  executor: Executor
  drop(): Promise<void>
}

/** A database of its own for one test file, and connections to it. */
export async function ownDatabase(): Promise<OwnDatabase> {
  const { url, drop } = await newDatabase()
  const executor = postgresExecutor(url, UNLIMITED)
  return {
    url,
    executor,
    async drop() {
      await executor.close()
      await drop()
    },
  }
}

/** A database of its own, with every table. */
export async function migratedDatabase(): Promise<OwnDatabase> {
  const database = await ownDatabase()
  await migrations(database.executor).migrate()
  return database
}
