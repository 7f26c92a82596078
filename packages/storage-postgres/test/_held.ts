/** Two connections step by step: one transaction stays open after its statement, and another statement meets its locks. */

import { onTestFinished } from 'vitest'
import { type Executor, postgresStorage, type Queries } from '../src/index.js'

export interface Held<T> {
  /** Of the statements that have run. */
  result: T
  /** More statements in the same transaction. */
  tx: Queries
  commit(): Promise<void>
  rollback(): Promise<void>
}

/** Runs the statements in a transaction of their own, which stays open until it is told to end, or the test ends. */
export async function hold<T>(executor: Executor, run: (tx: Queries) => Promise<T>): Promise<Held<T>> {
  let end: (how: 'commit' | 'rollback') => void = () => {}
  const decided = new Promise<'commit' | 'rollback'>((resolve) => {
    end = resolve
  })
  let over: Promise<void> = Promise.resolve()
  const opened = await new Promise<{ tx: Queries; result: T }>((resolve, reject) => {
    over = executor
      .transaction(async (tx) => {
        resolve({ tx, result: await run(tx) })
        if ((await decided) === 'rollback') throw new RolledBack()
      })
      .catch((error: unknown) => {
        reject(error)
        if (!(error instanceof RolledBack)) throw error
      })
  })
  const ended = (how: 'commit' | 'rollback') => () => {
    end(how)
    return over
  }
  onTestFinished(ended('rollback'))
  return { ...opened, commit: ended('commit'), rollback: ended('rollback') }
}

class RolledBack extends Error {}

/** The stores of a realm in one transaction. */
export const storesIn = (tx: Queries, realm: string) =>
  postgresStorage({ ...tx, transaction: (run) => run(tx), close: async () => {} })(realm)

/** True as soon as a statement of the database waits for a lock; false when `work` ends without having waited. */
export async function untilItWaits(observer: Queries, work: Promise<unknown>): Promise<boolean> {
  let over = false
  const ended = () => {
    over = true
  }
  work.then(ended, ended)
  while (!over) {
    const [row] = await observer.query<{ waiting: number }>(
      `select count(*)::int as waiting from pg_stat_activity
       where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`,
    )
    if (row && row.waiting > 0) return true
  }
  return false
}
