/** What is done to rows and seals behind the back of the server is named. */

import { postgresExecutor } from '@ostiary/storage-postgres'
import { UNLIMITED } from '@ostiary/test-kit/database'
import { newMigratedDatabase } from '@ostiary/test-kit/migrated-database'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type AuditFinding, verifyAudit } from '../../admin-commands/src/audit/verify.ts'
import { type AuditStore, createAudit, databaseAuditStore } from '../src/index.ts'
import { newRow } from '../src/row.ts'
import { sealRows } from '../src/seals.ts'
import { auditPlace, NOW, REALM } from './_place.ts'

let database: Awaited<ReturnType<typeof newMigratedDatabase>>
let executor: ReturnType<typeof postgresExecutor>
let store: AuditStore
let place: ReturnType<typeof auditPlace>
const sql = (text: string, params: (string | number)[] = []) =>
  executor.query<{ audit_id: string }>(text, params)

beforeAll(async () => {
  database = await newMigratedDatabase()
  executor = postgresExecutor(database.url, UNLIMITED)
})
afterAll(async () => {
  await executor.close()
  await database.drop()
})
beforeEach(async () => {
  await sql('truncate oidc_audit, oidc_audit_seals')
  store = databaseAuditStore(executor)
  // Its own rows, such as that of its first key, are in memory.
  place = auditPlace()
})

const rowAt = (time: number) =>
  newRow({
    realm: REALM,
    time,
    type: 'consent.denied',
    outcome: 'done',
    actor: 'sub:ann-1',
    sub: 'ann-1',
    private: { address: '192.0.2.7' },
  })

const sealAt = async (now: number) => sealRows({ store, realm: REALM, now, keys: () => place.keysOf(REALM) })

/** Three minutes, each with a seal over four rows. @returns The ids of the rows. */
async function sealed(): Promise<string[]> {
  const ids: string[] = []
  for (const minute of [0, 1, 2]) {
    const rows = Array.from({ length: 4 }, (_, n) => rowAt(NOW + minute * 60 + n))
    await store.put(rows)
    ids.push(...rows.map(({ audit_id }) => audit_id))
    await sealAt(NOW + minute * 60 + 180)
  }
  return ids
}

async function jwks() {
  const url = 'https://id.example.com/oauth/jwks.json'
  return (await place.bare.handle('oidc.jwks', new Request(url), { realm: REALM })).json()
}

const verify = async (more: object = {}) =>
  verifyAudit({ store, realm: REALM, now: NOW + 400, keep_days: 365, jwks: await jwks(), ...more })

const foundBy = async (more?: object): Promise<Partial<AuditFinding>[]> =>
  (await verify(more)).findings.map(({ kind, seal, audit_id }) => ({ kind, seal, audit_id }))

it('rows and seals that nobody has touched have no findings', async () => {
  await sealed()
  expect(await verify()).toEqual({ seals: 3, rows: 12, expired: 0, findings: [] })
  expect((await store.seals(REALM, { after: 0, limit: 9 })).map(({ number }) => number)).toEqual([1, 2, 3])
})

it('a seal is over rows that are older than two minutes: the others wait', async () => {
  await store.put([rowAt(NOW), rowAt(NOW + 1)])
  await sealAt(NOW + 120)
  expect(await store.lastSeal(REALM)).toBe(null)
  await sealAt(NOW + 121)
  expect((await store.rowsOf(REALM, 1)).map(({ time }) => time)).toEqual([NOW])
})

it('a seal has at most 1,000 rows, and a round makes as many seals as are needed', async () => {
  await store.put(Array.from({ length: 1001 }, () => rowAt(NOW)))
  await sealAt(NOW + 180)
  expect((await store.rowsOf(REALM, 1)).length).toBe(1000)
  expect((await store.rowsOf(REALM, 2)).length).toBe(1)
})

it('a row that another server commits late goes into the next seal', async () => {
  const late = rowAt(NOW)
  await store.put([rowAt(NOW), rowAt(NOW)])
  await sealAt(NOW + 180)
  await store.put([late])
  await sealAt(NOW + 240)
  expect((await store.rowsOf(REALM, 2)).map(({ audit_id }) => audit_id)).toEqual([late.audit_id])
  expect(await foundBy()).toEqual([])
})

it('of two servers that seal at once, one makes the seal', async () => {
  await store.put([rowAt(NOW), rowAt(NOW)])
  await Promise.all([sealAt(NOW + 180), sealAt(NOW + 180)])
  expect(await store.seals(REALM, { after: 0, limit: 9 })).toHaveLength(1)
  expect(await foundBy()).toEqual([])
})

it.each<[string, string, AuditFinding['kind']]>([
  ['its data', `data = '{"a":1}'`, 'changed'],
  ['its outcome', `outcome = 'failed'`, 'changed'],
  ['its actor', `actor = 'system'`, 'changed'],
  ['its user', `sub = 'bob'`, 'changed'],
  ['its time', 'time = time + 1', 'changed'],
  ['its number', 'count = 2', 'changed'],
  ['its address', `private = '{"address":"198.51.100.1"}'`, 'changed'],
  ['its hash', `hash = 'x'`, 'changed'],
])('a row with another value of %s', async (_, change, kind) => {
  const ids = await sealed()
  await sql(`update oidc_audit set ${change} where audit_id = $1`, [ids[5] ?? ''])
  expect(await foundBy()).toEqual([{ kind, seal: 2, audit_id: ids[5] }])
})

it('a row that was removed: in the middle, at the beginning and at the end of a seal', async () => {
  const ids = await sealed()
  await sql('delete from oidc_audit where audit_id in ($1, $2, $3)', [
    ids[1] ?? '',
    ids[4] ?? '',
    ids[11] ?? '',
  ])
  const { findings } = await verify()
  expect(findings.map(({ kind, seal, audit_id }) => [kind, seal, audit_id])).toEqual([
    ['removed', 1, ids[0]],
    ['removed', 2, null],
    ['removed', 3, ids[10]],
  ])
  expect(findings[0]?.message).toBe(`row 2 of seal 1, between ${ids[0]} and ${ids[2]}, was removed`)
})

it('a row that was inserted into a seal, or later with an old time', async () => {
  await sealed()
  const added = rowAt(NOW + 61)
  await store.put([added])
  await sql('update oidc_audit set seal = 2, place = 2, hash = $2 where audit_id = $1', [added.audit_id, 'x'])
  expect(await foundBy()).toEqual([{ kind: 'inserted', seal: 2, audit_id: expect.any(String) }])
  await sql('delete from oidc_audit where audit_id = $1', [added.audit_id])
  const old = rowAt(NOW - 3600)
  await store.put([old])
  await sealAt(NOW + 360)
  expect(await foundBy()).toEqual([{ kind: 'inserted', seal: 4, audit_id: old.audit_id }])
})

it('two rows that have changed places', async () => {
  const ids = await sealed()
  const [a = '', b = ''] = [ids[5], ids[6]]
  await sql('update oidc_audit set place = 5 - place where audit_id in ($1, $2)', [a, b])
  expect(await foundBy()).toEqual([{ kind: 'reordered', seal: 2, audit_id: a }])
})

it('rows that were changed with their hashes and places: the seal is named', async () => {
  const ids = await sealed()
  const row = await store.find(REALM, ids[5] ?? '')
  const { hashOfRow } = await import('../src/row.ts')
  const forged = { ...newRow({ ...rowAt(NOW), data: {}, private: {} }), ...row, actor: 'system' }
  await sql(`update oidc_audit set actor = 'system', hash = $2 where audit_id = $1`, [
    ids[5] ?? '',
    hashOfRow(forged),
  ])
  expect(await foundBy()).toEqual([{ kind: 'changed', seal: 2, audit_id: ids[4] }])
})

it('a seal that was removed: with the marks of its rows, in the middle, or the newest one', async () => {
  const ids = await sealed()
  await sql('delete from oidc_audit_seals where number = 2')
  expect((await foundBy())[0]).toEqual({ kind: 'seal', seal: 2, audit_id: null })
  await sql('delete from oidc_audit_seals where number = 3')
  expect(await foundBy()).toEqual([{ kind: 'seal', seal: 2, audit_id: null }])
  // Without the marks, the rows have no seal, and another one would be made: who has kept seals elsewhere sees it.
  await sql('update oidc_audit set seal = null, place = null, hash = null where seal > 1')
  expect(await foundBy()).toEqual([])
  expect(await foundBy({ now: NOW + 7200 })).toEqual([{ kind: 'unsealed', seal: null, audit_id: ids[4] }])
  expect(await foundBy({ kept: new Map([[3, 'kept']]) })).toEqual([{ kind: 'seal', seal: 2, audit_id: null }])
})

it('a seal that was made anew differs from the one that was kept elsewhere', async () => {
  await sealed()
  const kept = new Map(
    (await store.seals(REALM, { after: 0, limit: 9 })).map(({ number, jws }) => [number, jws]),
  )
  expect(await foundBy({ kept })).toEqual([])
  kept.set(2, 'another')
  expect(await foundBy({ kept })).toEqual([{ kind: 'seal', seal: 2, audit_id: null }])
})

it('a seal whose text was changed, and seals that another key has signed', async () => {
  await sealed()
  const [first] = await store.seals(REALM, { after: 0, limit: 1 })
  const [head = '', payload = '', signature = ''] = (first?.jws ?? '').split('.')
  const decoded = JSON.parse(Buffer.from(payload, 'base64url').toString())
  decoded.statement.sealed_at += 1
  const changed = Buffer.from(JSON.stringify(decoded)).toString('base64url')
  await sql('update oidc_audit_seals set jws = $1 where number = 1', [`${head}.${changed}.${signature}`])
  expect(await foundBy()).toContainEqual({ kind: 'seal', seal: 2, audit_id: null })
  await sql('update oidc_audit_seals set jws = $1 where number = 1', [first?.jws ?? ''])
  expect(await foundBy({ jwks: { keys: [] } })).toEqual([{ kind: 'seal', seal: 3, audit_id: null }])
})

it('when the key of the newest seal is gone, the next round adds a seal over no rows with a key of today', async () => {
  await sealed()
  const { keys } = await place.bare.manage(REALM)
  const [old] = await keys.list()
  await keys.revoke(old?.kid ?? '')
  expect(await foundBy()).toEqual([{ kind: 'seal', seal: 3, audit_id: null }])
  await sealAt(NOW + 360)
  await sealAt(NOW + 420)
  expect(await verify()).toMatchObject({ seals: 4, findings: [] })
})

it('an erased address leaves the seal as it is', async () => {
  await sealed()
  expect(await store.erase(REALM, 'ann-1')).toBe(12)
  expect(await foundBy()).toEqual([])
})

it('rows that are deleted by their age are no finding; a seal that only says so is one', async () => {
  await sealed()
  await store.purge(NOW + 30, 10)
  expect(await verify({ now: NOW + 365 * 86_400 + 3600 })).toMatchObject({
    seals: 3,
    rows: 8,
    expired: 1,
    findings: [],
  })
  expect(await foundBy()).toEqual([{ kind: 'removed', seal: 1, audit_id: null }])
})

it('a change that is begun and never completed is sealed as begun, also when its end comes later', async () => {
  const begun = { ...rowAt(NOW), outcome: 'begun' as const }
  await store.put([begun])
  await sealAt(NOW + 180)
  await store.put([{ ...begun, outcome: 'done' }])
  expect(await store.find(REALM, begun.audit_id)).toMatchObject({ outcome: 'begun' })
  expect(await foundBy()).toEqual([])
})

it('a row is late 15 minutes after the seal before it', async () => {
  await sealed()
  const rows = [rowAt(NOW + 300 - 900), rowAt(NOW + 300 - 901)]
  await store.put(rows.slice(0, 1))
  await sealAt(NOW + 360)
  expect(await foundBy()).toEqual([])
  await store.put(rows.slice(1))
  await sealAt(NOW + 360)
  expect(await foundBy({ now: NOW + 400 })).toEqual([
    { kind: 'inserted', seal: 5, audit_id: rows[1]?.audit_id },
  ])
})

it('a report has the first 100 findings', async () => {
  for (let n = 0; n < 101; n++) {
    await store.put([rowAt(NOW)])
    await sealAt(NOW + 180)
  }
  await sql("update oidc_audit set actor = 'system'")
  const { findings, seals } = await verify()
  expect([findings.length, seals]).toEqual([100, 101])
})

it('a round deletes the rows of 50 seals', async () => {
  for (let n = 1; n <= 51; n++) {
    const row = rowAt(NOW)
    await store.put([row])
    const seal = { realm: REALM, number: n, last_time: NOW, jws: 'jws', expired: false }
    await store.seal(seal, [{ row, audit_id: row.audit_id, place: 1, hash: '' }])
  }
  const audit = createAudit({ store, now: () => NOW + 366 * 86_400 })
  await audit.tick([], place.keysOf)
  expect(await store.page(REALM, { limit: 99 })).toHaveLength(1)
})

it('once a minute, the rows of each realm are sealed and the old ones are deleted', async () => {
  const { at, keysOf, clock } = place
  const audit = createAudit({ store, now: clock })
  await store.put([rowAt(NOW), { ...rowAt(NOW - 366 * 86_400), realm: 'gone' }])
  at(180)
  await audit.tick([REALM], keysOf)
  expect(await store.lastSeal(REALM)).toMatchObject({ number: 1 })
  expect(await store.page('gone', { limit: 1 })).toEqual([])
  await store.put([rowAt(NOW)])
  at(239)
  await audit.tick([REALM], keysOf)
  expect(await store.lastSeal(REALM)).toMatchObject({ number: 1 })
  at(240)
  await audit.tick([REALM], keysOf)
  expect(await store.lastSeal(REALM)).toMatchObject({ number: 2 })
})

it('a realm whose keys are not there stops no other, and the round says so', async () => {
  const { at, keysOf, clock } = place
  const audit = createAudit({ store, now: clock })
  await store.put([
    { ...rowAt(NOW), realm: 'broken' },
    rowAt(NOW),
    { ...rowAt(NOW - 366 * 86_400), realm: 'gone' },
  ])
  at(180)
  const broken = new Error('the settings of this realm are not valid')
  const keys = async (realm: string) => {
    if (realm === 'broken') throw broken
    return keysOf(realm)
  }
  await expect(audit.tick(['broken', REALM], keys)).rejects.toBe(broken)
  expect(await store.lastSeal(REALM)).toMatchObject({ number: 1 })
  expect(await store.lastSeal('broken')).toBeNull()
  expect(await store.page('gone', { limit: 1 })).toEqual([])
})

it('a store that fails ends the round', async () => {
  const { at, keysOf, clock } = place
  const asked: string[] = []
  const failing: AuditStore = {
    ...store,
    async lastSeal(realm) {
      asked.push(realm)
      throw new Error('the database is away')
    },
  }
  const audit = createAudit({ store: failing, now: clock })
  at(180)
  await expect(audit.tick(['one', REALM], keysOf)).rejects.toThrow('away')
  expect(asked).toEqual(['one'])
})

it('of more than 500 realms, a round asks those with rows to seal, and 500 others in turn', async () => {
  const { at, keysOf, clock } = place
  const asked: string[] = []
  const counting: AuditStore = {
    ...store,
    async lastSeal(realm) {
      asked.push(realm)
      return store.lastSeal(realm)
    },
  }
  const audit = createAudit({ store: counting, now: clock })
  const realms = Array.from({ length: 1200 }, (_, n) => `r-${n}`)
  const round = async (seconds: number) => {
    asked.length = 0
    at(seconds)
    await audit.tick(realms, () => keysOf(REALM))
    return new Set(asked)
  }
  await store.put([{ ...rowAt(NOW), realm: 'r-1100' }])
  expect([...(await round(180))].sort()).toEqual([...realms.slice(0, 500), 'r-1100'].sort())
  expect(await store.lastSeal('r-1100')).toMatchObject({ number: 1 })
  expect([...(await round(240))]).toEqual(realms.slice(500, 1000))
  expect([...(await round(300))].sort()).toEqual([...realms.slice(1000), ...realms.slice(0, 300)].sort())
  const few = realms.slice(0, 500)
  asked.length = 0
  at(360)
  await audit.tick(few, () => keysOf(REALM))
  expect(asked).toEqual(few)
})
