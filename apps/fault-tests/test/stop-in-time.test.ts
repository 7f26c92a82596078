/** SIGTERM while requests wait for a table that is locked: the server ends within `stop_seconds`. */

import { once } from 'node:events'
import { postgresExecutor, type Queries } from '@ostiary/storage-postgres'
import { ownDatabase, UNLIMITED } from '@ostiary/test-kit/database'
import { eventually } from '@ostiary/test-kit/eventually'
import { SECRET, startServer } from '@ostiary/test-kit/server'
import { expect, it, onTestFinished } from 'vitest'
import { clients, post, QUICK_KEYS, users } from './client.ts'
import { report } from './report.ts'

const STOP_SECONDS = 1
const REQUESTS = 15

/** Locks every table that requests and background work use, until it is released: not the one that a new connection asks first. */
async function lockTables(url: string): Promise<() => void> {
  const executor = postgresExecutor(url, UNLIMITED)
  onTestFinished(() => executor.close())
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await new Promise<void>((resolve, reject) => {
    const locked = async (tx: Queries) => {
      await tx.query(`do $$ declare name text; begin
        for name in select tablename from pg_tables
            where schemaname = 'public' and tablename <> 'oidc_database' loop
          execute format('lock table %I in access exclusive mode', name);
        end loop; end $$`)
      resolve()
      await held
    }
    executor.transaction(locked).catch(reject)
  })
  onTestFinished(release)
  return release
}

/** The number of statements about clients that wait for a lock. */
async function waitingIn(observer: Queries): Promise<number> {
  const [row] = await observer.query<{ waiting: number }>(
    `select count(*)::int as waiting from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock' and query like '%oidc_clients%'`,
  )
  return row?.waiting ?? 0
}

it('SIGTERM ends the server in time, and what waits for the database is answered with 503', async () => {
  const url = await ownDatabase()
  const server = await startServer({
    config: (port: number) => ({
      app: { url: `http://localhost:${port}` },
      oidc: { keys: QUICK_KEYS },
      clients,
      users,
    }),
    env: {
      OIDC_SECRET: SECRET,
      DATABASE_URL: url,
      OSTIARY_STOP_SECONDS: `${STOP_SECONDS}`,
      OSTIARY_DATABASE__POOL_SIZE: '30',
    },
  })
  await lockTables(url)
  const observer = postgresExecutor(`${url}?application_name=observer`, { ...UNLIMITED, connections: 1 })
  onTestFinished(() => observer.close())
  const waiting: ReturnType<typeof post>[] = []
  while (waiting.length < REQUESTS) {
    // Each for another client, when the one before it waits: look-ups at the same time would share a statement.
    const client_id = `app-${waiting.length}`
    waiting.push(post(`${server.issuer}/oauth/token`, { grant_type: 'refresh_token', client_id }))
    await eventually(async () => (await waitingIn(observer)) >= waiting.length)
  }
  const exited = once(server.child, 'close')
  const started = performance.now()
  server.child.kill('SIGTERM')
  const answers = await Promise.all(waiting)
  // The locks are never released: it waited for the time limits of the statements, and ended what waits.
  expect(await exited).toEqual([0, null])
  const seconds = (performance.now() - started) / 1000
  report('SIGTERM with locked tables', {
    stop_seconds: STOP_SECONDS,
    seconds: Math.round(seconds * 10) / 10,
    waiting: answers.length,
    answered_503: answers.filter(({ status }) => status === 503).length,
  })
  for (const { status, headers, body } of answers)
    expect([status, body.error, headers.get('retry-after')]).toEqual([503, 'temporarily_unavailable', '1'])
})
