/** The deliveries of the audit, with the rows and the cursors in the embedded database. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Executor, migrations } from '@ostiary/storage-postgres'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { databaseAuditStore } from '../../audit/src/index.js'
import { newRow } from '../../audit/src/row.js'
import { sinkCommand, sinkFindings } from '../../audit-sinks/src/commands.js'
import { createSinks, databaseSinkStore } from '../../audit-sinks/src/index.js'
import { printableTable } from '../../host/src/cli/output.js'
import { pgliteExecutor } from '../src/index.js'

const NOW = 1_764_000_000
const SINK = {
  url: 'https://siem.example.com/',
  format: 'json',
  secret: `whsec_${'A'.repeat(32)}`,
  events: ['client.'],
} as const

const folder = mkdtempSync(join(tmpdir(), 'ostiary-sinks-'))
let executor: Executor
beforeAll(async () => {
  executor = await pgliteExecutor(join(folder, 'data'))
  await migrations(executor).migrate()
})
afterAll(async () => {
  await executor.close()
  rmSync(folder, { recursive: true, force: true })
})

it('rows are delivered once, and what waits is shown', async () => {
  const audit = databaseAuditStore(executor)
  const sent: (string | null)[] = []
  let status = 500
  let now = NOW
  const sinks = createSinks({
    sinks: [SINK],
    audit,
    store: databaseSinkStore(executor),
    fetch: () => async (_, init) => {
      sent.push(new Headers(init?.headers).get('webhook-id'))
      return new Response(null, { status })
    },
    keysOf: async () => Promise.reject(new Error('no keys')),
    now: () => now,
  })
  const deliver = async () => {
    sinks.start(['default'])
    await sinks.settled()
  }
  await deliver()
  const row = { realm: 'default', time: NOW, outcome: 'done', actor: 'system' } as const
  const rows = [newRow({ ...row, type: 'client.update' }), newRow({ ...row, type: 'key.rotate' })]
  await audit.put(rows)
  const places = rows.map((each, index) => ({
    row: each,
    audit_id: each.audit_id,
    place: index + 1,
    hash: 'hash',
  }))
  const seal = { realm: 'default', number: 1, last_time: NOW, jws: 'jws', expired: false }
  expect(await audit.seal(seal, places)).toBe(true)
  await deliver()
  const listed = await sinkCommand(
    async (_input: null, _output: null, run) =>
      run({ realm: { id: 'default' }, records: executor, config: { audit_sinks: [SINK] } }),
    { table: printableTable },
  ).run(null, null)
  expect(listed.json).toMatchObject({ sinks: [{ pending: 1, oldest: NOW, error: 'status_500' }] })
  expect(await sinkFindings(executor, [SINK])).toMatchObject([{ status: 'fault' }])
  status = 204
  now += 10
  await deliver()
  await deliver()
  expect(sent).toEqual([rows[0]?.audit_id, rows[0]?.audit_id])
  expect(await sinkFindings(executor, [SINK])).toMatchObject([{ status: 'ok' }])
})
