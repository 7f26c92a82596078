import { expect } from 'vitest'
import {
  claimOf,
  client,
  code,
  delivery,
  grant,
  LATER,
  LONG_AGO,
  NOW,
  pendingConsent,
  redemption,
  refreshToken,
  session,
  signingKey,
} from './records.js'
import { drain, type Rules } from './rule.js'

export function realmRules({ realmsRule }: Rules): void {
  realmsRule('clients: unknown in the other realm', async ({ store, other, id }) => {
    const record = client(id('a'))
    await store.clients.create(record)
    expect(await other.clients.find(id('a'))).toBeNull()
    expect(await other.clients.list({ limit: 10 })).toEqual([])
    expect(await other.clients.update(client(id('a'), { client_name: 'theirs' }))).toBe(false)
    expect(await other.clients.revoke(id('a'), NOW)).toBe(false)
    expect(await other.clients.create(client(id('a'), { client_name: 'theirs' }))).toBe(true)
    expect(await other.clients.revoke(id('a'), NOW)).toBe(true)
    expect(await store.clients.find(id('a'))).toEqual(record)
    expect(await store.clients.list({ limit: 10 })).toEqual([record])
  })

  realmsRule('consents: unknown in the other realm', async ({ store, other, id, person }) => {
    const pair = { sub: person(), client_id: id('a') }
    const resource = 'https://a.example/'
    const scopes = async (realm: typeof store) =>
      (await realm.consents.find(pair.sub, pair.client_id, [resource])).map((row) => row.scopes)
    await store.consents.merge({ ...pair, approved: [{ resource, scopes: ['mine'] }] }, NOW)
    expect(await scopes(other)).toEqual([])
    expect(await other.consents.list(pair.sub)).toEqual([])
    expect(await other.consents.revoke(pair, NOW)).toBe(0)
    await other.consents.merge({ ...pair, approved: [{ resource, scopes: ['theirs'] }] }, NOW)
    expect(await scopes(other)).toEqual([['theirs']])
    expect(await scopes(store)).toEqual([['mine']])
    expect(await other.consents.revoke({ ...pair, resource }, NOW)).toBe(1)
    expect(await store.consents.list(pair.sub)).toMatchObject([{ scopes: ['mine'], revoked_at: null }])
  })

  realmsRule('grants: unknown in the other realm', async ({ store, other, id, person }) => {
    const record = grant(id('a'), { sid: id('s'), sub: person() })
    const selections = [
      { grant_id: id('a') },
      { sid: id('s') },
      { sub: person(), client_id: record.client_id },
    ]
    const first = redemption(refreshToken(id('a'), id('t')))
    const theirs = redemption(refreshToken(id('a'), id('theirs')), LATER + 9)
    await store.grants.create(record, code(id('a')))
    expect(await other.grants.redeemCode(id('a-code'), theirs, NOW)).toBe(false)
    expect(await store.grants.redeemCode(id('a-code'), first, NOW)).toBe(true)
    expect(await other.grants.rotateRefreshToken(id('t'), theirs, NOW)).toBe(false)
    const renewal = { expires_at: LATER + 9, grant_expires_at: LATER + 9 }
    expect(await other.grants.renewRefreshToken(id('t'), renewal)).toBe(false)
    expect(await other.grants.find(id('a'))).toBeNull()
    expect(await other.grants.findCode(id('a-code'))).toBeNull()
    expect(await other.grants.findRefreshToken(id('t'))).toBeNull()
    for (const selection of selections) expect(await other.grants.revoke(selection, NOW)).toBe(0)
    expect(await store.grants.findRefreshToken(id('theirs'))).toBeNull()
    expect(await store.grants.findRefreshToken(id('t'))).toEqual({
      refresh_token: first.refresh_token,
      grant: record,
    })
  })

  realmsRule('grants: the same ids in both realms are two grants', async ({ store, other, id }) => {
    const record = grant(id('a'), { sid: id('s') })
    for (const realm of [store, other]) await realm.grants.create(record, code(id('a')))
    const next = redemption(null, LATER + 9)
    expect(await other.grants.redeemCode(id('a-code'), next, NOW)).toBe(true)
    expect(await other.grants.revoke({ sid: id('s') }, NOW)).toBe(1)
    expect(await store.grants.findCode(id('a-code'))).toEqual({ code: code(id('a')), grant: record })
  })

  realmsRule('revoked tokens: unknown in the other realm', async ({ store, other, id }) => {
    await store.revoked_tokens.add(id('a'), LATER)
    expect(await other.revoked_tokens.has(id('a'))).toBe(false)
    expect(await store.revoked_tokens.has(id('a'))).toBe(true)
  })

  realmsRule('sessions: unknown in the other realm', async ({ store, other, id }) => {
    const record = session(id('a'), { expires_at: LONG_AGO })
    await store.sessions.create(record)
    expect(await other.sessions.find(record.session_hash)).toBeNull()
    expect(await other.sessions.list(record.sub)).toEqual([])
    expect(await other.sessions.expired(NOW, 10)).toEqual([])
    expect(await other.sessions.join(id('a'), 'theirs')).toBe(false)
    expect(await other.sessions.end(id('a'), NOW, 30)).toBeNull()
    await other.sessions.create(record)
    expect(await other.sessions.join(id('a'), 'theirs')).toBe(true)
    expect(await other.sessions.end(id('a'), NOW, 30)).toEqual({ ...record, client_ids: ['theirs'] })
    await other.sessions.forget(id('a'))
    await other.sessions.forget(id('a'))
    expect(await store.sessions.find(record.session_hash)).toEqual(record)
    expect(await store.sessions.expired(NOW, 10)).toEqual([record])
  })

  realmsRule(
    'sessions: forget keeps the ended session with the same id in the other realm',
    async (realms) => {
      const { store, other, id } = realms
      const record = session(id('a'))
      for (const realm of [store, other]) {
        await realm.sessions.create(record)
        await realm.sessions.join(id('a'), 'client')
        expect(await realm.sessions.end(id('a'), NOW, 30)).toEqual({ ...record, client_ids: ['client'] })
      }
      await other.sessions.forget(id('a'))
      expect(await other.sessions.end(id('a'), NOW + 30, 30)).toBeNull()
      expect(await store.sessions.end(id('a'), NOW + 30, 30)).toEqual({ ...record, client_ids: ['client'] })
    },
  )

  realmsRule('pending: unknown in the other realm', async ({ store, other, id }) => {
    await store.pending.put(pendingConsent(id('a')))
    expect(await other.pending.find(id('a'))).toBeNull()
    expect(await other.pending.take(id('a'))).toBeNull()
    expect(await store.pending.take(id('a'))).toEqual(pendingConsent(id('a')))
  })

  realmsRule('keys: unknown in the other realm', async ({ store, other, id }) => {
    await store.keys.ensure(signingKey(id('a')))
    expect(await other.keys.list()).toEqual([])
    expect(await other.keys.ensure(signingKey(id('b')))).toEqual([signingKey(id('b'))])
    await other.keys.drop(id('a'))
    expect(await store.keys.list()).toEqual([signingKey(id('a'))])
  })

  realmsRule('logouts: unknown in the other realm', async ({ store, other, id }) => {
    await store.logouts.add([delivery(id('a'))])
    expect(await other.logouts.claim(claimOf(NOW, 30, 10))).toEqual([])
    await other.logouts.settle(id('a'), null)
    await other.logouts.settle(id('a'), NOW + 9)
    expect(await store.logouts.claim(claimOf(NOW, 30, 10))).toHaveLength(1)
  })

  realmsRule('throttle: a hit does not count in the other realm', async ({ store, other, id }) => {
    const start = NOW - (NOW % 60) + 120
    for (const count of [1, 2, 3]) expect(await store.throttle.hit(id('a'), 60, start)).toBe(count)
    expect(await other.throttle.hit(id('a'), 60, start)).toBe(1)
  })

  realmsRule('purge: neither counts nor deletes records of the other realm', async ({ store, other, id }) => {
    const readAll = async () => [await store.grants.find(id('a')), await store.pending.find(id('a'))]
    await store.grants.create(grant(id('a'), { expires_at: LONG_AGO }), code(id('a')))
    await store.pending.put({ ...pendingConsent(id('a')), expires_at: LONG_AGO })
    const before = await readAll()
    expect(await drain(other, NOW)).toBe(0)
    expect(await readAll()).toEqual(before)
  })
}
