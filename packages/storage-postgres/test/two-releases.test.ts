/**
 * Servers of the release before go on working on a database that was migrated to this release, beside servers of this one.
 * `_previous-release.json` has the statements of that release: what `statements()` of its own _statements.ts returned. A
 * release replaces the file by its statements before it adds a migration.
 */

import { type Client, type Grant, isTombstone, type RealmStorage, type SigningKey } from '@ostiary/core'
import { clientRecord } from '@ostiary/test-kit/client-record'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Param, postgresStorage, type Queries } from '../src/index.js'
import { codeRecord, grantRecord, LATER, NOW, rotation } from './_grants.js'
import { hold, storesIn, untilItWaits } from './_held.js'
import PREVIOUS from './_previous-release.json' with { type: 'json' }
import { migratedDatabase, type OwnDatabase } from './_setup.js'

const JKT = 'NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs'
const EC_JWK = { kty: 'EC', crv: 'P-256', x: 'x', y: 'y' } as const
const keyRecord = (kid: string, alg: 'RS256' | 'ES256' = 'RS256'): SigningKey => ({
  kid,
  alg,
  public_jwk: alg === 'RS256' ? { kty: 'RSA', n: 'n', e: 'AQAB' } : EC_JWK,
  sealed_private_key: 's',
  signs_from: NOW + kid.length,
  created_at: NOW,
})

type Operation = keyof typeof PREVIOUS
/** A row as the release before knows it. */
type PreviousRow = Record<string, unknown>

const KEYS = {
  token_endpoint_auth_signing_alg: 'ES256',
  jwks: { keys: [{ kty: 'EC', crv: 'P-256', kid: 'one' }] },
  jwks_uri: null,
}
/** The fields of a client that only this release knows. */
const LATER_FIELDS = {
  id_token_signed_response_alg: 'ES256',
  dpop_bound_access_tokens: true,
  require_pushed_authorization_requests: false,
  refresh_token_grace: 30,
  verification_uri_complete: true,
} as const
const NO_KEYS = { token_endpoint_auth_signing_alg: null, jwks: null, jwks_uri: null }

/** Runs statements of the release before; `$1` is the realm. */
function previousRelease(db: Queries, realm: string) {
  const query = (operation: Operation, params: readonly Param[], variant = 0): Promise<PreviousRow[]> =>
    db.query(PREVIOUS[operation][variant] ?? '', [realm, ...params])
  return {
    query,
    async client(client_id: string): Promise<PreviousRow | undefined> {
      return (await query('clients.find', [client_id]))[0]
    },
    async grant(grant_id: string): Promise<PreviousRow | undefined> {
      return (await query('grants.find', [grant_id]))[0]
    },
    /** With a variant for `expected`. */
    async update(next: PreviousRow, expected?: PreviousRow): Promise<boolean> {
      const params = [String(next.client_id), JSON.stringify(next)]
      const rows =
        expected === undefined
          ? await query('clients.update', params)
          : await query('clients.update', [...params, JSON.stringify(expected)], 1)
      return rows.length > 0
    },
    async spend(operation: Operation, hash: string, token_hash: string): Promise<boolean> {
      const { refresh_token, grant_expires_at } = rotation('grant', token_hash, LATER + 9)
      return (
        (await query(operation, [hash, NOW, grant_expires_at, JSON.stringify([refresh_token])])).length > 0
      )
    },
  }
}

/** What the release before stores: it does not know the later fields. */
function previousClient({ origin, ...client }: Client): PreviousRow {
  const { jwks, jwks_uri, token_endpoint_auth_signing_alg, ...withoutKeys } = client
  const {
    id_token_signed_response_alg,
    dpop_bound_access_tokens,
    require_pushed_authorization_requests,
    refresh_token_grace,
    verification_uri_complete,
    ...known
  } = withoutKeys
  return { ...known, self_registered: origin === 'registered' }
}

function previousGrant({ client_auth, jkt, ...known }: Grant): PreviousRow {
  return known
}

describe('two releases on one database', () => {
  let database: OwnDatabase
  let realms = 0
  beforeAll(async () => {
    database = await migratedDatabase()
  })
  afterAll(() => database.drop())

  const both = () => {
    realms += 1
    const realm = `realm-${realms}`
    const now: RealmStorage = postgresStorage(database.executor)(realm)
    return { realm, now, before: previousRelease(database.executor, realm) }
  }

  it.each(Object.entries(PREVIOUS))('the database understands %s of the release before', async (_, texts) => {
    for (const text of texts) {
      await database.executor.transaction(async (tx) => {
        await tx.query(`prepare previous as ${text}`)
        await tx.query('deallocate previous')
      })
    }
  })

  it('the release before reads and changes a client of this one, which keeps its keys and its later fields', async () => {
    const { now, before } = both()
    const registered = { origin: 'registered', expires_at: LATER, client_secret_hash: 'a' } as const
    const client = clientRecord({ ...KEYS, ...LATER_FIELDS, ...registered })
    await now.clients.create(client)
    expect(await before.client('app')).toEqual(previousClient(client))
    const renamed = { ...previousClient(client), client_name: 'Renamed' }
    expect(await before.update(renamed, previousClient(client))).toBe(true)
    expect(await before.update(renamed, previousClient(client))).toBe(false)
    await before.query('clients.setSecret', ['app', 'b'])
    await before.query('clients.keep', ['app'])
    const changed = { ...client, client_name: 'Renamed', client_secret_hash: 'b', expires_at: null }
    expect(await now.clients.find('app')).toEqual(changed)
    expect(await now.clients.list({ limit: 9 })).toEqual([changed])
    expect(await before.query('clients.list', [9])).toEqual([previousClient(changed)])
  })

  it('new keys and a change by the release before do not undo each other', async () => {
    const { now, before } = both()
    const client = clientRecord(KEYS)
    const rotated = { ...client, jwks: { keys: [{ kty: 'EC', crv: 'P-256', kid: 'two' }] } }
    await now.clients.create(client)
    expect(await now.clients.update(rotated, client)).toBe(true)
    expect(await before.update({ ...previousClient(client), trusted: true }, previousClient(client))).toBe(
      true,
    )
    expect(await now.clients.find('app')).toEqual({ ...rotated, trusted: true })
    expect(await now.clients.update(client, rotated)).toBe(false)
  })

  it('this release reads, changes and deletes a client of the one before', async () => {
    const { now, before } = both()
    for (const origin of ['operator', 'registered'] as const) {
      const client = clientRecord({ client_id: origin, origin, ...NO_KEYS })
      await before.query('clients.create', [JSON.stringify(previousClient(client))])
      expect(await now.clients.find(origin)).toEqual(client)
      expect(await now.clients.update({ ...client, ...KEYS, ...LATER_FIELDS }, client)).toBe(true)
      expect(await before.client(origin)).toEqual(previousClient(client))
      expect(await now.clients.revoke(origin, NOW)).toBe(true)
    }
    const tombstone = clientRecord({ client_id: 'operator', revoked_at: NOW, expires_at: NOW })
    expect(await now.clients.delete(tombstone)).toBe(true)
    expect(await before.query('clients.deleted', [NOW, 9])).toEqual([previousClient(tombstone)])
  })

  it('a client that the release before has deleted is deleted for this one', async () => {
    const { now, before } = both()
    await now.clients.create(clientRecord(KEYS))
    const tombstone = previousClient(clientRecord({ revoked_at: NOW, expires_at: NOW }))
    await before.query('clients.delete', ['app', JSON.stringify(tombstone)])
    const found = await now.clients.find('app')
    expect(found && isTombstone(found)).toBe(true)
    expect(await now.clients.list({ limit: 9 })).toEqual([])
    await now.clients.forget('app', NOW)
    expect(await now.clients.find('app')).toBeNull()
  })

  it('a grant of the release before: its method is unknown until this one redeems the code', async () => {
    const { now, before } = both()
    const grant = grantRecord('grant')
    const create = (name: string) =>
      before.query('grants.create', [
        JSON.stringify(previousGrant({ ...grant, grant_id: name })),
        JSON.stringify(codeRecord(`${name}-code`, name)),
      ])
    await create('grant')
    expect(await now.grants.find('grant')).toEqual(grant)
    expect(await before.spend('grants.redeemCode', 'grant-code', 'first')).toBe(true)
    expect(await now.grants.findRefreshToken('first')).toMatchObject({
      grant: { client_auth: null, expires_at: LATER + 9 },
    })
    await create('other')
    const redemption = { ...rotation('other', 'second'), client_auth: 'private_key_jwt' as const, jkt: JKT }
    expect(await now.grants.findCode('other-code')).toMatchObject({ code: { dpop_jkt: null } })
    expect(await now.grants.redeemCode('other-code', redemption, NOW)).toBe(true)
    expect(await now.grants.find('other')).toMatchObject({ client_auth: 'private_key_jwt', jkt: JKT })
  })

  it('a refresh by the release before keeps the method and the key of the grant', async () => {
    const { now, before } = both()
    const grant = grantRecord('grant')
    await now.grants.create(grant, { ...codeRecord('code', 'grant'), dpop_jkt: JKT })
    const redemption = { ...rotation('grant', 'first'), client_auth: 'private_key_jwt' as const, jkt: JKT }
    expect(await now.grants.redeemCode('code', redemption, NOW)).toBe(true)
    expect(await before.grant('grant')).toEqual(previousGrant(grant))
    expect(await before.spend('grants.rotateRefreshToken', 'first', 'second')).toBe(true)
    expect(await now.grants.findRefreshToken('second')).toMatchObject({
      grant: { client_auth: 'private_key_jwt', jkt: JKT, expires_at: LATER + 9 },
    })
    expect(await now.grants.findCode('code')).toMatchObject({ code: { dpop_jkt: JKT } })
  })

  it('a code is redeemed once, by a server of either release', async () => {
    for (const first of ['this release', 'the one before']) {
      const { realm, now, before } = both()
      await now.grants.create(grantRecord('grant'), codeRecord('code', 'grant'))
      const by_now = (store: RealmStorage) => store.grants.redeemCode('code', rotation('grant', 'now'), NOW)
      const by_before = (release: typeof before) => release.spend('grants.redeemCode', 'code', 'before')
      const held = await hold(database.executor, (tx) =>
        first === 'this release' ? by_now(storesIn(tx, realm)) : by_before(previousRelease(tx, realm)),
      )
      const second = first === 'this release' ? by_before(before) : by_now(now)
      expect(await untilItWaits(database.executor, second), first).toBe(true)
      await held.commit()
      expect([held.result, await second], first).toEqual([true, false])
    }
  })

  it('the first key of a realm is made once, by a server of either release', async () => {
    for (const first of ['this release', 'the one before']) {
      const { realm, now, before } = both()
      const by_now = (store: RealmStorage) => store.keys.ensure(keyRecord('now'))
      const by_before = (release: typeof before) =>
        release.query('keys.ensure', [JSON.stringify(keyRecord('before'))])
      const held = await hold(
        database.executor,
        async (tx): Promise<unknown> =>
          first === 'this release' ? by_now(storesIn(tx, realm)) : by_before(previousRelease(tx, realm)),
      )
      const second: Promise<unknown> = first === 'this release' ? by_before(before) : by_now(now)
      expect(await untilItWaits(database.executor, second), first).toBe(true)
      await held.commit()
      const key = keyRecord(first === 'this release' ? 'now' : 'before')
      expect([held.result, await second, await now.keys.list()], first).toEqual([[key], [key], [key]])
    }
  })

  it('the release before reads keys of later algorithms, and adds none to a realm that has one', async () => {
    const { now, before } = both()
    const rs = keyRecord('rs')
    const es = keyRecord('es', 'ES256')
    await now.keys.ensure(rs)
    await now.keys.ensure(es)
    expect(await before.query('keys.ensure', [JSON.stringify(keyRecord('other'))])).toEqual([rs, es])
    expect(await before.query('keys.list', [])).toEqual([rs, es])
    expect(await before.query('keys.reseal', ['es', 'again'])).toHaveLength(1)
    await before.query('keys.add', [JSON.stringify({ ...rs, kid: 'rs2' })])
    await before.query('keys.drop', ['rs'])
    expect(await now.keys.ensure(keyRecord('rs3'))).toHaveLength(2)
  })
})
