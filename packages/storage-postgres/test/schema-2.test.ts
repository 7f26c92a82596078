/**
 * Servers of the version with schema 2 (`client-keys`) go on working on a database that was migrated to this version.
 * `_schema-2.json` has the statements of that version that differ from those of both others; two-releases.test.ts has the rest.
 */

import type { Client, Grant } from '@ostiary/core'
import { clientRecord } from '@ostiary/test-kit/client-record'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Param, postgresStorage } from '../src/index.js'
import { codeRecord, grantRecord, LATER, NOW, rotation } from './_grants.js'
import SCHEMA_2 from './_schema-2.json' with { type: 'json' }
import { migratedDatabase, type OwnDatabase } from './_setup.js'

const JKT = 'NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs'
const LATER_FIELDS = {
  id_token_signed_response_alg: 'ES256',
  dpop_bound_access_tokens: true,
  require_pushed_authorization_requests: false,
  refresh_token_grace: 30,
  verification_uri_complete: true,
} as const
const NO_LATER_FIELDS = {
  id_token_signed_response_alg: null,
  dpop_bound_access_tokens: null,
  require_pushed_authorization_requests: null,
  refresh_token_grace: null,
  verification_uri_complete: null,
}

function knownClient({ origin, ...client }: Client): Record<string, unknown> {
  const known = Object.entries(client).filter(([name]) => !Object.hasOwn(LATER_FIELDS, name))
  return { ...Object.fromEntries(known), self_registered: origin === 'registered' }
}

const knownGrant = ({ jkt, ...known }: Grant): Omit<Grant, 'jkt'> => known

describe('servers of schema 2 on the database of this version', () => {
  let database: OwnDatabase
  beforeAll(async () => {
    database = await migratedDatabase()
  })
  afterAll(() => database.drop())

  const query = (operation: keyof typeof SCHEMA_2, params: readonly Param[], variant = 0) =>
    database.executor.query<Record<string, unknown>>(SCHEMA_2[operation][variant] ?? '', params)

  it.each(Object.entries(SCHEMA_2))('the database understands their %s', async (_, texts) => {
    for (const text of texts) {
      await database.executor.transaction(async (tx) => {
        await tx.query(`prepare previous as ${text}`)
        await tx.query('deallocate previous')
      })
    }
  })

  it('they change a client, which keeps the fields that they do not know; and make one without them', async () => {
    const { clients } = postgresStorage(database.executor)('clients')
    const client = clientRecord({ ...LATER_FIELDS, origin: 'registered' })
    await clients.create(client)
    expect(await query('clients.find', ['clients', 'app'])).toEqual([knownClient(client)])
    const renamed = JSON.stringify({ ...knownClient(client), client_name: 'Renamed' })
    const params = ['clients', 'app', renamed, JSON.stringify(knownClient(client))]
    expect(await query('clients.update', params, 1)).toHaveLength(1)
    expect(await clients.find('app')).toEqual({ ...client, client_name: 'Renamed' })
    const other = clientRecord({ client_id: 'other', ...NO_LATER_FIELDS })
    await query('clients.create', ['clients', JSON.stringify(knownClient(other))])
    expect(await clients.find('other')).toEqual(other)
    expect(await clients.update({ ...other, ...LATER_FIELDS }, other)).toBe(true)
  })

  it('they redeem a code: the grant has the method of its client, and no key', async () => {
    const { grants } = postgresStorage(database.executor)('grants')
    const { refresh_token } = rotation('one', 'token')
    const stored = JSON.stringify([refresh_token])
    await grants.create(grantRecord('one'), { ...codeRecord('code', 'one'), dpop_jkt: JKT })
    expect(await query('grants.redeemCode', ['grants', 'code', NOW, LATER, stored, 'none'])).toHaveLength(1)
    expect(await grants.findRefreshToken('token')).toMatchObject({
      grant: { client_auth: 'none', jkt: null },
    })
    expect(await grants.redeemCode('code', rotation('one', 'again'), NOW)).toBe(false)
  })

  it('a grant of theirs is bound when this version redeems its code, and they still read it', async () => {
    const { grants } = postgresStorage(database.executor)('bound')
    const { dpop_jkt: _, ...code } = codeRecord('code', 'two')
    await query('grants.create', [
      'bound',
      JSON.stringify(knownGrant(grantRecord('two'))),
      JSON.stringify(code),
    ])
    expect(await grants.findCode('code')).toEqual({
      code: codeRecord('code', 'two'),
      grant: grantRecord('two'),
    })
    expect(await grants.redeemCode('code', { ...rotation('two', 'token'), jkt: JKT }, NOW)).toBe(true)
    expect(await grants.find('two')).toMatchObject({ jkt: JKT, client_auth: 'none' })
    const [found] = await query('grants.find', ['bound', 'two'])
    expect(found).toEqual(knownGrant({ ...grantRecord('two'), client_auth: 'none' }))
  })
})
