/**
 * Every statement of every store on full tables: none scans a whole table, and the number of blocks that it reads does not
 * grow with the tables. With OSTIARY_PLAN_ROWS the tables are larger, and the plans are printed.
 */

import { UNLIMITED } from '@ostiary/test-kit/database'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Executor, postgresExecutor } from '../src/index.js'
import { fillTables } from './_full-tables.js'
import { migratedDatabase, type OwnDatabase } from './_setup.js'
import { LIMIT, ROWS, type Statement, statements } from './_statements.js'

/** Blocks of 8 kB that a statement may read per record. */
const MAX_BLOCKS = 100
/** Records of one batch of a purge, and fewer than one step through all records has. */
const BATCH = 1000

interface Plan {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Shared Hit Blocks'?: number
  'Shared Read Blocks'?: number
  Plans?: Plan[]
}
interface ExplainRow {
  'QUERY PLAN': [{ Plan: Plan; 'Execution Time'?: number }]
}

const literal = (param: Statement['params'][number]) =>
  typeof param === 'string' ? `'${param.replaceAll("'", "''")}'` : `${param}`
const nodes = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodes)]
/** The tables that a plan scans completely. */
const endToEnd = (plan: Plan) =>
  nodes(plan).flatMap((node) =>
    node['Node Type'] === 'Seq Scan' && node['Relation Name'] ? [node['Relation Name']] : [],
  )
function recordsOf({ name }: Statement): number {
  if (/^(purge|background.due)$|OfClient$/.test(name)) return BATCH
  return /\.(list|page|expired|deleted|claim)$/.test(name) ? LIMIT : 1
}

describe(`queries on ${ROWS} rows`, () => {
  let database: OwnDatabase
  let executor: Executor
  beforeAll(async () => {
    database = await migratedDatabase()
    executor = postgresExecutor(database.url, { ...UNLIMITED, connections: 1 })
    await fillTables(executor, ROWS)
  }, 1_800_000)
  afterAll(async () => {
    await executor.close()
    await database.drop()
  })

  /** Runs the statement with `explain`, and rolls it back. */
  async function run({ name, params }: Statement, text: string) {
    let result: { plan: Plan; time: number | undefined; scanned: string[] } | undefined
    const undone = executor.transaction(async (tx) => {
      const [explained] = await tx.query<ExplainRow>(
        `explain (analyze, buffers, format json) ${text}`,
        params,
      )
      // These counts include statements in functions.
      const scans = await tx.query<{ name: string }>(
        `select relname as name from pg_stat_xact_user_tables where seq_scan > 0 and relname like 'oidc%'`,
      )
      if (!explained) throw new Error(`${name}: no plan`)
      const [{ Plan: plan, 'Execution Time': time }] = explained['QUERY PLAN']
      result = { plan, time, scanned: [...scans.map((scan) => scan.name), ...endToEnd(plan)] }
      throw new Error('undo')
    })
    await expect(undone).rejects.toThrow('undo')
    if (!result) throw new Error('no result')
    return result
  }

  it('use an index, and read few blocks per record', async () => {
    for (const statement of await statements()) {
      const { name, text } = statement
      const { plan, time, scanned } = await run(statement, text)
      const blocks = (plan['Shared Hit Blocks'] ?? Number.NaN) + (plan['Shared Read Blocks'] ?? 0)
      expect({ name, scanned }).toEqual({ name, scanned: [] })
      expect(blocks, name).toBeLessThan(MAX_BLOCKS * recordsOf(statement))
      if (process.env.OSTIARY_PLAN_ROWS) {
        const indexes = nodes(plan).flatMap((node) => node['Index Name'] ?? [])
        console.log(
          `${name}: ${blocks} blocks, ${time} ms, ${[...new Set(indexes)].join(' ') || plan['Node Type']}`,
        )
      }
    }
  })

  it('use an index with generic plans, also in functions', async () => {
    await executor.query('set plan_cache_mode = force_generic_plan')
    for (const { name, text, params } of await statements()) {
      await executor.query(`prepare plan as ${text}`)
      const planned = { name, text, params: [] }
      const { scanned } = await run(planned, `execute plan (${params.map(literal).join(', ')})`)
      await executor.query('deallocate plan')
      expect({ name, scanned }).toEqual({ name, scanned: [] })
    }
  })

  it('call every function of the schema', async () => {
    const functions = await executor.query<{ name: string }>(
      `select proname as name from pg_proc where pronamespace = current_schema()::regnamespace`,
    )
    const texts = (await statements()).map(({ text }) => text)
    expect(functions.length).toBeGreaterThan(0)
    for (const { name } of functions)
      expect([name, texts.some((text) => text.includes(`${name}(`))]).toEqual([name, true])
  })
})
