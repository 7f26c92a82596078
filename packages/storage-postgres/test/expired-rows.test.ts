/**
 * Expired rows by the million do not slow a request down, nor does the purge that forgets them. What is asserted are
 * blocks and counts; with OSTIARY_EXPIRED_ROWS there are more of them, and times are printed (`pnpm run expired`).
 */

import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Executor, postgresExecutor, postgresStorage } from '../src/index.js'
import { fillExpired, NOW, REALM } from './_expired-rows.js'
import { requests } from './_requests.js'
import { migratedDatabase, type OwnDatabase } from './_setup.js'

const ROWS = Number(process.env.OSTIARY_EXPIRED_ROWS) || 20_000
const LARGE = ROWS > 20_000
/** Rounds of all requests for one line of the table. */
const ROUNDS = LARGE ? 1000 : 20

let database: OwnDatabase
let executor: Executor
let background: Executor
beforeAll(async () => {
  database = await migratedDatabase()
  executor = postgresExecutor(database.url, { connections: 2 })
  background = postgresExecutor(database.url, { connections: 1 })
}, 60_000)
afterAll(async () => {
  await Promise.all([executor.close(), background.close()])
  await database.drop()
})

const at = (sorted: number[], share: number) => sorted[Math.floor(sorted.length * share)] ?? 0
const line = (times: number[]): string => {
  const sorted = times.toSorted((a, b) => a - b)
  return [0.5, 0.99, 1 - Number.EPSILON].map((share) => at(sorted, share).toFixed(2)).join(' / ')
}
const say = (text: string) => LARGE && console.log(text)

const measured: Record<string, Record<string, string>> = {}
let round = 0
/** Every request of the tables, again and again, as on a server that is in use. */
async function measure(phase: string, until: (rounds: number) => boolean = (rounds) => rounds >= ROUNDS) {
  const times: Record<string, number[]> = {}
  const store = postgresStorage(executor)(REALM)
  for (let rounds = 0; !until(rounds); rounds += 1) {
    round += 1
    for (const [name, run] of requests(store, round)) {
      const since = performance.now()
      expect([name, await run()]).not.toEqual([name, false])
      times[name] ??= []
      times[name].push(performance.now() - since)
    }
  }
  for (const [name, all] of Object.entries(times)) {
    measured[name] ??= {}
    measured[name][phase] = line(all)
  }
}

/** Purges until nothing is left or `until` says so; how long each call took, and how many rows went. */
async function purging(until: (calls: number) => boolean): Promise<{ times: number[]; rows: number }> {
  const { purge } = postgresStorage(background)(REALM)
  const times: number[] = []
  for (let rows = 0; ; ) {
    const since = performance.now()
    const went = await purge(NOW)
    times.push(performance.now() - since)
    rows += went
    if (went === 0 || until(times.length)) return { times, rows }
  }
}

/** How many index entries purges have looked at to find the expired requests. */
async function entriesRead(): Promise<number> {
  await background.query('select pg_stat_force_next_flush()')
  const [read] = await background.query<{ count: number }>(
    `select idx_tup_read as count from pg_stat_user_indexes
     where indexrelname = 'oidc_pending_authorizations_expiry'`,
  )
  return read?.count ?? Number.NaN
}

async function beside(phase: string, work: Promise<{ times: number[]; rows: number }>) {
  let over = false
  const began = performance.now()
  const watched = work.finally(() => {
    over = true
  })
  await measure(phase, (rounds) => over && rounds > 0)
  const { times, rows } = await watched
  const [tenth, all] = [Math.ceil(times.length / 10), (performance.now() - began) / 1000]
  say(
    `${phase}: ${rows} records in ${times.length} calls and ${all.toFixed(1)} s; ` +
      `ms a call: ${line(times)}, first tenth ${line(times.slice(0, tenth))}, last ${line(times.slice(-tenth - 1, -1))}`,
  )
  return rows
}

it('expired rows slow neither a request nor their purge', async () => {
  await measure('empty')
  const filler = postgresExecutor(database.url, { connections: 1, statementTimeout: 0 })
  const counts = await fillExpired(filler, ROWS)
  await filler.close()
  say(JSON.stringify(counts))
  await measure('full')

  // A backup keeps every deleted row from being cleaned away while it runs.
  let release = () => {}
  const held = new Promise<void>((done) => {
    release = done
  })
  const backing = postgresExecutor(database.url, { connections: 1, statementTimeout: 0 })
  const backup = backing.transaction(async (tx) => {
    await tx.query('set transaction isolation level repeatable read')
    await tx.query('select 1 from oidc_grants limit 1')
    await held
  })
  const some = await beside(
    'purge during a backup',
    purging((calls) => calls >= (LARGE ? 60 : 3)),
  )
  // Each row is passed by once or twice, and not again in every batch that comes after it.
  expect(await entriesRead()).toBeLessThan(3 * some)
  release()
  await backup
  await backing.close()
  const rest = await beside(
    'purge',
    purging(() => false),
  )
  await measure('after')

  const dead = (counts.oidc_pending_authorizations ?? 0) + (counts.oidc_grants ?? 0)
  expect(some + rest).toBeGreaterThanOrEqual(
    dead + (counts.oidc_revoked_tokens ?? 0) + (counts.oidc_throttles ?? 0),
  )
  if (LARGE) console.table(measured)
}, 7_200_000)
