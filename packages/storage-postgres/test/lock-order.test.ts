/**
 * Statements lock rows in one order with any plan, so that two of them cannot deadlock: another transaction holds the
 * first row, the statement waits for it, and the second row is still unlocked.
 */

import type { RealmStorage } from '@ostiary/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { postgresStorage } from '../src/index.js'
import { codeRecord, grantRecord, idOf, NOW, rotation } from './_grants.js'
import { hold, storesIn, untilItWaits } from './_held.js'
import { migratedDatabase, type OwnDatabase } from './_setup.js'

const PLANS: Record<string, string[]> = {
  'an index scan': ['seqscan', 'bitmapscan'],
  'a bitmap scan': ['seqscan', 'indexscan', 'indexonlyscan'],
  'a sequential scan': ['bitmapscan', 'indexscan', 'indexonlyscan'],
}
const STORED = [
  ['a', 'b'],
  ['b', 'a'],
]
const CASES = Object.keys(PLANS).flatMap((plan) => STORED.map((names) => [plan, names] as const))

describe('the order of locks', () => {
  let database: OwnDatabase
  let store: RealmStorage
  let realm = ''
  let realms = 0
  beforeAll(async () => {
    database = await migratedDatabase()
  })
  afterAll(() => database.drop())
  const newRealm = () => {
    realms += 1
    realm = `realm-${realms}`
    store = postgresStorage(database.executor)(realm)
  }

  /** @param rows Statements of another transaction, each of which locks a row; $1 is the realm. */
  async function meets<T>(
    rows: string[],
    plan: string,
    call: (stores: RealmStorage) => Promise<T>,
  ): Promise<T> {
    const [first = '', ...others] = rows
    const held = await hold(database.executor, (tx) => tx.query(first, [realm]))
    expect(held.result).toHaveLength(1)
    const waiting = database.executor.transaction(async (tx) => {
      for (const method of PLANS[plan] ?? []) await tx.query(`set local enable_${method} = off`)
      return call(storesIn(tx, realm))
    })
    // Awaited at the end; until then, a rejection must not be unhandled.
    waiting.catch(() => {})
    expect(await untilItWaits(database.executor, waiting)).toBe(true)
    for (const row of others) expect(await held.tx.query(row, [realm])).toHaveLength(1)
    await held.commit()
    return waiting
  }

  async function createGrant(grant_id: string): Promise<void> {
    await store.grants.create(grantRecord(grant_id), codeRecord(`${grant_id}-code`, grant_id))
  }
  const next = (token_hash: string) => rotation('a', token_hash)
  const grantRow = (id: string) =>
    `select grant_id from oidc_grants where realm = $1 and grant_id = '${idOf(id)}' for update`
  const codeRow = `select code_hash from oidc_authorization_codes where realm = $1 and code_hash = '${idOf('a-code')}' for update`
  const tokenRow = `select token_hash from oidc_refresh_tokens where realm = $1 and token_hash = '${idOf('first')}' for update`

  it.each(Object.keys(PLANS))(
    'redeemCode locks the grant before its code, as purge does (%s)',
    async (plan) => {
      newRealm()
      await createGrant('a')
      const redeem = ({ grants }: RealmStorage) => grants.redeemCode(idOf('a-code'), next('first'), NOW)
      expect(await meets([grantRow('a'), codeRow], plan, redeem)).toBe(true)
    },
  )

  it.each(Object.keys(PLANS))('rotateRefreshToken locks the grant before the token (%s)', async (plan) => {
    newRealm()
    await createGrant('a')
    await store.grants.redeemCode(idOf('a-code'), next('first'), NOW)
    const rotate = ({ grants }: RealmStorage) => grants.rotateRefreshToken(idOf('first'), next('second'), NOW)
    expect(await meets([grantRow('a'), tokenRow], plan, rotate)).toBe(true)
  })

  it.each(Object.keys(PLANS))('renewRefreshToken locks the grant before the token (%s)', async (plan) => {
    newRealm()
    await createGrant('a')
    await store.grants.redeemCode(idOf('a-code'), next('first'), NOW)
    const renewal = { expires_at: NOW + 9, grant_expires_at: NOW + 9 }
    const renew = ({ grants }: RealmStorage) => grants.renewRefreshToken(idOf('first'), renewal)
    expect(await meets([grantRow('a'), tokenRow], plan, renew)).toBe(true)
  })

  it.each(CASES)('grants.revoke locks by grant_id (%s, stored as %j)', async (plan, names) => {
    for (const selection of [{ sid: idOf('sid') }, { sub: 'sub', client_id: 'client' }]) {
      newRealm()
      for (const name of names) await createGrant(name)
      const revoke = ({ grants }: RealmStorage) => grants.revoke(selection, NOW)
      expect(await meets([grantRow('a'), grantRow('b')], plan, revoke)).toBe(2)
    }
  })

  const pair = { sub: 'sub', client_id: 'client' }
  const consentRow = (resource: string) =>
    `select resource from oidc_consents where realm = $1 and resource = '${resource}' for update`
  const approve = (names: readonly string[]) =>
    store.consents.merge({ ...pair, approved: names.map((resource) => ({ resource, scopes: ['x'] })) }, NOW)

  it.each(CASES)('consents.revoke locks by resource (%s, stored as %j)', async (plan, names) => {
    newRealm()
    for (const name of names) await approve([name])
    const revoke = ({ consents }: RealmStorage) => consents.revoke(pair, NOW)
    expect(await meets([consentRow('a'), consentRow('b')], plan, revoke)).toBe(2)
  })

  it.each(CASES)('consents.merge locks by resource (%s, approved as %j)', async (plan, names) => {
    newRealm()
    for (const name of names.toReversed()) await approve([name])
    const approved = names.map((resource) => ({ resource, scopes: ['y'] }))
    const merge = ({ consents }: RealmStorage) => consents.merge({ ...pair, approved }, NOW)
    await meets([consentRow('a'), consentRow('b')], plan, merge)
    expect((await store.consents.list('sub')).map(({ scopes }) => scopes)).toEqual([
      ['x', 'y'],
      ['x', 'y'],
    ])
  })
})
