/** A transaction whose statements come one by one from another process, which may hang, or be killed. */

import type { Executor, Param, Queries } from '@ostiary/storage-postgres'
import { SharedFolderError } from './protocol.js'

export interface TransactionLimits {
  /** Between two statements. */
  idle_ms: number
  /** From the first statement to the end: the server answers nothing meanwhile. */
  transaction_ms: number
}

export interface HeldTransaction extends Queries {
  /** @throws SharedFolderError for a commit when the transaction was rolled back before; what the commit throws. */
  end(how: 'commit' | 'rollback'): Promise<void>
}

/** Resolves when the transaction is open. */
export function holdTransaction(executor: Executor, limits: TransactionLimits): Promise<HeldTransaction> {
  return new Promise((opened, failed) => {
    const work = executor.transaction(
      (tx) =>
        new Promise<void>((commit, rollBack) => {
          // `work` is assigned when the transaction is open.
          opened(heldIn(tx, { limits, commit, rollBack, done: () => work }))
        }),
    )
    work.catch(failed)
  })
}

interface Ends {
  limits: TransactionLimits
  commit(): void
  rollBack(cause: Error): void
  done(): Promise<void>
}

class RolledBack extends Error {}

function heldIn(tx: Queries, { limits, commit, rollBack, done }: Ends): HeldTransaction {
  let fault: SharedFolderError | null = null
  const expire = (what: string, code: string) => {
    fault = new SharedFolderError(`${what}, so the running server has rolled it back: ${ADVICE}`, code)
    clearTimeout(idle)
    clearTimeout(whole)
    rollBack(fault)
  }
  const startIdle = () =>
    setTimeout(
      () =>
        expire(
          `The command has left its transaction idle for ${limits.idle_ms / 1000} s`,
          IDLE_IN_TRANSACTION,
        ),
      limits.idle_ms,
    ).unref()
  let idle = startIdle()
  const whole = setTimeout(
    () =>
      expire(
        `The transaction of the command takes longer than ${limits.transaction_ms / 1000} s`,
        TRANSACTION_TIMEOUT,
      ),
    limits.transaction_ms,
  ).unref()
  return {
    async query<T>(text: string, params?: readonly Param[]) {
      if (fault) throw fault
      clearTimeout(idle)
      try {
        return await tx.query<T>(text, params)
      } finally {
        if (!fault) idle = startIdle()
      }
    },
    async end(how) {
      clearTimeout(idle)
      clearTimeout(whole)
      if (how === 'commit') commit()
      else rollBack(new RolledBack())
      // After its time, the end was a rollback already, and `done` rejects with the reason.
      await done().catch((error: unknown) => {
        if (how === 'commit') throw error
      })
    },
  }
}

const ADVICE = 'stop the server, and run the command again'

/** As PostgreSQL has them. */
const IDLE_IN_TRANSACTION = '25P03'
const TRANSACTION_TIMEOUT = '25P04'
