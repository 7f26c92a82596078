/** Seven days after the deletion of a realm, nothing of it is stored but its id. */

import { type Executor, postgresExecutor, postgresStorage } from '@ostiary/storage-postgres'
import { UNLIMITED } from '@ostiary/test-kit/database'
import { newMigratedDatabase } from '@ostiary/test-kit/migrated-database'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { databaseRealms, type RealmStore, realmPurge } from '../src/index.ts'

const NOW = 1_800_000_000
const DAY = 86_400

let database: Awaited<ReturnType<typeof newMigratedDatabase>>
let executor: Executor
let store: RealmStore
const failures: unknown[] = []
const clock = { now: NOW }
beforeAll(async () => {
  database = await newMigratedDatabase()
  executor = postgresExecutor(database.url, UNLIMITED)
})
afterAll(async () => {
  await executor.close()
  await database.drop()
})
beforeEach(async () => {
  await executor.query('truncate oidc_realms, oidc_roles, oidc_throttles')
  store = databaseRealms(executor)
  failures.length = 0
  clock.now = NOW
})

const purgeOf = (more: Partial<Parameters<typeof realmPurge>[0]> = {}) =>
  realmPurge({
    store,
    db: executor,
    now: () => clock.now,
    failed: (error) => void failures.push(error),
    ...more,
  })

async function deleted(id: string): Promise<void> {
  await store.create({ id, settings: { oidc: {} } }, NOW)
  await store.remove(id, { version: 1 }, NOW)
}

/** Rows of two tables: one of the realm, and one in buckets of people. */
const fill = (realm: string, rows: number) =>
  executor.query(
    `with row as (select generate_series(1, ${rows}) as i), roles as (
      insert into oidc_roles select '${realm}', 'sub:' || i, 'auditor', '["*"]' from row
    )
    insert into oidc_throttles select '${realm}', 'login:' || i, i % 4096, 60, 1, 1 from row`,
  )

const rowsOf = async (realm: string): Promise<number[]> =>
  Promise.all(
    ['oidc_roles', 'oidc_throttles'].map(async (table) => {
      const rows = await executor.query(`select 1 from ${table} where realm = '${realm}'`)
      return rows.length
    }),
  )

async function run(purge: ReturnType<typeof realmPurge>): Promise<void> {
  purge.start()
  await purge.settled()
  expect(failures).toEqual([])
}

it('its records are there for seven days, and then gone: those of other realms stay', async () => {
  await deleted('acme')
  await store.create({ id: 'acme2', settings: {} }, NOW)
  for (const realm of ['acme', 'acme2']) await fill(realm, 3)
  clock.now = NOW + 7 * DAY
  await run(purgeOf())
  expect(await rowsOf('acme')).toEqual([3, 3])
  clock.now += 1
  await run(purgeOf())
  expect([await rowsOf('acme'), await rowsOf('acme2')]).toEqual([
    [0, 0],
    [3, 3],
  ])
  expect(await store.find('acme')).toMatchObject({ settings: {}, disabled_at: NOW })
  expect(await store.create({ id: 'acme', settings: {} }, clock.now)).toBe('exists')
})

it('the deletes have at most 500 rows each, and all rows go', async () => {
  await deleted('acme')
  await fill('acme', 1001)
  clock.now = NOW + 8 * DAY
  const sizes: number[] = []
  await run(
    purgeOf({
      db: {
        async query<T>(text: string, params?: readonly (string | number | boolean | null)[]) {
          const rows = await executor.query<T>(text, params)
          if (text.includes('delete from oidc_roles')) sizes.push(rows.length)
          return rows
        },
      },
    }),
  )
  expect(sizes).toEqual([500, 500, 1])
  expect(await rowsOf('acme')).toEqual([0, 0])
})

it('every table with a realm is emptied', async () => {
  const tables = await executor.query<{ name: string }>(
    `select table_name as name from information_schema.columns
     where table_schema = current_schema() and column_name = 'realm' and table_name <> 'oidc_realms' order by 1`,
  )
  await deleted('acme')
  clock.now = NOW + 8 * DAY
  const emptied = new Set<string>()
  await run(
    purgeOf({
      db: {
        query(text, params) {
          const table = /delete from (\w+)/.exec(text)?.[1]
          if (table !== undefined) emptied.add(table)
          return executor.query(text, params)
        },
      },
    }),
  )
  expect([...emptied].sort()).toEqual(tables.map(({ name }) => name))
  expect(emptied.size).toBeGreaterThan(20)
})

it('in a divided database each statement about people names a bucket', async () => {
  await deleted('acme')
  await fill('acme', 5000)
  clock.now = NOW + 8 * DAY
  const buckets = new Set<unknown>()
  await run(
    purgeOf({
      sharded: true,
      db: {
        query(text, params = []) {
          // A bucket of one table is like that of another.
          const one = text.replace(
            "c.relname <> 'oidc_realms'",
            "c.relname in ('oidc_roles', 'oidc_throttles')",
          )
          if (text.includes('delete from oidc_throttles')) {
            expect(text).toContain('bucket = $2')
            buckets.add(params[1])
          }
          return executor.query(one, params)
        },
      },
    }),
  )
  expect(buckets.size).toBe(4096)
  expect(await rowsOf('acme')).toEqual([0, 0])
})

it('what is stored elsewhere is deleted before the realm counts as purged: a failure is tried again', async () => {
  await deleted('acme')
  clock.now = NOW + 8 * DAY
  const elsewhere: string[] = []
  const failing = purgeOf({ elsewhere: () => Promise.reject(new Error('Redis is away')) })
  failing.start()
  await failing.settled()
  expect(failures).toEqual([expect.objectContaining({ message: 'Redis is away' })])
  failures.length = 0
  await run(purgeOf({ elsewhere: async (realm) => elsewhere.push(realm) }))
  await run(purgeOf({ elsewhere: async (realm) => elsewhere.push(realm) }))
  expect(elsewhere).toEqual(['acme'])
})

it('a round is once a minute, and has ten realms', async () => {
  for (let n = 0; n < 11; n += 1) await deleted(`r-${n}`)
  clock.now = NOW + 8 * DAY
  const left = async () => (await store.deleted({ before: clock.now, limit: 99 })).length
  const purge = purgeOf()
  await run(purge)
  expect(await left()).toBe(1)
  clock.now += 59
  await run(purge)
  expect(await left()).toBe(1)
  clock.now += 1
  await run(purge)
  expect(await left()).toBe(0)
})

it('it ends when it is stopped, and the rest is done by the next one', async () => {
  await deleted('acme')
  await fill('acme', 2000)
  clock.now = NOW + 8 * DAY
  let stopped: Promise<void> | undefined
  const purge = purgeOf({
    db: {
      query(text, params) {
        if (text.includes('delete from oidc_roles')) stopped ??= purge.stop()
        return executor.query(text, params)
      },
    },
  })
  await run(purge)
  await stopped
  expect((await rowsOf('acme'))[0]).toBe(1500)
  purge.start()
  await purge.settled()
  expect((await rowsOf('acme'))[0]).toBe(1500)
  await run(purgeOf())
  expect(await rowsOf('acme')).toEqual([0, 0])
})

it('the records of the stores of a realm are among them', async () => {
  await deleted('acme')
  const { throttle } = postgresStorage(executor)('acme')
  await throttle.hit('login:ann', 60, clock.now)
  expect((await rowsOf('acme'))[1]).toBe(1)
  clock.now = NOW + 8 * DAY
  await run(purgeOf())
  expect((await rowsOf('acme'))[1]).toBe(0)
})
