/** Opens the PostgreSQL of the configuration. */

import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type PooledExecutor,
  type PostgresOptions,
  postgresExecutor,
  rangedExecutor,
} from '@ostiary/storage-postgres'
import type { DatabaseSettings } from '../config/database-settings.js'
import type { PostgresChoice } from '../config/storage-choice.js'
import { DATABASE_SUBJECT, storageError } from './storage-error.js'

/** Without a limit of the server's, a query fails after this many seconds: its request has ended by then. */
const UNLIMITED_ANSWER_SECONDS = 30

/**
 * Connects with the first query.
 * @param connections Instead of `database.pool_size`.
 * @param check Of each new connection.
 * @throws StorageError when the URL cannot be used.
 */
export const openPostgres = (
  { database_url, database }: PostgresChoice,
  { connections = database.pool_size }: { connections?: number } = {},
): PooledExecutor => opened(() => postgresExecutor(database_url, { ...optionsOf(database), connections }))

/** Which request the work in progress is for, as the widest network of its sender. It is asked only when the database has ranges. */
const senders = new AsyncLocalStorage<string>()

/** Answers a request, whose statements count for its sender. */
export const asSender = <T>(sender: string, answer: () => Promise<T>): Promise<T> =>
  senders.run(sender, answer)

/** The same for a server: with connections of their own for each range of buckets, when there are several. */
export function openPostgresOfServer(
  { database_url, database }: PostgresChoice,
  check: Pick<PostgresOptions, 'check'>,
): PooledExecutor {
  const { shards } = database
  const options = { ...optionsOf(database), ...check }
  if (shards === 1) return opened(() => postgresExecutor(database_url, options))
  const sender = () => senders.getStore()
  return opened(() => rangedExecutor(database_url, { ...options, shards, sender }))
}

function optionsOf({ pool_size, prepare, statement_timeout }: DatabaseSettings): PostgresOptions {
  return {
    connections: pool_size,
    prepare,
    statementTimeout: statement_timeout,
    ...(statement_timeout === 0 && { answerTimeout: UNLIMITED_ANSWER_SECONDS }),
  }
}

function opened(open: () => PooledExecutor): PooledExecutor {
  try {
    return open()
  } catch (cause) {
    throw storageError(DATABASE_SUBJECT, cause)
  }
}
