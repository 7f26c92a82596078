/** A thousand realms: the start of two servers, and what they ask of PostgreSQL while nothing happens. */

import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { postgresExecutor } from '@ostiary/storage-postgres'
import { UNLIMITED } from '@ostiary/test-kit/database'
import { freePort } from '@ostiary/test-kit/ports'
import { SECRET, type ServerProcess, startServer } from '@ostiary/test-kit/server'
import { expect, it, onTestFinished } from 'vitest'
import { BACKEND_SECRET, post } from './client.ts'
import { report } from './report.ts'
import { ownPostgres } from './services.ts'

const IDLE_SECONDS = 30
/** PostgreSQL counts the transactions of a connection that is idle after this time. */
const COUNTED_SECONDS = 11

const configOf = (realms: number) => (port: number) => {
  const ids = Array.from({ length: realms }, (_, n) => `realm-${n}`)
  const clients = [
    { client_id: 'backend', client_secret: BACKEND_SECRET, grant_types: ['client_credentials'] },
  ]
  return {
    app: { url: `http://localhost:${port}` },
    oidc: { routes: { realms: 'path' }, realms: Object.fromEntries(ids.map((id) => [id, {}])) },
    realms: Object.fromEntries(ids.map((id) => [id, { clients }])),
  }
}

async function started(
  config: unknown,
  DATABASE_URL: string,
): Promise<{ server: ServerProcess; ms: number }> {
  const began = performance.now()
  const server = await startServer({
    config,
    env: { DATABASE_URL, OIDC_SECRET: SECRET },
    port: await freePort(),
  })
  const ms = Math.round(performance.now() - began)
  onTestFinished(async () => void (await server.stop()))
  return { server, ms }
}

const memory = ({ child }: ServerProcess): number => {
  const [, kB = 'NaN'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? []
  return Math.round(Number(kB) / 1024)
}

it.each([300, 1000])('%i realms: two servers start, and are idle', async (realms) => {
  const { url: DATABASE_URL } = await ownPostgres()
  const config = configOf(realms)
  const first = await started(config, DATABASE_URL)
  const second = await started(config, DATABASE_URL)
  const executor = postgresExecutor(DATABASE_URL, { ...UNLIMITED, connections: 1 })
  onTestFinished(() => executor.close())
  // The vacuum of the new tables would count as statements.
  await executor.query('alter system set autovacuum = off')
  await executor.query('select pg_reload_conf()')
  const transactions = async () => {
    const [row] = await executor.query<{ count: number }>(
      'select xact_commit + xact_rollback as count from pg_stat_database where datname = current_database()',
    )
    return row?.count ?? Number.NaN
  }
  await pause(COUNTED_SECONDS * 1000)
  const before = await transactions()
  await pause(IDLE_SECONDS * 1000)
  const a_second = ((await transactions()) - before) / IDLE_SECONDS

  const began = performance.now()
  const last = `http://localhost:${first.server.port}/realms/realm-${realms - 1}/oauth/token`
  const form = { client_id: 'backend', client_secret: BACKEND_SECRET, grant_type: 'client_credentials' }
  expect((await post(last, form)).status).toBe(200)
  report(`${realms} realms, two servers`, {
    ms_first_start: first.ms,
    ms_second_start: second.ms,
    statements_a_second_idle: Number(a_second.toFixed(2)),
    ms_first_token_of_a_realm: Math.round(performance.now() - began),
    MB: [memory(first.server), memory(second.server)],
  })
  expect(a_second).toBeLessThan(1)
})
