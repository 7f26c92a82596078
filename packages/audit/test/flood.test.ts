/** An hour of refusals: the rows stay within their bounds, and each refusal is counted. */

import { expect, it } from 'vitest'
import { type AuditRow, type AuditStore, memoryAuditStore } from '../src/index.ts'
import { auditPlace, NOW, privateOf } from './_place.ts'

const MINUTES = 60
const ADDRESSES = 12
/** Of each address in a minute: more than its rows, and more than those of the realm together. */
const REFUSALS = 70

/** A store that has every row, by its id: the one in memory has only the newest ones. */
function everyRow() {
  const rows = new Map<string, AuditRow>()
  const store: AuditStore = {
    ...memoryAuditStore(),
    async put(added) {
      for (const row of added) rows.set(row.audit_id, row)
    },
  }
  return { store, rows }
}

const refusal = (n: number, address: string) => ({
  type: 'login.refused',
  reason: 'unknown_user',
  client_id: `app-${n}`,
  address,
  request_id: `${address}-${n}`,
})

function grouped<Key>(rows: readonly AuditRow[], keyOf: (row: AuditRow) => Key): Map<Key, AuditRow[]> {
  const groups = new Map<Key, AuditRow[]>()
  for (const row of rows) groups.set(keyOf(row), [...(groups.get(keyOf(row)) ?? []), row])
  return groups
}

it('an hour of refusals from many addresses adds 60 rows a minute and address, 600 a minute and realm, and loses none', async () => {
  const { store, rows } = everyRow()
  const { emit, at, audit } = auditPlace({ store })
  for (let minute = 0; minute < MINUTES; minute++) {
    at(minute * 60)
    for (let n = 0; n < REFUSALS; n++)
      for (let from = 0; from < ADDRESSES; from++) emit(refusal(n, `192.0.2.${from}`))
    await audit.flush()
  }
  await audit.stop()
  const stored = [...rows.values()]
  const of_minute = grouped(stored, ({ time }) => (time - NOW) / 60)
  expect(of_minute.size).toBe(MINUTES)
  for (const [, of] of of_minute) {
    const [dropped, refused] = [true, false].map((is) =>
      of.filter(({ type }) => (type === 'audit.dropped') === is),
    )
    expect([dropped?.length, refused?.length]).toEqual([1, 600])
    const of_address = grouped(refused ?? [], (row) => `${privateOf(row).address}`)
    expect(Math.max(...[...of_address.values()].map(({ length }) => length))).toBeLessThanOrEqual(60)
  }
  const counted = stored.reduce((sum, { count }) => sum + count, 0)
  expect(counted).toBe(MINUTES * ADDRESSES * REFUSALS)
})

it('one address has 60 rows of each minute of the hour, and the rest is counted', async () => {
  const { store, rows } = everyRow()
  const { emit, at, audit } = auditPlace({ store })
  for (let minute = 0; minute < MINUTES; minute++) {
    at(minute * 60)
    for (let n = 0; n < REFUSALS; n++) emit(refusal(n, '192.0.2.1'))
  }
  await audit.stop()
  const stored = [...rows.values()]
  expect(stored.filter(({ type }) => type === 'login.refused')).toHaveLength(60 * MINUTES)
  expect(stored.reduce((sum, { count }) => sum + count, 0)).toBe(MINUTES * REFUSALS)
})

it('while the database does not answer for the hour, 10,000 rows wait, and each refusal is counted', async () => {
  const { store, rows } = everyRow()
  const statements: number[] = []
  const broken = { is: true }
  const breaking: AuditStore = {
    ...store,
    async put(added) {
      if (broken.is && added.length > 0) throw new Error('no database')
      statements.push(added.length)
      await store.put(added)
    },
  }
  const { emit, at, audit } = auditPlace({ store: breaking })
  for (let minute = 0; minute < MINUTES; minute++) {
    at(minute * 60)
    for (let n = 0; n < REFUSALS; n++)
      for (let from = 0; from < ADDRESSES; from++) emit(refusal(n, `192.0.2.${from}`))
    await audit.flush()
  }
  broken.is = false
  await audit.stop()
  const stored = [...rows.values()]
  const refused = stored.filter(({ type }) => type === 'login.refused')
  expect(refused).toHaveLength(10_000)
  expect(Math.max(...statements)).toBeLessThanOrEqual(200)
  const counted = stored.reduce((sum, { count }) => sum + count, 0)
  expect(counted).toBe(MINUTES * ADDRESSES * REFUSALS)
})
