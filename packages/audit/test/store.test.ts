/** The rules of a store, in memory and in a PostgreSQL. */

import { postgresExecutor } from '@ostiary/storage-postgres'
import { UNLIMITED } from '@ostiary/test-kit/database'
import { newMigratedDatabase } from '@ostiary/test-kit/migrated-database'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AuditStore, databaseAuditStore, memoryAuditStore } from '../src/index.ts'
import { hashOfRow, type NewRow, newRow } from '../src/row.ts'

let store: AuditStore
let realm = ''
let realms = 0

const row = (more: Partial<NewRow> = {}) =>
  newRow({ realm, time: 1000, type: 'client.update', outcome: 'begun', actor: 'system', ...more })
const sealOf = (number: number, last_time = 1000) => ({
  realm,
  number,
  last_time,
  jws: `jws-${number}`,
  expired: false,
})
const placesOf = (rows: ReturnType<typeof row>[]) =>
  rows.map((each, index) => ({ row: each, audit_id: each.audit_id, place: index + 1, hash: hashOfRow(each) }))

function rules() {
  const fresh = () => {
    realms += 1
    realm = `realm-${realms}`
  }

  it('stores rows, and replaces them until they are sealed', async () => {
    fresh()
    const [a, b] = [row({ sub: 'ann', refs: ['7F3A-2C1D'], private: { address: '192.0.2.1' } }), row()]
    await store.put([a, b])
    expect(await store.page(realm, { limit: 10 })).toEqual([a, b])
    const done = { ...a, outcome: 'done' as const, client_id: 'app', count: 2 }
    await store.put([done])
    expect(await store.find(realm, a.audit_id)).toEqual(done)
    expect(await store.find('another', a.audit_id)).toBe(null)
    expect(await store.seal(sealOf(1), placesOf([done, b]))).toBe(true)
    await store.put([{ ...done, outcome: 'failed' }])
    expect(await store.find(realm, a.audit_id)).toMatchObject({ outcome: 'done', seal: 1, place: 1 })
  })

  it('lists the newest first, by each filter and all of them together', async () => {
    fresh()
    const a = row({ sub: 'ann', client_id: 'app', type: 'client.update', flow: 'f', refs: ['A', 'B'] })
    const b = row({ sub: 'ann', actor: 'cli:x@y', type: 'clients', time: 2000 })
    await store.put([a, b])
    const ids = async (filter: object) =>
      (await store.list(realm, { filter, limit: 10 })).map(({ audit_id }) => audit_id)
    expect(await ids({})).toEqual([b.audit_id, a.audit_id])
    for (const [filter, found] of [
      [{ sub: 'ann' }, [b, a]],
      [{ client_id: 'app' }, [a]],
      [{ actor: 'cli:x@y' }, [b]],
      [{ type: 'client.' }, [a]],
      [{ type: 'client' }, []],
      [{ type: 'clients' }, [b]],
      [{ flow: 'f' }, [a]],
      [{ reference: 'B' }, [a]],
      [{ reference: 'C' }, []],
      [{ since: 2000 }, [b]],
      [{ until: 2000 }, [a]],
      [
        { sub: 'ann', client_id: 'app', type: 'client.', since: 1, until: 2000, reference: 'A', flow: 'f' },
        [a],
      ],
    ] as const)
      expect(await ids(filter)).toEqual(found.map(({ audit_id }) => audit_id))
    expect(await store.list(realm, { filter: {}, before: b.audit_id, limit: 1 })).toEqual([a])
    expect(await store.page(realm, { after: a.audit_id, limit: 5 })).toEqual([b])
    expect(await store.page(realm, { until: b.audit_id, limit: 5 })).toEqual([a])
  })

  it('a seal marks its rows: all of them, once, and only as they were read', async () => {
    fresh()
    const [a, b, late] = [row(), row(), row({ time: 2000 })]
    await store.put([a, b, late])
    const open = await store.unsealed(realm, 2000, 10)
    expect(open).toEqual([a, b])
    expect(await store.unsealed(realm, 2000, 1)).toEqual([a])
    // Another server completes one of them meanwhile.
    const done = { ...b, outcome: 'done' as const }
    await store.put([done])
    expect(await store.seal(sealOf(1), placesOf([a, b]))).toBe(false)
    expect([await store.lastSeal(realm), await store.rowsOf(realm, 1)]).toEqual([null, []])
    expect(await store.seal(sealOf(1), placesOf([a, done]))).toBe(true)
    expect(await store.seal(sealOf(1), placesOf([late]))).toBe(false)
    expect(await store.seal(sealOf(2), placesOf([a]))).toBe(false)
    expect(await store.seal(sealOf(2), [])).toBe(true)
    expect(await store.unsealed(realm, 9999, 10)).toEqual([late])
    expect((await store.rowsOf(realm, 1)).map(({ audit_id }) => audit_id)).toEqual([a.audit_id, b.audit_id])
    expect(await store.lastSeal(realm)).toEqual(sealOf(2))
    expect(await store.seals(realm, { after: 1, limit: 5 })).toEqual([sealOf(2)])
  })

  it('names the realms that have rows without a seal, each once', async () => {
    fresh()
    const mine = realm
    const [a, b] = [row(), row()]
    await store.put([a, b])
    expect((await store.open()).filter((open) => open === mine)).toEqual([mine])
    await store.seal(sealOf(1), placesOf([a]))
    expect(await store.open()).toContain(mine)
    await store.seal(sealOf(2), placesOf([b]))
    expect(await store.open()).not.toContain(mine)
  })

  it('deletes whole seals whose newest row is older, and keeps the seals', async () => {
    fresh()
    const [old, young, open] = [row({ time: 10 }), row({ time: 20 }), row({ time: 20 })]
    await store.put([old, young, open])
    await store.seal(sealOf(1, 10), placesOf([old]))
    await store.seal(sealOf(2, 20), placesOf([young]))
    expect(await store.purge(20, 10)).toBe(1)
    expect((await store.page(realm, { limit: 9 })).map(({ time }) => time)).toEqual([20, 20])
    expect(await store.seals(realm, { after: 0, limit: 9 })).toEqual([
      { ...sealOf(1, 10), expired: true },
      sealOf(2, 20),
    ])
    // Of a realm that nobody seals any more.
    expect(await store.purge(21, 10)).toBe(2)
  })

  it('erases what a person can be found by, in all rows about the person', async () => {
    fresh()
    const hidden = { private: { address: '192.0.2.1' } }
    const [own, by, other] = [
      row({ sub: 'ann', ...hidden }),
      row({ sub: 'ann', type: 'session.started', ...hidden }),
      row({ sub: 'bob', ...hidden }),
    ]
    await store.put([own, by, other])
    expect(await store.erase(realm, 'ann')).toBe(2)
    expect(await store.erase(realm, 'ann')).toBe(0)
    const stored = await store.page(realm, { limit: 9 })
    expect(stored.map(({ private: part, salt }) => [part, salt])).toEqual([
      [null, null],
      [null, null],
      [other.private, other.salt],
    ])
    // A seal holds: its hash does not need what was erased.
    expect(stored.map((each) => hashOfRow(each))).toEqual([own, by, other].map((each) => hashOfRow(each)))
  })
}

describe('in memory', () => {
  beforeAll(() => {
    store = memoryAuditStore()
  })
  rules()

  it('it keeps the newest 10,000 rows', async () => {
    realm = 'full'
    const all = Array.from({ length: 10_001 }, () => row())
    await memoryAuditStore().put(all.slice(0, 10_000))
    const full = memoryAuditStore()
    await full.put(all)
    const kept = await full.page(realm, { limit: 20_000 })
    expect([kept.length, kept[0]?.audit_id]).toEqual([10_000, all[1]?.audit_id])
  })
})

describe('in PostgreSQL', () => {
  let database: Awaited<ReturnType<typeof newMigratedDatabase>>
  let executor: ReturnType<typeof postgresExecutor>
  beforeAll(async () => {
    database = await newMigratedDatabase()
    executor = postgresExecutor(database.url, UNLIMITED)
    store = databaseAuditStore(executor)
  })
  afterAll(async () => {
    await executor.close()
    await database.drop()
  })
  rules()
})
