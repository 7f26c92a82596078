/** Builds an index while the servers use the table. */

import { setTimeout as sleep } from 'node:timers/promises'
import type { Executor } from '../connection/executor.js'

/** Runs a statement outside of a transaction. */
type QueryAlone = NonNullable<Executor['queryAlone']>

interface IndexStep {
  index: string
  sql: string
}

/** A build that ends is for a moment neither in progress nor valid. */
const END_MS = 500

/**
 * The caller holds the lock of the migrations. An interrupted build leaves an invalid index, which slows down writes and
 * helps no query: it is dropped first. The build of a server that was killed may go on in the database.
 * @returns False while such a build goes on. The caller ends its transaction before it tries again: PostgreSQL ends a build only
 * when each transaction has ended in which a statement ran at a certain moment, and it would wait for the caller's.
 */
export async function buildIndex(queryAlone: QueryAlone, { index, sql }: IndexStep): Promise<boolean> {
  let state = await stateOf(queryAlone, index)
  if (state === 'invalid') {
    await sleep(END_MS)
    state = await stateOf(queryAlone, index)
  }
  if (state === 'in progress') return false
  if (state === 'valid') return true
  if (state === 'invalid') await queryAlone(`drop index concurrently if exists ${index}`)
  try {
    await queryAlone(sql)
    return true
  } catch (cause) {
    if ((cause as { code?: unknown } | null)?.code !== QUERY_CANCELED) throw cause
    throw new Error(canceled(index), { cause })
  }
}

const QUERY_CANCELED = '57014'

const canceled = (index: string): string =>
  `The build of the index ${index} was canceled, by the statement_timeout of the role or of the database. A connection ` +
  'pooler keeps the migrations from lifting it: migrate again with an address that leads to PostgreSQL itself.'

/** The statement for a table that only this transaction uses. */
export const inTransaction = ({ sql }: IndexStep): string =>
  sql.replace(/\bcreate (unique )?index concurrently\b/, 'create $1index')

type IndexState = 'absent' | 'in progress' | 'invalid' | 'valid'

async function stateOf(queryAlone: QueryAlone, index: string): Promise<IndexState> {
  const [row] = await queryAlone<{ valid: boolean; in_progress: boolean }>(`
    select indisvalid as valid, exists (
      select from pg_stat_progress_create_index where index_relid = indexrelid
    ) as in_progress
    from pg_index where indexrelid = to_regclass('${index}')`)
  if (row === undefined) return 'absent'
  if (row.valid) return 'valid'
  return row.in_progress ? 'in progress' : 'invalid'
}
