/** Copies every record of one database to another one with the same schema. */

import { type Executor, ONE_SNAPSHOT, type Queries, WITHOUT_TIME_LIMITS } from '../connection/executor.js'
import { MOVED_TABLES } from './tables.js'

/** Rows by the name of their table. */
export type RowCounts = Record<string, number>

/** The target has records. The message names the tables. */
export class TargetNotEmptyError extends Error {
  constructor(tables: readonly string[]) {
    super(`The target has records already, in ${tables.join(', ')}: name a database without records`)
    this.name = 'TargetNotEmptyError'
  }
}

const BATCH_ROWS = 1_000
const TABLES = Object.keys(MOVED_TABLES)
/** Requests of the target's servers would add records: they wait until the end. */
const LOCK = `lock table ${TABLES.join(', ')} in share row exclusive mode`

/** The records of a database, as one moment had them. */
export function countRecords(executor: Executor): Promise<RowCounts> {
  return executor.transaction(async (tx) => {
    await tx.query(ONE_SNAPSHOT)
    return countIn(tx)
  })
}

/**
 * All or nothing: one transaction of the target, and one snapshot of the source. Memory holds one batch of rows.
 * @param target Has the tables.
 * @throws TargetNotEmptyError
 */
export function copyDatabase(source: Executor, target: Executor): Promise<RowCounts> {
  return source.transaction(async (from) => {
    await from.query(ONE_SNAPSHOT)
    await from.query(WITHOUT_TIME_LIMITS)
    const wanted = await countIn(from)
    await target.transaction(async (to) => {
      await to.query(WITHOUT_TIME_LIMITS)
      await to.query(LOCK)
      await requireEmpty(to)
      for (const [table, key] of Object.entries(MOVED_TABLES)) await copyTable(table, key, { from, to })
      requireEqual(wanted, await countIn(to))
    })
    return wanted
  })
}

/** @throws TargetNotEmptyError */
export async function requireEmpty(db: Queries): Promise<void> {
  const filled: string[] = []
  for (const table of TABLES) {
    const rows = await db.query(`select from ${table} limit 1`)
    if (rows.length > 0) filled.push(table)
  }
  if (filled.length > 0) throw new TargetNotEmptyError(filled)
}

interface Connections {
  from: Queries
  to: Queries
}

/** In batches, each beginning after the last key. Rows travel as the JSON text of the database, so no value changes. */
async function copyTable(table: string, key: readonly string[], { from, to }: Connections): Promise<void> {
  const columns = ['realm', ...key]
  const keys = columns.map((column) => `${column} as key_${column}`).join(', ')
  const page = (condition: string) => `
    select to_json(t)::text as row_text, ${keys} from ${table} t ${condition} order by ${columns.join(', ')} limit ${BATCH_ROWS}`
  const next = page(`where (${columns.join(', ')}) > (${columns.map((_, i) => `$${i + 1}`).join(', ')})`)
  const insert = `insert into ${table} select * from json_populate_recordset(null::${table}, $1::text::json)`
  let rows = await from.query<Record<string, string>>(page(''))
  while (rows.length > 0) {
    await to.query(insert, [`[${rows.map(({ row_text }) => row_text).join(',')}]`])
    const last = rows.at(-1) ?? {}
    rows = await from.query<Record<string, string>>(
      next,
      columns.map((column) => last[`key_${column}`] ?? ''),
    )
  }
}

async function countIn(db: Queries): Promise<RowCounts> {
  const counts: RowCounts = {}
  for (const table of TABLES) {
    const [row] = await db.query<{ count: number }>(`select count(*) as count from ${table}`)
    counts[table] = row?.count ?? 0
  }
  return counts
}

function requireEqual(wanted: RowCounts, copied: RowCounts): void {
  const different = TABLES.filter((table) => wanted[table] !== copied[table])
  if (different.length === 0) return
  const rows = different.map((table) => `${table} ${copied[table]} of ${wanted[table]}`).join(', ')
  throw new Error(`The copy is not complete, and was undone: ${rows}`)
}
