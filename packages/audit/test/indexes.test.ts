/** No question reads the rows that it is not about: each is answered from an index. */

import { postgresExecutor } from '@ostiary/storage-postgres'
import { UNLIMITED } from '@ostiary/test-kit/database'
import { newMigratedDatabase } from '@ostiary/test-kit/migrated-database'
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { type AuditFilter, databaseAuditStore } from '../src/index.ts'
import { newRow } from '../src/row.ts'

const REALM = 'default'
const ROWS = 20_000
const NOW = Math.floor(Date.now() / 1000)

let database: Awaited<ReturnType<typeof newMigratedDatabase>>
let executor: ReturnType<typeof postgresExecutor>

beforeAll(async () => {
  database = await newMigratedDatabase()
  executor = postgresExecutor(database.url, UNLIMITED)
  const store = databaseAuditStore(executor)
  const rows = Array.from({ length: ROWS }, (_, n) => {
    const flow = `flow-${n}`
    const row = { realm: REALM, time: NOW - 1000, outcome: 'done' as const, flow, refs: [`R-${n}`] }
    const sub = `user-${n % 1000}`
    const common = { sub, client_id: `app-${n % 100}`, actor: `sub:${sub}`, type: 'session.started' }
    return newRow({ ...row, ...common, ...(n === 7 && { type: 'client.update', actor: 'cli:ann@host' }) })
  })
  for (let from = 0; from < ROWS; from += 2000) await store.put(rows.slice(from, from + 2000))
  await executor.query('analyze oidc_audit')
})
afterAll(async () => {
  await executor.close()
  await database.drop()
})

interface Plan {
  'Node Type': string
  'Rows Removed by Filter'?: number
  Plans?: Plan[]
}

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

/** The statement of the list, as PostgreSQL has run it. */
async function planOf(filter: AuditFilter): Promise<Plan[]> {
  const plans: Plan[] = []
  const explaining = databaseAuditStore({
    ...executor,
    async query<T>(text: string, params: Parameters<typeof executor.query>[1]) {
      const [row] = await executor.query<{ plan: [{ Plan: Plan }] }>(
        `explain (analyze, format json) ${text}`,
        params,
      )
      const [json] = Object.values(row ?? {})
      plans.push((typeof json === 'string' ? JSON.parse(json) : json)[0].Plan)
      return [] as T[]
    },
  })
  // One row: it is easily found, PostgreSQL thinks, wherever it looks.
  await explaining.list(REALM, { filter, limit: 1 })
  return plans.flatMap(nodesOf)
}

it.each<[AuditFilter]>([
  [{}],
  [{ sub: 'user-7' }],
  [{ client_id: 'app-7' }],
  [{ actor: 'cli:ann@host' }],
  [{ type: 'client.update' }],
  [{ type: 'client.' }],
  [{ type: 'key.rotate' }],
  [{ flow: 'flow-7' }],
  [{ reference: 'R-7' }],
  [{ reference: 'none' }],
  [{ since: NOW + 3600 }],
  [{ since: NOW + 3600, type: 'session.started' }],
  [{ sub: 'user-7', client_id: 'app-7', since: NOW - 2000 }],
])('of %o', async (filter) => {
  const nodes = await planOf(filter)
  expect(nodes.map((node) => node['Node Type'])).not.toContain('Seq Scan')
  const removed = nodes.reduce((sum, node) => sum + (node['Rows Removed by Filter'] ?? 0), 0)
  expect(removed).toBeLessThan(ROWS / 100)
})

it('the ids of rows sort as they were made, however many a process makes', () => {
  const row = { realm: REALM, time: 1000, type: 'a', outcome: 'done' as const, actor: 'system' }
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const ids = [0, 1].flatMap((ms) => {
    vi.setSystemTime(NOW * 1000 + ms)
    return Array.from({ length: 24_000 }, () => newRow(row).audit_id)
  })
  expect(ids.findIndex((id, n) => n > 0 && id <= `${ids[n - 1]}`)).toBe(-1)
})

it('the id of a row is of no earlier moment than the row', () => {
  const row = { realm: REALM, type: 'a', outcome: 'done' as const, actor: 'system' }
  const early = newRow({ ...row, time: NOW - 3600 })
  const late = newRow({ ...row, time: NOW + 3600 })
  expect([early.audit_id < late.audit_id, newRow({ ...row, time: NOW }).audit_id < late.audit_id]).toEqual([
    true,
    true,
  ])
})
