/** Where the sinks of the audit are, in a divided database: beside the audit, in the home database. */

import { UNLIMITED } from '@ostiary/test-kit/database'
import { expect, it, onTestFinished } from 'vitest'
import { databaseAuditStore } from '../../audit/src/index.js'
import { databaseSinkStore } from '../../audit-sinks/src/index.js'
import { dividedDatabase } from './_divided.js'

const NOW = 1_764_000_000

it('a cursor is entered, found, leased and stored in the home database alone', async () => {
  const divided = await dividedDatabase()
  onTestFinished(() => divided.drop())
  const executor = divided.open(UNLIMITED)
  const store = databaseSinkStore(executor)
  await store.enter('sink', ['default', 'other'], NOW)
  const seal = { realm: 'default', number: 1, last_time: NOW, jws: 'jws', expired: false }
  await databaseAuditStore(executor).seal(seal, [])
  expect(await store.due('sink', NOW)).toEqual(['default'])
  const lease = { lease: 'one', leased_until: NOW + 60 }
  const cursor = await store.claim({ realm: 'default', sink: 'sink' }, lease, NOW)
  expect(cursor).toMatchObject({ seal: 1, place: 0 })
  if (cursor) expect(await store.save({ ...cursor, seal: 2 }, lease)).toBe(true)
  const found = divided.databases.map(({ executor: half }) =>
    half.query('select seal from oidc_audit_sinks order by realm'),
  )
  expect(await Promise.all(found)).toEqual([[{ seal: 2 }, { seal: 1 }], []])
})
