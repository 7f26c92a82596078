import { expect } from 'vitest'
import { elsewhere } from './ids.js'
import { code, grant, LATER, NOW, redemption, refreshToken } from './records.js'
import type { Rules } from './rule.js'

export function grantRevocationRules({ rule }: Rules): void {
  rule(
    'revoke: by grant_id, once; the code and the tokens are found with the revoked grant',
    async ({ store, id }) => {
      const token = refreshToken(id('a'), id('t'))
      for (const name of ['a', 'b']) await store.grants.create(grant(id(name)), code(id(name)))
      await store.grants.redeemCode(id('a-code'), redemption(token), NOW)
      expect(await store.grants.revoke({ grant_id: id('a') }, NOW + 1)).toBe(1)
      expect(await store.grants.revoke({ grant_id: id('a') }, NOW + 2)).toBe(0)
      expect(await store.grants.revoke({ grant_id: id('x') }, NOW + 2)).toBe(0)
      const record = grant(id('a'), { revoked_at: NOW + 1 })
      expect(await store.grants.find(id('a'))).toEqual(record)
      expect(await store.grants.findCode(id('a-code'))).toMatchObject({ grant: record })
      expect(await store.grants.findRefreshToken(id('t'))).toEqual({ refresh_token: token, grant: record })
      expect(await store.grants.find(id('b'))).toEqual(grant(id('b')))
    },
  )

  rule("revoke: by sid, the session's grants except offline ones", async ({ store, id }) => {
    const inSession = { sid: id('s') }
    const records = [
      grant(id('a'), inSession),
      grant(id('b'), { ...inSession, client_id: 'other' }),
      grant(id('done'), { ...inSession, revoked_at: NOW - 9 }),
      grant(id('offline'), { ...inSession, offline: true }),
      grant(id('elsewhere'), { sid: id('s2') }),
    ]
    for (const record of records) await store.grants.create(record, code(record.grant_id))
    expect(await store.grants.revoke(inSession, NOW)).toBe(2)
    expect(await store.grants.revoke(inSession, NOW + 1)).toBe(0)
    expect(await store.grants.revoke({ sid: id('x') }, NOW)).toBe(0)
    const found = await Promise.all(records.map(({ grant_id }) => store.grants.find(grant_id)))
    expect(found.map((record) => record?.revoked_at)).toEqual([NOW, NOW, NOW - 9, null, null])
  })

  rule('revoke: by user and client, offline grants too', async ({ store, id, person }) => {
    const pair = { sub: person(), client_id: id('client') }
    const bob = elsewhere(person())
    const records = [
      grant(id('a'), pair),
      grant(id('offline'), { ...pair, offline: true }),
      grant(id('done'), { ...pair, revoked_at: NOW - 9 }),
      grant(id('other-user', bob), { ...pair, sub: bob, sid: id('s', bob) }),
      grant(id('other-client'), { ...pair, client_id: id('client2') }),
    ]
    for (const record of records) await store.grants.create(record, code(record.grant_id))
    expect(await store.grants.revoke(pair, NOW)).toBe(2)
    expect(await store.grants.revoke(pair, NOW + 1)).toBe(0)
    expect(await store.grants.revoke({ sub: pair.client_id, client_id: pair.sub }, NOW)).toBe(0)
    const found = await Promise.all(records.map(({ grant_id }) => store.grants.find(grant_id)))
    expect(found.map((record) => record?.revoked_at)).toEqual([NOW, NOW, NOW - 9, null, null])
  })

  rule(
    'revoke: by resource, by user except offline grants, and by user alone',
    async ({ store, id, person }) => {
      const owner = { sub: person(), client_id: id('client') }
      const bob = elsewhere(person())
      const records = [
        grant(id('none'), { ...owner, resource: null }),
        grant(id('at-a'), { ...owner, resource: 'https://a.example/' }),
        grant(id('at-b'), { ...owner, resource: 'https://b.example/' }),
        grant(id('offline'), { ...owner, client_id: id('other'), resource: null, offline: true }),
        grant(id('elsewhere', bob), { ...owner, sub: bob }),
      ]
      for (const record of records) await store.grants.create(record, code(record.grant_id))
      const live = async () => {
        const found = await Promise.all(records.map(({ grant_id }) => store.grants.find(grant_id)))
        return found.flatMap((record) => (record?.revoked_at === null ? record.grant_id : []))
      }
      expect(await store.grants.revoke({ ...owner, resource: 'https://a.example/' }, NOW)).toBe(1)
      expect(await live()).toEqual([id('none'), id('at-b'), id('offline'), id('elsewhere', bob)])
      expect(await store.grants.revoke({ ...owner, resource: null }, NOW)).toBe(1)
      expect(await live()).toEqual([id('at-b'), id('offline'), id('elsewhere', bob)])
      expect(await store.grants.revoke({ sub: owner.sub, offline: false }, NOW)).toBe(1)
      expect(await live()).toEqual([id('offline'), id('elsewhere', bob)])
      expect(await store.grants.revoke({ sub: owner.sub }, NOW)).toBe(1)
      expect(await live()).toEqual([id('elsewhere', bob)])
    },
  )

  rule('list: the live grants of a user', async ({ store, id, person }) => {
    const sub = person()
    const bob = elsewhere(sub)
    const records = [
      grant(id('a'), { sub }),
      grant(id('b'), { sub, client_id: 'other', offline: true, resource: null }),
      grant(id('revoked'), { sub, revoked_at: NOW }),
      grant(id('expired'), { sub, expires_at: LATER }),
      grant(id('elsewhere', bob), { sub: bob }),
    ]
    for (const record of records) await store.grants.create(record, code(record.grant_id))
    await store.grants.redeemCode(id('a-code'), redemption(null, LATER + 5), NOW)
    const names = async (now: number) =>
      (await store.grants.list(sub, now)).map(({ grant_id }) => grant_id).sort()
    expect(await names(LATER - 1)).toEqual([id('a'), id('b'), id('expired')].sort())
    expect(await names(LATER)).toEqual([id('a')])
    expect(await store.grants.list(sub, LATER)).toEqual([{ ...records[0], expires_at: LATER + 5 }])
    await store.grants.revoke({ sub }, NOW)
    expect(await store.grants.list(sub, NOW)).toEqual([])
  })

  rule('revoke: ids whose concatenations are equal are not confused', async ({ store, id, person }) => {
    for (const mark of [':', '|', ',', ' ', '/', '"', '.', '-']) {
      const sub = person(`a${mark}b`)
      const record = grant(id(mark, sub), { sub, client_id: 'c' })
      await store.grants.create(record, code(record.grant_id))
      expect(await store.grants.revoke({ sub: person('a'), client_id: `b${mark}c` }, NOW)).toBe(0)
    }
  })

  rule('revoke: a later redemption or rotation leaves the grant revoked', async ({ store, id }) => {
    const token = refreshToken(id('a'), id('t'))
    const next = redemption(refreshToken(id('a'), id('t2')), LATER + 1)
    await store.grants.create(grant(id('a')), code(id('a')))
    await store.grants.revoke({ grant_id: id('a') }, NOW)
    await store.grants.redeemCode(id('a-code'), redemption(token), NOW + 1)
    await store.grants.rotateRefreshToken(id('t'), next, NOW + 2)
    expect(await store.grants.find(id('a'))).toMatchObject({ revoked_at: NOW })
  })
}
