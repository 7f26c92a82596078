/**
 * Every ATOMIC rule of storage.ts that depends on row locks, in a fixed order: the first caller's statement has run and is
 * not committed, the second caller's statement waits for it, and then the first transaction ends.
 */

import type {
  LogoutDelivery,
  Pending,
  RealmStorage,
  Session,
  SigningKey,
  ThrottlePairHits,
} from '@ostiary/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { postgresStorage } from '../src/index.js'
import { codeRecord, grantRecord, idOf, LATER, NOW, rotation, sessionRecord } from './_grants.js'
import { type HeldTransaction, hold, storesIn, untilItWaits } from './_held.js'
import { migratedDatabase, type OwnDatabase } from './_setup.js'

const LEASE = 30

const grant = grantRecord('grant')
const code = codeRecord('code', 'grant')
const session = sessionRecord('hash')
const pending: Pending = {
  kind: 'logout',
  pending_hash: 'pending',
  expires_at: LATER,
  sid: 'sid',
  request: { client_id: null, post_logout_redirect_uri: null, state: null },
}

const next = (token_hash: string, grant_expires_at = LATER) => rotation('grant', token_hash, grant_expires_at)
const key = (kid: string, alg: SigningKey['alg'] = 'RS256'): SigningKey => ({
  kid,
  alg,
  public_jwk: { kty: 'RSA', n: 'n', e: 'AQAB' },
  sealed_private_key: 's',
  signs_from: NOW,
  created_at: NOW,
})
const delivery = (delivery_id: string): LogoutDelivery => ({
  delivery_id,
  client_id: 'client',
  sub: 'sub',
  sid: 'sid',
  uri: 'https://app.example/logout',
  host: 'app.example',
  session_required: false,
  created_at: NOW,
  attempts: 0,
  next_attempt_at: NOW,
})
const claim = ({ logouts }: RealmStorage, limit: number) =>
  logouts.claim({ now: NOW, lease: LEASE, limit, share: 10, except: { hosts: [], subs: [] } })

describe('two callers on two connections', () => {
  let database: OwnDatabase
  let realm = ''
  let store: RealmStorage
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
  type Call<T> = (stores: RealmStorage) => Promise<T>
  const first = <T>(call: Call<T>): Promise<HeldTransaction<T>> =>
    hold(database.executor, (tx) => call(storesIn(tx, realm)))

  /** The results of the first caller, and of the second, which has waited for the end of the first transaction. */
  async function inTurn<A, B>(end: 'commit' | 'rollback', one: Call<A>, two: Call<B>): Promise<[A, B]> {
    const held = await first(one)
    const waiting = two(store)
    expect(await untilItWaits(database.executor, waiting)).toBe(true)
    await held[end]()
    return [held.result, await waiting]
  }

  describe('replays', () => {
    const use: Call<boolean> = ({ replays }) => replays.claim('key', LATER, NOW)

    it.each([
      ['commit', false],
      ['rollback', true],
    ] as const)('the second caller waits for the first one; after its %s: %s', async (end, second) => {
      newRealm()
      expect(await inTurn(end, use, use)).toEqual([true, second])
      newRealm()
      // An expired key too.
      await store.replays.claim('key', NOW - 9, NOW - 99)
      expect(await inTurn(end, use, use)).toEqual([true, second])
      expect(await use(store)).toBe(false)
    })
  })

  it('a document that was fetched earlier waits, and does not replace the later one', async () => {
    newRealm()
    const put = (fetched_at: number): Call<void> => {
      const times = { fetched_at, fresh_until: LATER, changed_at: NOW, expires_at: LATER }
      const record = { client_id: 'https://app.example/', document: '{}', etag: null, last_modified: null }
      return ({ client_documents }) => client_documents.put({ ...record, ...times })
    }
    await inTurn('commit', put(NOW + 1), put(NOW))
    const find = () => store.client_documents.find('https://app.example/')
    expect(await find()).toMatchObject({ fetched_at: NOW + 1 })
    await inTurn('commit', put(NOW + 2), put(NOW + 3))
    expect(await find()).toMatchObject({ fetched_at: NOW + 3 })
  })

  describe('redeemCode and rotateRefreshToken', () => {
    const redeem =
      (token: string): Call<boolean> =>
      ({ grants }) =>
        grants.redeemCode(idOf('code'), next(token), NOW)
    const rotate =
      (token: string): Call<boolean> =>
      ({ grants }) =>
        grants.rotateRefreshToken(idOf('first'), next(token), NOW)

    const renew: Call<boolean> = ({ grants }) =>
      grants.renewRefreshToken(idOf('first'), { expires_at: LATER + 7, grant_expires_at: LATER + 7 })

    it.each([
      ['commit', false, LATER + 3],
      ['rollback', true, LATER + 7],
    ] as const)(
      'a renewal waits for a rotation; after its %s it succeeds: %s',
      async (end, renewed, expires_at) => {
        newRealm()
        await store.grants.create(grant, code)
        await store.grants.redeemCode(idOf('code'), next('first'), NOW)
        const rotation: Call<boolean> = ({ grants }) =>
          grants.rotateRefreshToken(idOf('first'), next('second', LATER + 3), NOW)
        expect(await inTurn(end, rotation, renew)).toEqual([true, renewed])
        expect(await store.grants.find(idOf('grant'))).toMatchObject({ expires_at })
        const found = await store.grants.findRefreshToken(idOf('first'))
        expect(found?.refresh_token.expires_at).toBe(
          renewed ? LATER + 7 : next('first').refresh_token?.expires_at,
        )
      },
    )

    it('a rotation waits for a renewal, and spends the token', async () => {
      newRealm()
      await store.grants.create(grant, code)
      await store.grants.redeemCode(idOf('code'), next('first'), NOW)
      expect(await inTurn('commit', renew, rotate('second'))).toEqual([true, true])
      expect(await store.grants.findRefreshToken(idOf('first'))).toMatchObject({
        refresh_token: { expires_at: LATER + 7, spent_at: NOW },
      })
    })

    it.each([
      ['a code', redeem],
      ['a refresh token', rotate],
    ])('%s is spent once: the second caller loses, and its token is not stored', async (what, spend) => {
      newRealm()
      await store.grants.create(grant, code)
      if (what === 'a refresh token') await store.grants.redeemCode(idOf('code'), next('first'), NOW)
      expect(await inTurn('commit', spend('winner'), spend('loser'))).toEqual([true, false])
      expect(await store.grants.findRefreshToken(idOf('winner'))).not.toBeNull()
      expect(await store.grants.findRefreshToken(idOf('loser'))).toBeNull()
    })

    it.each([
      ['a code', redeem],
      ['a refresh token', rotate],
    ])('%s is not spent by a caller that fails: the second one wins', async (what, spend) => {
      newRealm()
      await store.grants.create(grant, code)
      if (what === 'a refresh token') await store.grants.redeemCode(idOf('code'), next('first'), NOW)
      expect(await inTurn('rollback', spend('failed'), spend('second'))).toEqual([true, true])
      expect(await store.grants.findRefreshToken(idOf('failed'))).toBeNull()
      expect(await store.grants.findRefreshToken(idOf('second'))).not.toBeNull()
    })

    it('a revocation that waits for a rotation revokes the renewed grant', async () => {
      newRealm()
      await store.grants.create(grant, code)
      await store.grants.redeemCode(idOf('code'), next('first'), NOW)
      const renew: Call<boolean> = ({ grants }) =>
        grants.rotateRefreshToken(idOf('first'), next('second', LATER + 9), NOW)
      const revoke: Call<number> = ({ grants }) => grants.revoke({ sid: idOf('sid') }, NOW)
      expect(await inTurn('commit', renew, revoke)).toEqual([true, 1])
      expect(await store.grants.find(idOf('grant'))).toMatchObject({ revoked_at: NOW, expires_at: LATER + 9 })
    })

    it('a rotation that waits for a revocation leaves the grant revoked', async () => {
      newRealm()
      await store.grants.create(grant, code)
      await store.grants.redeemCode(idOf('code'), next('first'), NOW)
      const revoke: Call<number> = ({ grants }) => grants.revoke({ grant_id: idOf('grant') }, NOW)
      const [revoked] = await inTurn('commit', revoke, rotate('second'))
      expect(revoked).toBe(1)
      expect(await store.grants.find(idOf('grant'))).toMatchObject({ revoked_at: NOW })
    })

    it('two revocations count a grant once', async () => {
      newRealm()
      await store.grants.create(grant, code)
      const revoke =
        (now: number): Call<number> =>
        ({ grants }) =>
          grants.revoke({ sub: 'sub', client_id: 'client' }, now)
      expect(await inTurn('commit', revoke(NOW), revoke(NOW + 1))).toEqual([1, 0])
      expect(await store.grants.find(idOf('grant'))).toMatchObject({ revoked_at: NOW })
    })
  })

  describe('consents', () => {
    const pair = { sub: 'sub', client_id: 'client' }
    const merge =
      (scope: string): Call<void> =>
      ({ consents }) =>
        consents.merge({ ...pair, approved: [{ resource: 'r', scopes: [scope] }] }, NOW)
    const scopes = async () => (await store.consents.list('sub')).map((row) => row.scopes)

    it('two first approvals become one row with the scopes of both', async () => {
      newRealm()
      await inTurn('commit', merge('a'), merge('b'))
      expect(await scopes()).toEqual([['a', 'b']])
    })

    it('two later approvals are both kept', async () => {
      newRealm()
      await merge('old')(store)
      await inTurn('commit', merge('a'), merge('b'))
      expect(await scopes()).toEqual([['old', 'a', 'b']])
    })

    it('an approval that waits for a withdrawal restores its own scopes only', async () => {
      newRealm()
      await merge('old')(store)
      const revoke: Call<number> = ({ consents }) => consents.revoke(pair, NOW)
      expect(await inTurn('commit', revoke, merge('new'))).toEqual([1, undefined])
      expect(await scopes()).toEqual([['new']])
    })

    it('two withdrawals count a consent once', async () => {
      newRealm()
      await merge('old')(store)
      const revoke: Call<number> = ({ consents }) => consents.revoke(pair, NOW)
      expect(await inTurn('commit', revoke, revoke)).toEqual([1, 0])
    })
  })

  describe('sessions', () => {
    const join: Call<boolean> = ({ sessions }) => sessions.join(idOf('sid'), 'client')
    const end: Call<Session | null> = ({ sessions }) => sessions.end(idOf('sid'), NOW, LEASE)

    it('an end that waits for a join returns the client that joined', async () => {
      newRealm()
      await store.sessions.create(session)
      expect(await inTurn('commit', join, end)).toEqual([true, { ...session, client_ids: ['client'] }])
    })

    it('a join that waits for an end returns false', async () => {
      newRealm()
      await store.sessions.create(session)
      expect(await inTurn('commit', end, join)).toEqual([session, false])
      // The session has no client that the end did not return.
      expect(await store.sessions.end(idOf('sid'), NOW + LEASE, LEASE)).toEqual(session)
    })

    it('one of two ends gets the session', async () => {
      newRealm()
      await store.sessions.create(session)
      expect(await inTurn('commit', end, end)).toEqual([session, null])
    })

    const raise =
      (name: string): Call<boolean> =>
      ({ sessions }) => {
        const raised = {
          session_hash: idOf(name),
          auth_time: NOW,
          amr: ['pwd', 'otp'],
          acr: '2',
          raised_at: NOW,
        }
        return sessions.raise(idOf('sid'), raised, idOf('hash'))
      }

    it.each([
      ['commit', false, 'one'],
      ['rollback', true, 'two'],
    ] as const)('one of two raises wins; after the %s of the first: %s', async (ending, second, winner) => {
      newRealm()
      await store.sessions.create(session)
      expect(await inTurn(ending, raise('one'), raise('two'))).toEqual([true, second])
      for (const hash of ['hash', 'one', 'two'])
        expect((await store.sessions.find(idOf(hash)))?.session_hash ?? null).toBe(
          hash === winner ? idOf(hash) : null,
        )
    })

    it('a session that is ended is not raised, and one that is raised is ended', async () => {
      newRealm()
      await store.sessions.create(session)
      expect(await inTurn('commit', end, raise('one'))).toEqual([session, false])
      newRealm()
      await store.sessions.create(session)
      const [, ended] = await inTurn('commit', raise('one'), end)
      expect(ended).toMatchObject({ session_hash: idOf('one'), acr: '2', raised_at: NOW })
      expect(await store.sessions.find(idOf('one'))).toBeNull()
    })

    it('a client that joins meanwhile is kept', async () => {
      newRealm()
      await store.sessions.create(session)
      expect(await inTurn('commit', raise('one'), join)).toEqual([true, true])
      expect(await store.sessions.find(idOf('one'))).toMatchObject({ client_ids: ['client'] })
    })

    it('two clients can join at the same time', async () => {
      newRealm()
      await store.sessions.create(session)
      const held = await first(join)
      const joining = store.sessions.join(idOf('sid'), 'another')
      expect(await untilItWaits(database.executor, joining)).toBe(false)
      expect(await joining).toBe(true)
      await held.commit()
      expect(await store.sessions.find(idOf('hash'))).toMatchObject({ client_ids: ['another', 'client'] })
    })
  })

  describe('pending.put', () => {
    const put: Call<boolean> = (stores) => stores.pending.put(pending)

    it('the second of two records with the same hash is refused', async () => {
      newRealm()
      expect(await inTurn('commit', put, put)).toEqual([true, false])
    })

    it('the second is stored when the first transaction fails', async () => {
      newRealm()
      expect(await inTurn('rollback', put, put)).toEqual([true, true])
      expect(await store.pending.find('pending')).toEqual(pending)
    })
  })

  it('pending.take: the second caller gets nothing', async () => {
    newRealm()
    await store.pending.put(pending)
    const take: Call<Pending | null> = (stores) => stores.pending.take('pending')
    expect(await inTurn('commit', take, take)).toEqual([pending, null])
  })

  describe('keys.ensure', () => {
    const ensure =
      (first_key: SigningKey): Call<SigningKey[]> =>
      ({ keys }) =>
        keys.ensure(first_key)

    it.each(['RS256', 'ES256'] as const)(
      'the second of two first starts gets the key of the first (%s)',
      async (alg) => {
        newRealm()
        const a = key('a', alg)
        const b = key('b', alg)
        expect(await inTurn('commit', ensure(a), ensure(b))).toEqual([[a], [a]])
        expect(await store.keys.list()).toEqual([a])
      },
    )

    it.each(['RS256', 'ES256'] as const)(
      'the second of two first starts gets its own key when the first fails (%s)',
      async (alg) => {
        newRealm()
        const a = key('a', alg)
        const b = key('b', alg)
        expect(await inTurn('rollback', ensure(a), ensure(b))).toEqual([[a], [b]])
        expect(await store.keys.list()).toEqual([b])
      },
    )

    it.each([
      ['RS256', 'ES256'],
      ['ES256', 'EdDSA'],
    ] as const)('the first keys of %s and %s are stored at the same time', async (one, other) => {
      newRealm()
      const held = await first(ensure(key('a', one)))
      const second = ensure(key('b', other))(store)
      expect(await untilItWaits(database.executor, second)).toBe(false)
      expect(await second).toEqual([key('b', other)])
      await held.commit()
      expect(await store.keys.list()).toHaveLength(2)
    })
  })

  it('logouts.claim: the second caller gets the other deliveries, and does not wait', async () => {
    newRealm()
    await store.logouts.add([delivery('a'), delivery('b'), delivery('c')])
    const held = await first((stores) => claim(stores, 1))
    const second = claim(store, 10)
    expect(await untilItWaits(database.executor, second)).toBe(false)
    const ids = [...held.result, ...(await second)].map(({ delivery_id }) => delivery_id)
    expect(held.result).toHaveLength(1)
    expect(ids.sort()).toEqual(['a', 'b', 'c'])
    await held.commit()
    expect(await claim(store, 10)).toEqual([])
  })

  it('throttle.hit: both hits count', async () => {
    newRealm()
    const hit: Call<number> = (stores) => stores.throttle.hit('key', 60, NOW)
    expect(await inTurn('commit', hit, hit)).toEqual([1, 2])
    expect(await inTurn('commit', hit, hit)).toEqual([3, 4])
  })

  it('throttle.hitBoth: both callers count both keys, and the second key only up to the limit', async () => {
    newRealm()
    const pair = { first: 'key', max: 3, second: 'key share' }
    const hit: Call<ThrottlePairHits> = (stores) => stores.throttle.hitBoth(pair, 60, NOW)
    const both = (hits: number): ThrottlePairHits => ({ first: hits, second: hits })
    expect(await inTurn('commit', hit, hit)).toEqual([both(1), both(2)])
    expect(await inTurn('commit', hit, hit)).toEqual([both(3), { first: 4, second: 0 }])
  })

  it('throttle.release: takes back both hits, and never more than there are', async () => {
    newRealm()
    const release: Call<void> = (stores) => stores.throttle.release('key', 60, NOW)
    for (const hits of [1, 2, 3]) expect(await store.throttle.hit('key', 60, NOW)).toBe(hits)
    await inTurn('commit', release, release)
    expect(await store.throttle.hit('key', 60, NOW)).toBe(2)
    await release(store)
    await inTurn('commit', release, release)
    expect(await store.throttle.hit('key', 60, NOW)).toBe(1)
  })
})
