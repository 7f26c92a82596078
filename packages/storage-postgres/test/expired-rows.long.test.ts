/**
 * Neither millions of expired rows nor their purge slow requests down. The test asserts counts. With
 * OSTIARY_EXPIRED_ROWS there are more rows, and times are printed: each request alternates with the
 * same request on an empty database, so that a busy machine affects both.
 */

import { UNLIMITED } from '@ostiary/test-kit/database'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Executor, postgresExecutor, postgresStorage } from '../src/index.js'
import { fillExpired, NOW, REALM } from './_expired-rows.js'
import { requests } from './_requests.js'
import { migratedDatabase, type OwnDatabase } from './_setup.js'

const ROWS = Number(process.env.OSTIARY_EXPIRED_ROWS) || 20_000
const LARGE = ROWS > 20_000
/** Rounds of all requests in one phase. */
const ROUNDS = LARGE ? 500 : 20
/** Calls of purge during these; a small table is purged completely. */
const CALLS = LARGE ? 30 : Number.POSITIVE_INFINITY

let [full, empty]: OwnDatabase[] = []
const opened: Executor[] = []
const open = ({ url }: OwnDatabase, options = {}) => {
  const executor = postgresExecutor(url, { ...UNLIMITED, connections: 1, ...options })
  opened.push(executor)
  return executor
}
beforeAll(async () => {
  full = await migratedDatabase()
  empty = await migratedDatabase()
  // An analysis after the purge finds no live row, while the backup keeps the dead ones: then a look-up by key may read the index of the
  // expiry instead, until a vacuum. Whether PostgreSQL analyzes by itself in these seconds is chance.
  await full.executor.query('alter table oidc_pending_authorizations set (autovacuum_enabled = false)')
})
afterAll(async () => {
  await Promise.all(opened.map((executor) => executor.close()))
  await full?.drop()
  await empty?.drop()
})

const line = (times: number[]): string => {
  const sorted = times.toSorted((a, b) => a - b)
  return [0.5, 0.99].map((share) => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(2)).join(' / ')
}
const say = (text: string) => LARGE && console.log(text)

interface PurgeFigures {
  times: number[]
  rows: number
}

/** Purges until nothing is left, or CALLS times. */
async function purging(executor: Executor): Promise<PurgeFigures> {
  const { purge } = postgresStorage(executor)(REALM)
  const purged: PurgeFigures = { times: [], rows: 0 }
  while (purged.times.length < CALLS) {
    const since = performance.now()
    const went = await purge(NOW)
    purged.times.push(performance.now() - since)
    purged.rows += went
    if (went === 0) break
  }
  return purged
}

/** The number of index entries that purges have read to find expired requests. */
async function entriesRead(executor: Executor): Promise<number> {
  await executor.query('select pg_stat_force_next_flush()')
  const [read] = await executor.query<{ count: number }>(
    `select idx_tup_read as count from pg_stat_user_indexes
     where indexrelname = 'oidc_pending_authorizations_expiry'`,
  )
  return read?.count ?? Number.NaN
}

/** While a backup runs, deleted rows cannot be vacuumed. */
async function duringBackup<T>(executor: Executor, work: () => Promise<T>): Promise<T> {
  let done: Promise<T> | undefined
  await executor.transaction(async (tx) => {
    await tx.query('set transaction isolation level repeatable read')
    await tx.query('select 1 from oidc_grants limit 1')
    done = work()
    await done
  })
  if (!done) throw new Error('no work was done')
  return done
}

it('expired rows slow down neither requests nor their purge', async () => {
  if (!full || !empty) throw new Error('no database')
  const stores = { full: open(full), empty: open(empty) }
  const background = open(full)
  const backup = open(full, UNLIMITED)
  const measured: Record<string, Record<string, string>> = {}
  let round = 0
  /** Repeats every request for ROUNDS rounds, and until the concurrent work is done. */
  async function measure<T>(phase: string, work: Promise<T>): Promise<T> {
    const times = new Map<string, number[]>()
    let over = false
    const watched = work.finally(() => {
      over = true
    })
    for (let rounds = 0; rounds < ROUNDS || !over; rounds += 1) {
      round += 1
      for (const [column, executor] of Object.entries(stores)) {
        for (const [name, run] of requests(postgresStorage(executor)(REALM), round)) {
          const since = performance.now()
          expect([name, await run()]).not.toEqual([name, false])
          const key = `${name}, ${column}`
          times
            .set(key, times.get(key) ?? [])
            .get(key)
            ?.push(performance.now() - since)
        }
      }
    }
    for (const [key, all] of times) {
      measured[key] ??= {}
      measured[key][phase] = line(all)
    }
    return watched
  }
  const told = (phase: string, { times, rows }: PurgeFigures) =>
    say(
      `${phase}: ${rows} records; ms a call: ${line(times)}, first ${times[0]?.toFixed()}, last ${times.at(-1)?.toFixed()}`,
    )

  const counts = await fillExpired(backup, ROWS)
  say(JSON.stringify(counts))
  await measure('at rest', Promise.resolve())
  const some = await duringBackup(backup, () => measure('purge in a backup', purging(background)))
  told('purge in a backup', some)
  // Each entry is read once or twice, and not again in every later batch.
  expect(await entriesRead(background)).toBeLessThan(3 * some.rows)
  if (!LARGE) {
    const kinds = ['pending_authorizations', 'grants', 'revoked_tokens', 'throttles']
    const expired = kinds.reduce((sum, kind) => sum + (counts[`oidc_${kind}`] ?? 0), 0)
    expect(some.rows).toBeGreaterThanOrEqual(expired)
    return
  }
  told('purge', await measure('purge', purging(background)))
  console.table(measured)
}, 7_200_000)
