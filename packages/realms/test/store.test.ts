/** The same rules in memory and in a PostgreSQL. */

import { type Executor, postgresExecutor } from '@ostiary/storage-postgres'
import { UNLIMITED } from '@ostiary/test-kit/database'
import { executorIn, hold, untilItWaits } from '@ostiary/test-kit/database/held'
import { newMigratedDatabase } from '@ostiary/test-kit/migrated-database'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { databaseRealms, MAX_REALMS, memoryRealms, type RealmStore, realmIdFault } from '../src/index.ts'

const NOW = 1_800_000_000
let store: RealmStore

const SETTINGS = { oidc: { tokens: { access_token: 300 } }, identity: { account: true } }
const made = async (id: string) => {
  const realm = await store.create({ id, settings: {} }, NOW)
  if (typeof realm === 'string') throw new Error(realm)
  return realm
}

function rules(fill: (ids: readonly string[]) => Promise<void>) {
  it('a realm is found as it was made', async () => {
    const realm = {
      id: 'acme',
      settings: SETTINGS,
      created_at: NOW,
      updated_at: NOW,
      disabled_at: null,
      version: 1,
    }
    expect(await store.create({ id: 'acme', settings: SETTINGS }, NOW)).toEqual(realm)
    expect(await store.find('acme')).toEqual(realm)
    expect(await store.find('other')).toBeNull()
  })

  it('an id is used once, also after its realm was deleted and purged', async () => {
    await made('acme')
    expect(await store.create({ id: 'acme', settings: {} }, NOW)).toBe('exists')
    await store.remove('acme', { version: 1 }, NOW)
    expect(await store.create({ id: 'acme', settings: {} }, NOW)).toBe('exists')
    await store.purged('acme', NOW + 1)
    expect(await store.create({ id: 'acme', settings: {} }, NOW)).toBe('exists')
  })

  it('a change is made to the version that it names', async () => {
    await made('acme')
    const changed = await store.replace('acme', { settings: SETTINGS, version: 1 }, NOW + 5)
    expect(changed).toMatchObject({ settings: SETTINGS, version: 2, created_at: NOW, updated_at: NOW + 5 })
    expect(await store.find('acme')).toEqual(changed)
    expect(await store.replace('acme', { settings: {}, version: 1 }, NOW + 6)).toBeNull()
    expect(await store.remove('acme', { version: 1 }, NOW + 6)).toBeNull()
    expect(await store.replace('other', { settings: {}, version: 1 }, NOW + 6)).toBeNull()
    expect(await store.find('acme')).toEqual(changed)
  })

  it('a deleted realm is found and not listed, and nothing changes it', async () => {
    await made('acme')
    const removed = await store.remove('acme', { version: 1 }, NOW + 5)
    expect(removed).toMatchObject({ disabled_at: NOW + 5, updated_at: NOW + 5, version: 2 })
    expect(await store.find('acme')).toEqual(removed)
    expect(await store.list({ limit: 10 })).toEqual([])
    expect(await store.replace('acme', { settings: SETTINGS, version: 2 }, NOW)).toBeNull()
    expect(await store.remove('acme', { version: 2 }, NOW)).toBeNull()
  })

  it('a list has pages, by the bytes of the id', async () => {
    for (const id of ['b', 'a', 'a-1', 'a1', '0']) await made(id)
    const ids = async (page: { limit: number; after?: string }) =>
      (await store.list(page)).map(({ id }) => id)
    expect(await ids({ limit: 3 })).toEqual(['0', 'a', 'a-1'])
    expect(await ids({ limit: 3, after: 'a-1' })).toEqual(['a1', 'b'])
  })

  it('the deleted ones are listed by time, until they are purged', async () => {
    for (const [id, at] of [
      ['a', 30],
      ['b', 20],
      ['c', 10],
    ] as const) {
      await made(id)
      await store.remove(id, { version: 1 }, NOW + at)
    }
    await made('live')
    const ids = async (before: number, limit = 10) =>
      (await store.deleted({ before: NOW + before, limit })).map(({ id }) => id)
    expect(await ids(31)).toEqual(['c', 'b', 'a'])
    expect(await ids(30)).toEqual(['c', 'b'])
    expect(await ids(31, 2)).toEqual(['c', 'b'])
    await store.purged('c', NOW + 40)
    expect(await ids(31)).toEqual(['b', 'a'])
  })

  it('a purged realm keeps its id without settings; one that is not deleted is not purged', async () => {
    await store.create({ id: 'acme', settings: SETTINGS }, NOW)
    await store.purged('acme', NOW)
    expect(await store.find('acme')).toMatchObject({ settings: SETTINGS })
    await store.remove('acme', { version: 1 }, NOW)
    await store.purged('acme', NOW)
    expect(await store.find('acme')).toMatchObject({ settings: {}, disabled_at: NOW })
  })

  it('the changes after a number are those that were made since', async () => {
    expect(await store.changes(0)).toEqual({ last: 0, realms: [] })
    await made('a')
    await made('b')
    const { last, realms } = await store.changes(0)
    expect(realms).toHaveLength(2)
    expect(await store.changes(last)).toEqual({ last, realms: [] })
    await store.remove('a', { version: 1 }, NOW)
    const later = await store.changes(last)
    expect(later.realms).toEqual([{ id: 'a', version: 2, disabled_at: NOW }])
    expect(later.last).toBeGreaterThan(last)
    // As after a restore: this number is not reached yet.
    expect((await store.changes(last + 100)).realms).toHaveLength(2)
  })

  it(`there are ${MAX_REALMS} realms, without those that are deleted`, async () => {
    await fill(Array.from({ length: MAX_REALMS - 2 }, (_, n) => `filled-${n}`))
    await made('gone')
    await store.remove('gone', { version: 1 }, NOW)
    await made('last-but-one')
    await made('last')
    expect(await store.create({ id: 'more', settings: {} }, NOW)).toBe('full')
    expect(await store.create({ id: 'last', settings: {} }, NOW)).toBe('exists')
    await store.remove('last', { version: 1 }, NOW)
    expect(await made('more')).toMatchObject({ version: 1 })
  })
}

describe('in memory', () => {
  beforeEach(() => {
    store = memoryRealms()
  })
  rules(async (ids) => {
    for (const id of ids) await made(id)
  })

  it('what a caller changes of a record is not stored', async () => {
    const realm = await made('acme')
    realm.settings.oidc = { profile: 'fapi2' }
    expect(await store.find('acme')).toMatchObject({ settings: {} })
  })
})

describe('in a PostgreSQL', () => {
  let database: Awaited<ReturnType<typeof newMigratedDatabase>>
  let executor: Executor
  beforeAll(async () => {
    database = await newMigratedDatabase()
    executor = postgresExecutor(database.url, UNLIMITED)
  })
  afterAll(async () => {
    await executor.close()
    await database.drop()
  })
  beforeEach(async () => {
    await executor.query('truncate oidc_realms')
    store = databaseRealms(executor)
  })
  const FILL = `
    insert into oidc_realms (realm, settings, created_at, updated_at, version, change)
    select id, '{}', ${NOW}, ${NOW}, 1, n from json_array_elements_text($1::text::json) with ordinality as ids(id, n)`
  rules(async (ids) => void (await executor.query(FILL, [JSON.stringify(ids)])))

  it('of two that are made at once, the second one waits: so the limit and the order of the changes hold', async () => {
    const ids = Array.from({ length: MAX_REALMS - 1 }, (_, n) => `filled-${n}`)
    await executor.query(FILL, [JSON.stringify(ids)])
    const first = await hold(executor, (tx) =>
      databaseRealms(executorIn(tx)).create({ id: 'first', settings: {} }, NOW),
    )
    const second = store.create({ id: 'second', settings: {} }, NOW)
    expect(await untilItWaits(executor, second)).toBe(true)
    await first.commit()
    expect(await second).toBe('full')
  })

  it('of two changes of one version, one is made', async () => {
    await made('acme')
    const first = await hold(executor, (tx) =>
      databaseRealms(executorIn(tx)).replace('acme', { settings: SETTINGS, version: 1 }, NOW),
    )
    const second = store.remove('acme', { version: 1 }, NOW)
    expect(await untilItWaits(executor, second)).toBe(true)
    await first.commit()
    expect(await second).toBeNull()
    expect(await store.find('acme')).toMatchObject({ version: 2, disabled_at: null })
  })

  it('where nothing has changed, that is one statement', async () => {
    await made('acme')
    const { last } = await store.changes(0)
    const statements: string[] = []
    const counted = databaseRealms({
      ...executor,
      query: (text, params) => {
        statements.push(text)
        return executor.query(text, params)
      },
    })
    await counted.changes(last)
    expect(statements).toHaveLength(1)
  })
})

describe('the id of a realm', () => {
  it.each(['a', '0', 'acme', 'a-b-1', 'a'.repeat(63), 'a-'])('%s', (id) => {
    expect(realmIdFault(id)).toBeNull()
  })
  it.each(['', '-a', 'Acme', 'a.b', 'a_b', 'ä', 'a b', 'a/b', '..', 'a\n'])('not %j', (id) => {
    expect(realmIdFault(id)).toContain('lower-case')
  })
  it('is no name that every object has', () => {
    expect(realmIdFault('constructor')).toContain('reserved')
  })
  it('has at most 63 characters', () => {
    expect(realmIdFault('a'.repeat(64))).toContain('63')
  })
})
