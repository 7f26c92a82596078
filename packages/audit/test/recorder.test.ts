import { eventually } from '@ostiary/test-kit/eventually'
import { expect, it } from 'vitest'
import { type AuditStore, memoryAuditStore } from '../src/index.ts'
import { auditPlace } from './_place.ts'

const DENIED = { type: 'consent.denied', client_id: 'app', sub: 'ann-1' }

/** A store that fails while `broken.is` is true, and the numbers of rows of its statements. */
function breakable() {
  const store = memoryAuditStore()
  const broken = { is: false }
  const statements: number[] = []
  const breaking: AuditStore = {
    ...store,
    async put(rows) {
      if (broken.is) throw new Error('no database')
      if (rows.length > 0) statements.push(rows.length)
      await store.put(rows)
    },
  }
  return { store: breaking, broken, statements }
}

it('rows are written within a second, without anybody asking', async () => {
  const { emit, store } = auditPlace()
  emit(DENIED)
  await eventually(async () => expect(await store.page('default', { limit: 10 })).toHaveLength(1))
})

it('at most 200 rows are one statement', async () => {
  const { store, statements } = breakable()
  const { emit, audit } = auditPlace({ store })
  for (let n = 0; n < 450; n++) emit(DENIED)
  await audit.flush()
  expect(statements).toEqual([200, 200, 50])
})

it('while the database does not answer, 10,000 rows wait; more are counted, in a row', async () => {
  const { store, broken } = breakable()
  const failures: unknown[] = []
  const { emit, rows } = auditPlace({ store, failed: (error) => failures.push(error) })
  broken.is = true
  for (let n = 0; n < 10_002; n++) emit({ ...DENIED, client_id: `app-${n}` })
  await rows()
  await rows()
  // Once for each outage.
  expect(failures).toHaveLength(1)
  broken.is = false
  const written = new Set((await rows()).map(({ client_id }) => client_id))
  // The memory store has the newest 10,000.
  expect(written).not.toContain('app-10000')
  expect(written).toContain('app-9999')
  expect((await rows()).find(({ type }) => type === 'audit.dropped')?.count).toBe(2)
})

it('a row is before a change that was made after it, also when the change is written first', async () => {
  const { emit, audit, rows } = auditPlace()
  emit(DENIED)
  await audit.change({ realm: 'default', type: 'realm.import' }, async () => true)
  expect((await rows()).map(({ type }) => type)).toEqual(['consent.denied', 'realm.import'])
})

it('a stop writes what waits', async () => {
  const { emit, audit, store } = auditPlace()
  emit(DENIED)
  await audit.stop()
  expect(await store.page('default', { limit: 10 })).toHaveLength(1)
})
