/**
 * A transaction on a connection that nothing else uses. The `begin` of postgres.js 3.4 sends a rollback on a connection that has
 * closed, which ends the process; and its `commit` is a prepared statement, which a pooler may send to a backend that does not know
 * it.
 */

import type { Param } from './executor.js'

/** The statements of a pool, or of a transaction. */
export interface Statements {
  unsafe<Row extends object>(text: string, params?: Param[], options?: { prepare: boolean }): Promise<Row[]>
}

/** PostgreSQL refuses a statement because an earlier one of the same transaction has failed. */
const TRANSACTION_FAILED = '25P02'

/** Commits when `work` resolves and none of its statements has failed. Else rolls back, and rejects. */
export async function inTransaction<T>(
  connection: Statements,
  work: (statements: Statements) => Promise<T>,
): Promise<T> {
  const failures: unknown[] = []
  const statements: Statements = {
    unsafe(text, params, options) {
      const answer = connection.unsafe(text, params, options)
      answer.catch((error: unknown) => failures.push(error))
      return answer as Promise<never>
    },
  }
  await connection.unsafe('begin')
  try {
    const result = await work(statements)
    const { command } = (await connection.unsafe('commit')) as { command?: string }
    // PostgreSQL answers ROLLBACK, and no error, when a statement has failed: `work` has caught its error, or not waited for it.
    if (command !== 'COMMIT') throw failures[0] ?? new Error('PostgreSQL has rolled the transaction back')
    return result
  } catch (error) {
    // A connection that has closed refuses it; PostgreSQL has then rolled back by itself.
    await connection.unsafe('rollback').catch(() => {})
    throw isConsequence(error) && failures.length > 0 ? failures[0] : error
  }
}

const isConsequence = (error: unknown): boolean =>
  (error as { code?: unknown } | null)?.code === TRANSACTION_FAILED
