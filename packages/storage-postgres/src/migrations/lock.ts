/** One server at a time runs the steps of the schema. */

import { setTimeout as sleep } from 'node:timers/promises'
import { type Executor, type Queries, WITHOUT_TIME_LIMITS } from '../connection/executor.js'

/** The advisory lock of the migrations: "osti" in ASCII, as other programs are unlikely to use it. */
const ADVISORY_LOCK = 0x6f737469
const POLL_MS = 100
/** Neither the wait for other servers nor the steps have a time limit. */
const SETTINGS = `set transaction isolation level read committed; ${WITHOUT_TIME_LIMITS}`
const TRY_LOCK = `select pg_try_advisory_xact_lock(${ADVISORY_LOCK}) as locked`

/**
 * Runs in a transaction that holds the lock. The lock ends with the transaction, so it works behind a connection pooler too.
 * The wait is a loop of attempts: a statement that waited would hold a snapshot, and an index build of the server that has
 * the lock would wait for the end of that snapshot, forever.
 * @param run Null when it is not time yet: its transaction ends, and there is another attempt.
 */
export async function locked<T>(
  executor: Executor,
  run: (tx: Queries) => Promise<{ result: T } | null>,
): Promise<T> {
  for (;;) {
    const attempt = await executor.transaction(async (tx) => {
      await tx.query(SETTINGS)
      const [row] = await tx.query<{ locked: boolean }>(TRY_LOCK)
      return row?.locked ? run(tx) : null
    })
    if (attempt) return attempt.result
    await sleep(POLL_MS)
  }
}

/** The wait for the lock of a table. While a statement waits for it, requests that use the table wait too. */
export interface TableWait {
  /** The longest wait of one attempt. */
  wait_ms: number
  /** Between two attempts, in which requests go on. */
  pause_ms: number
  attempts: number
}

const LOCK_NOT_AVAILABLE = '55P03'

/**
 * Repeats an attempt that did not get the lock of a table.
 * @throws Error when the last attempt fails too; then nothing was changed.
 */
export async function untilTablesAreFree<T>(
  step: string,
  { wait_ms, pause_ms, attempts }: TableWait,
  attempt: (lockTimeout: string) => Promise<T>,
): Promise<T> {
  for (let left = attempts; ; left -= 1) {
    try {
      return await attempt(`set local lock_timeout = ${wait_ms}`)
    } catch (cause) {
      if ((cause as { code?: unknown } | null)?.code !== LOCK_NOT_AVAILABLE) throw cause
      if (left <= 1) throw new Error(lockedOut(step, attempts), { cause })
    }
    await sleep(pause_ms)
  }
}

const lockedOut = (step: string, attempts: number): string =>
  `The step ${step} changes a table that another transaction has locked, in each of ${attempts} attempts. Nothing was ` +
  'changed by it. End that transaction (see pg_stat_activity; a backup is one too), and migrate again.'
