/** Deletions on a PostgreSQL with many rows, and beside transactions that are held open. */

import type { ConsentApproval } from '@ostiary/core'
import { clientRecord } from '@ostiary/test-kit/client-record'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { postgresStorage, postgresUsers } from '../src/index.js'
import { hashed } from './_full-tables.js'
import { executorIn, hold, storesIn, untilItWaits } from './_held.js'
import { migratedDatabase, type OwnDatabase } from './_setup.js'

const NOW = Math.floor(Date.now() / 1000)
const ROWS = 12_000

let database: OwnDatabase
let realms = 0
beforeAll(async () => {
  database = await migratedDatabase()
})
afterAll(() => database.drop())

function fresh() {
  realms += 1
  const realm = `realm-${realms}`
  return {
    realm,
    stores: postgresStorage(database.executor)(realm),
    users: postgresUsers(database.executor)(realm),
  }
}

describe('revokeOfClient and deleteOfClient', () => {
  it('read all records in steps: none is left out, also of a user with more of them than a step reads', async () => {
    const { realm, stores } = fresh()
    // Every third record is of the client; one user has 5,000.
    const rows = `from generate_series(1, ${ROWS}) as n`
    const sub = `case when n <= 5000 then 'many' else 'sub-' || n % 500 end`
    const client = `case when n % 3 = 0 then 'gone' else 'stays-' || n % 2 end`
    await database.executor.query(`
      insert into oidc_grants (realm, grant_id, client_id, sub, sid, offline, scopes, amr, created_at, expires_at, bucket)
      select '${realm}', 'g-' || n, ${client}, ${sub}, 's', true, '[]', '[]', ${NOW - 1}, ${NOW + 9}, ${hashed(sub)} ${rows}`)
    await database.executor.query(`
      insert into oidc_consents (realm, sub, client_id, resource, scopes, created_at, updated_at, bucket)
      select '${realm}', ${sub}, ${client}, 'r-' || n, '[]', ${NOW - 1}, ${NOW - 1}, ${hashed(sub)} ${rows}`)
    const sweep = { client_id: 'gone', before: NOW }
    const counts = { grants: 0, consents: 0, steps: 0 }
    for (const kind of ['grants', 'consents'] as const) {
      let after: string | null = null
      do {
        const step = after === null ? sweep : { ...sweep, after }
        const done: { count: number; next: string | null } =
          kind === 'grants'
            ? await stores.grants.revokeOfClient(step, NOW)
            : await stores.consents.deleteOfClient(step)
        counts[kind] += done.count
        counts.steps += 1
        after = done.next
      } while (after !== null)
    }
    expect(counts).toMatchObject({ grants: ROWS / 3, consents: ROWS / 3 })
    expect(counts.steps).toBeGreaterThan(6)
    const [left] = await database.executor.query<Record<string, number>>(`
      select
        (select count(*)::int from oidc_grants where realm = '${realm}' and revoked_at is null) as grants,
        (select count(*)::int from oidc_grants where realm = '${realm}' and client_id = 'gone' and revoked_at is null) as gone,
        (select count(*)::int from oidc_consents where realm = '${realm}') as consents`)
    expect(left).toEqual({ grants: (ROWS * 2) / 3, gone: 0, consents: (ROWS * 2) / 3 })
  })

  it('wait for no record of another client that a transaction holds', async () => {
    const { realm, stores } = fresh()
    const consent = (client_id: string): ConsentApproval => ({
      sub: 'ann',
      client_id,
      approved: [{ resource: 'r', scopes: ['a'] }],
    })
    await stores.consents.merge(consent('gone'), NOW - 1)
    await stores.consents.merge(consent('stays'), NOW - 1)
    const held = await hold(database.executor, (tx) =>
      storesIn(tx, realm).consents.merge(consent('stays'), NOW),
    )
    const sweep = { client_id: 'gone', before: NOW }
    expect(await stores.consents.deleteOfClient(sweep)).toEqual({ count: 1, next: null })
    await held.commit()
    expect(await stores.consents.list('ann')).toMatchObject([{ client_id: 'stays' }])
  })
})

describe('while another transaction is open', () => {
  const approval: ConsentApproval = {
    sub: 'ann',
    client_id: 'app',
    approved: [{ resource: 'r', scopes: ['a'] }],
  }

  it('consents.delete waits for a merge of the same row, and deletes it', async () => {
    const { realm, stores } = fresh()
    await stores.consents.merge(approval, NOW - 1)
    const held = await hold(database.executor, (tx) => storesIn(tx, realm).consents.merge(approval, NOW))
    const deletion = stores.consents.delete({ sub: 'ann' })
    expect(await untilItWaits(database.executor, deletion)).toBe(true)
    await held.commit()
    expect(await deletion).toBe(1)
    expect(await stores.consents.list('ann')).toEqual([])
  })

  it('a merge waits for consents.delete, and stores only the newly approved scopes', async () => {
    const { realm, stores } = fresh()
    await stores.consents.merge(approval, NOW - 1)
    const held = await hold(database.executor, (tx) => storesIn(tx, realm).consents.delete({ sub: 'ann' }))
    expect(held.result).toBe(1)
    const merge = stores.consents.merge({ ...approval, approved: [{ resource: 'r', scopes: ['b'] }] }, NOW)
    expect(await untilItWaits(database.executor, merge)).toBe(true)
    await held.commit()
    await merge
    expect(await stores.consents.list('ann')).toMatchObject([{ scopes: ['b'], revoked_at: null }])
  })

  it('a change of a user waits for the deletion, and changes nothing', async () => {
    const { realm, users } = fresh()
    const user = {
      sub: 'ann',
      username: 'ann',
      username_key: 'ann',
      password_hash: 'old',
      claims: {},
      attributes: null,
      groups: null,
      created_at: 1,
      updated_at: 1,
      disabled_at: null,
      credential_version: 0,
      second_step: false,
    }
    await users.create(user)
    const held = await hold(database.executor, (tx) => postgresUsers(executorIn(tx))(realm).delete('ann'))
    const update = users.update({ ...user, password_hash: 'new', updated_at: 2 }, 1)
    expect(await untilItWaits(database.executor, update)).toBe(true)
    await held.commit()
    expect([held.result, await update, await users.find('ann')]).toEqual([true, false, null])
  })

  it('an update of a client waits for its deletion, and changes nothing', async () => {
    const { realm, stores } = fresh()
    const record = clientRecord({ client_id: 'app' })
    await stores.clients.create(record)
    const tombstone = { ...record, client_name: '', revoked_at: NOW, expires_at: NOW + 9 }
    const held = await hold(database.executor, (tx) => storesIn(tx, realm).clients.delete(tombstone))
    const update = stores.clients.update({ ...record, trusted: true }, record)
    expect(await untilItWaits(database.executor, update)).toBe(true)
    await held.commit()
    expect([held.result, await update]).toEqual([true, false])
    expect(await stores.clients.find('app')).toEqual(tombstone)
  })
})
