/** Opens the PostgreSQL of the configuration. */

import { type PooledExecutor, postgresExecutor } from '@ostiary/storage-postgres'
import type { PostgresChoice } from '../config/storage-choice.js'
import { DATABASE_SUBJECT, storageError } from './storage-error.js'

/** Without a limit of the server's, a query fails after this many seconds: its request has ended by then. */
const UNLIMITED_ANSWER_SECONDS = 30

/**
 * Connects with the first query.
 * @param connections Instead of `database.pool_size`.
 * @throws StorageError when the URL cannot be used.
 */
export function openPostgres(
  { database_url, database }: PostgresChoice,
  { connections = database.pool_size }: { connections?: number } = {},
): PooledExecutor {
  const { prepare, statement_timeout: statementTimeout } = database
  try {
    return postgresExecutor(database_url, {
      connections,
      prepare,
      statementTimeout,
      ...(statementTimeout === 0 && { answerTimeout: UNLIMITED_ANSWER_SECONDS }),
    })
  } catch (cause) {
    throw storageError(DATABASE_SUBJECT, cause)
  }
}
