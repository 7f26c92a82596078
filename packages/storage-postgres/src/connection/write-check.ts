/** Whether PostgreSQL accepts writes: a database that can only be read cannot serve a sign-in or a token. */

import { isDiskFull } from './availability.js'
import type { PooledExecutor } from './postgres-executor.js'

/** A column of a `select`. */
export const IS_READ_ONLY = "current_setting('transaction_read_only')::boolean as read_only"

/**
 * A commit of its own, without a table. The message is a record of the write-ahead log and makes the transaction a write:
 * its commit waits for the disk and for a synchronous standby, as that of a token does. So it fails, or hangs,
 * - when the database is read-only (`default_transaction_read_only`); a standby is refused before;
 * - when the synchronous standby is gone, or the disk of the write-ahead log hangs.
 * It changes no row: servers do not wait for each other, and nothing has to be vacuumed.
 */
const COMMIT = `
  select read_only, case when not read_only then pg_logical_emit_message(true, 'ostiary', '') end
  from (select ${IS_READ_ONLY}) as state`

const READ_ONLY = `select ${IS_READ_ONLY}`

/** Extends a file, which a commit alone does not: run only after a statement has found no space. */
const EXTEND = `
  create temporary table ostiary_space (filled int) on commit drop;
  insert into ostiary_space values (1)`

/** @throws Error when the database is read-only. */
export async function refuseReadOnly(executor: PooledExecutor): Promise<void> {
  refuse(await executor.query<{ read_only: boolean }>(READ_ONLY))
}

/**
 * A check for /readyz, which makes a commit and changes no row; it throws while the database accepts no writes. One runs at a time: a check
 * that hangs holds one connection.
 * @param before Another check, which comes first; what it returns is called after the commit.
 */
export function writeCheck(executor: PooledExecutor, before = async () => () => {}): () => Promise<void> {
  let running: Promise<void> | null = null
  const check = async () => {
    const onCommit = await before()
    if (executor.isFull()) await refuseFull(executor)
    refuse(await executor.query<{ read_only: boolean }>(COMMIT))
    onCommit()
  }
  return () => {
    running ??= check().finally(() => {
      running = null
    })
    return running
  }
}

function refuse([row]: readonly { read_only: boolean }[]): void {
  if (row?.read_only) throw new Error('it is read-only (default_transaction_read_only)')
}

async function refuseFull(executor: PooledExecutor): Promise<void> {
  try {
    await executor.query(EXTEND)
  } catch (error) {
    if (isDiskFull(error)) throw error
    // A role that may not create temporary tables cannot tell.
  }
  executor.freed()
}
