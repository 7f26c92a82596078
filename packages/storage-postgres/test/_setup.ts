import { newDatabase, UNLIMITED } from '@ostiary/test-kit/database'
import { newMigratedDatabase } from '@ostiary/test-kit/migrated-database'
import { type Executor, postgresExecutor } from '../src/index.js'

export interface OwnDatabase {
  url: string
  executor: Executor
  drop(): Promise<void>
}

/** A database of its own for one test file, and connections to it. */
export const ownDatabase = async (): Promise<OwnDatabase> => opened(await newDatabase())

/** A database of its own, with every table. */
export const migratedDatabase = async (): Promise<OwnDatabase> => opened(await newMigratedDatabase())

function opened({ url, drop }: Pick<OwnDatabase, 'url' | 'drop'>): OwnDatabase {
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
