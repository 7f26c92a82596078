/** Two connections, step by step: one transaction stays open after its statement, and another statement waits for its locks. */

import type { Executor, Queries } from '@ostiary/storage-postgres'
import { onTestFinished } from 'vitest'

export interface HeldTransaction<T> {
  /** The result of the statements that have run. */
  result: T
  /** Runs more statements in the same transaction. */
  tx: Queries
  commit(): Promise<void>
  rollback(): Promise<void>
}

/** Runs the statements in a new transaction, which stays open until commit, rollback or the end of the test. */
export async function hold<T>(
  executor: Executor,
  run: (tx: Queries) => Promise<T>,
): Promise<HeldTransaction<T>> {
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

/** What runs its statements within a transaction that is open. */
export const executorIn = (tx: Queries): Executor => ({
  ...tx,
  transaction: (run) => run(tx),
  close: async () => {},
})

/** True as soon as a statement in the database waits for a lock; false when `work` ends without waiting. */
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
