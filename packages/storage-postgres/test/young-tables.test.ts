/**
 * A new database has no statistics until it is analyzed, and plans from that time are reused. Even so, the statements of
 * requests must not scan all rows of a realm.
 */

import { UNLIMITED } from '@ostiary/test-kit/database'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Executor, postgresExecutor } from '../src/index.js'
import { fillTables } from './_full-tables.js'
import { migratedDatabase, type OwnDatabase } from './_setup.js'
import { type Statement, statements } from './_statements.js'

/** These read several rows of a realm, or are rare. */
const NOT_BY_ID =
  /\.(list|claim|expired|revoke|revokeOfClient|deleteOfClient|ensure|end)$|^(purge|background|lease)\b|^consents\.delete$/

/** Its key is one column: no row of another realm has the id. */
const BY_ID_ALONE = 'oidc_mails_id'

interface Plan {
  'Node Type': string
  'Index Name'?: string
  'Index Cond'?: string
  Plans?: Plan[]
}

const nodes = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodes)]
const conditions = ({ 'Index Cond': text = '' }: Plan): number => text.split(' AND ').length

describe.each([0, 10, 300, 3000])('on tables of %i rows that were never analyzed', (rows) => {
  let database: OwnDatabase
  let executor: Executor
  beforeAll(async () => {
    database = await migratedDatabase()
    executor = postgresExecutor(database.url, { ...UNLIMITED, connections: 1 })
    for (const { name } of await executor.query<{ name: string }>(
      `select relname as name from pg_class where relname like 'oidc%' and relkind = 'r'`,
    ))
      await executor.query(`alter table ${name} set (autovacuum_enabled = false)`)
    if (rows > 0) await fillTables(executor, rows, { analyze: false })
  })
  afterAll(async () => {
    await executor.close()
    await database.drop()
  })

  /** The indexes that the plan searches by the realm only, and the tables that it scans. */
  async function wide({ text, params }: Statement): Promise<string[]> {
    await executor.query(`prepare plan as ${text}`)
    const values = params.map((value) => (typeof value === 'string' ? `'${value}'` : `${value}`))
    const given = values.length > 0 ? `(${values.join(', ')})` : ''
    const [explained] = await executor.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      `explain (format json) execute plan ${given}`,
    )
    await executor.query('deallocate plan')
    return nodes(explained?.['QUERY PLAN'][0].Plan ?? { 'Node Type': 'none' }).flatMap((node) => {
      const index = node['Index Name']
      if (index) return conditions(node) < (index === BY_ID_ALONE ? 1 : 2) ? [index] : []
      return /^(Seq Scan|none)$/.test(node['Node Type']) ? [node['Node Type']] : []
    })
  }

  it.each(['force_custom_plan', 'force_generic_plan'])('one row is found by its id (%s)', async (mode) => {
    await executor.query(`set plan_cache_mode = ${mode}`)
    const asked = (await statements()).filter(({ name }) => !NOT_BY_ID.test(name))
    expect(asked.length).toBeGreaterThan(20)
    for (const statement of asked)
      expect({ name: statement.name, wide: await wide(statement) }).toEqual({
        name: statement.name,
        wide: [],
      })
  })
})
