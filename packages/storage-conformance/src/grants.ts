import { SPENT_REFRESH_TOKENS } from '@ostiary/core'
import { expect } from 'vitest'
import { code, grant, LATER, LONG_AGO, LONG_TEXT, NOW, ODD_LIST, ODD_TEXT, refreshToken } from './records.js'
import type { Rules } from './rule.js'

export function grantRules({ rule }: Rules): void {
  rule('create: grant and code are found exactly as they were stored', async ({ store, id }) => {
    const none = { scopes: [], resource: null, auth_time: null, amr: [], acr: null }
    const cases = [
      [grant(id('a')), code(id('a'))],
      [
        grant(id('b'), { ...none, offline: true, revoked_at: NOW }),
        code(id('b'), { redirect_uri_sent: false, nonce: null }),
      ],
      [
        grant(id('c'), { scopes: ODD_LIST, amr: ODD_LIST, acr: ODD_TEXT }),
        code(id('c'), { nonce: LONG_TEXT }),
      ],
      [grant(id('d')), code(id('d'), { redeemed_at: NOW, expires_at: LONG_AGO })],
    ] as const
    for (const [record, its] of cases) await store.grants.create(record, its)
    for (const [record, its] of cases) {
      expect(await store.grants.find(record.grant_id)).toEqual(record)
      expect(await store.grants.findCode(its.code_hash)).toEqual({ code: its, grant: record })
    }
  })

  rule('find, findCode, findRefreshToken: unknown is null', async ({ store, id }) => {
    await store.grants.create(grant(id('a')), code(id('a')))
    for (const unknown of [id('x'), ...ODD_LIST]) {
      expect(await store.grants.find(unknown)).toBeNull()
      expect(await store.grants.findCode(unknown)).toBeNull()
      expect(await store.grants.findRefreshToken(unknown)).toBeNull()
    }
  })

  rule('a code is no refresh token, and the other way round', async ({ store, id }) => {
    const record = grant(id('a'))
    const its = code(id('a'))
    const token = refreshToken(id('a'), id('t'))
    const next = { refresh_token: refreshToken(id('a'), id('t2')), grant_expires_at: LATER }
    await store.grants.create(record, its)
    await store.grants.redeemCode(its.code_hash, { refresh_token: token, grant_expires_at: LATER }, NOW)
    expect(await store.grants.findRefreshToken(its.code_hash)).toBeNull()
    expect(await store.grants.findCode(token.token_hash)).toBeNull()
    expect(await store.grants.rotateRefreshToken(its.code_hash, next, NOW)).toBe(false)
    expect(await store.grants.redeemCode(token.token_hash, next, NOW)).toBe(false)
    expect(await store.grants.findRefreshToken(token.token_hash)).toMatchObject({ refresh_token: token })
  })

  rule('redeemCode: marks the code, renews the grant, stores the refresh token', async ({ store, id }) => {
    const record = grant(id('a'))
    const its = code(id('a'))
    const token = refreshToken(id('a'), id('t'))
    await store.grants.create(record, its)
    await store.grants.create(grant(id('b')), code(id('b')))
    const next = { refresh_token: token, grant_expires_at: LATER + 7 }
    expect(await store.grants.redeemCode(its.code_hash, next, NOW + 1)).toBe(true)
    const renewed = { ...record, expires_at: LATER + 7 }
    const redeemed = { ...its, redeemed_at: NOW + 1 }
    expect(await store.grants.find(id('a'))).toEqual(renewed)
    expect(await store.grants.findCode(its.code_hash)).toEqual({ code: redeemed, grant: renewed })
    expect(await store.grants.findRefreshToken(id('t'))).toEqual({ refresh_token: token, grant: renewed })
    expect(await store.grants.findCode(id('b-code'))).toEqual({ code: code(id('b')), grant: grant(id('b')) })
  })

  rule('redeemCode: works without a refresh token, and may shorten the grant', async ({ store, id }) => {
    await store.grants.create(grant(id('a')), code(id('a')))
    const next = { refresh_token: null, grant_expires_at: LATER - 7 }
    expect(await store.grants.redeemCode(id('a-code'), next, NOW)).toBe(true)
    expect(await store.grants.findCode(id('a-code'))).toEqual({
      code: code(id('a'), { redeemed_at: NOW }),
      grant: grant(id('a'), { expires_at: LATER - 7 }),
    })
  })

  rule('redeemCode: false the second time, and nothing changes', async ({ store, id }) => {
    const record = grant(id('a'))
    const its = code(id('a'))
    const token = refreshToken(id('a'), id('t'))
    await store.grants.create(record, its)
    await store.grants.redeemCode(its.code_hash, { refresh_token: token, grant_expires_at: LATER }, NOW)
    const late = { refresh_token: refreshToken(id('a'), id('late')), grant_expires_at: LATER + 99 }
    expect(await store.grants.redeemCode(its.code_hash, late, NOW + 99)).toBe(false)
    const redeemed = { ...its, redeemed_at: NOW }
    expect(await store.grants.findCode(its.code_hash)).toEqual({ code: redeemed, grant: record })
    expect(await store.grants.findRefreshToken(id('late'))).toBeNull()
    expect(await store.grants.findRefreshToken(id('t'))).toEqual({ refresh_token: token, grant: record })
  })

  rule('redeemCode, rotateRefreshToken: false for an unknown hash, and nothing is stored', async (scene) => {
    const { grants } = scene.store
    const record = grant(scene.id('a'))
    const its = code(scene.id('a'))
    const next = { refresh_token: refreshToken(scene.id('a'), scene.id('t')), grant_expires_at: LATER + 9 }
    await grants.create(record, its)
    expect(await grants.redeemCode(scene.id('x'), next, NOW)).toBe(false)
    expect(await grants.rotateRefreshToken(scene.id('x'), next, NOW)).toBe(false)
    expect(await grants.findRefreshToken(scene.id('t'))).toBeNull()
    expect(await grants.findCode(its.code_hash)).toEqual({ code: its, grant: record })
  })

  rule('rotateRefreshToken: a spent token stays known, with all before it', async ({ store, id }) => {
    const tokens = Array.from({ length: 5 }, (_, n) => refreshToken(id('a'), id(`t${n}`)))
    await store.grants.create(grant(id('a')), code(id('a')))
    for (const [n, refresh_token] of tokens.entries()) {
      const next = { refresh_token, grant_expires_at: LATER + n }
      const won =
        n === 0
          ? await store.grants.redeemCode(id('a-code'), next, NOW)
          : await store.grants.rotateRefreshToken(id(`t${n - 1}`), next, NOW + n)
      expect(won).toBe(true)
    }
    const record = grant(id('a'), { expires_at: LATER + 4 })
    for (const [n, token] of tokens.entries()) {
      const refresh_token = { ...token, spent_at: n === 4 ? null : NOW + n + 1 }
      expect(await store.grants.findRefreshToken(id(`t${n}`))).toEqual({ refresh_token, grant: record })
    }
    const its = code(id('a'), { redeemed_at: NOW })
    expect(await store.grants.findCode(id('a-code'))).toEqual({ code: its, grant: record })
  })

  rule('rotateRefreshToken: false for a spent token, and nothing changes', async ({ store, id }) => {
    const first = refreshToken(id('a'), id('t1'))
    const second = refreshToken(id('a'), id('t2'))
    await store.grants.create(grant(id('a')), code(id('a')))
    await store.grants.redeemCode(id('a-code'), { refresh_token: first, grant_expires_at: LATER }, NOW)
    const next = { refresh_token: second, grant_expires_at: LATER + 1 }
    expect(await store.grants.rotateRefreshToken(id('t1'), next, NOW + 1)).toBe(true)
    const late = { refresh_token: refreshToken(id('a'), id('late')), grant_expires_at: LATER + 99 }
    expect(await store.grants.rotateRefreshToken(id('t1'), late, NOW + 99)).toBe(false)
    const record = grant(id('a'), { expires_at: LATER + 1 })
    const spent = { ...first, spent_at: NOW + 1 }
    expect(await store.grants.findRefreshToken(id('late'))).toBeNull()
    expect(await store.grants.findRefreshToken(id('t1'))).toEqual({ refresh_token: spent, grant: record })
    expect(await store.grants.findRefreshToken(id('t2'))).toEqual({ refresh_token: second, grant: record })
  })

  rule('rotateRefreshToken: forgets spent tokens that have expired', async ({ store, id }) => {
    const { grants } = store
    const first = refreshToken(id('a'), id('t1'), { expires_at: NOW + 10 })
    await grants.create(grant(id('a')), code(id('a')))
    await grants.redeemCode(id('a-code'), { refresh_token: first, grant_expires_at: LATER }, NOW)
    const next = (name: string) => ({
      refresh_token: refreshToken(id('a'), id(name)),
      grant_expires_at: LATER,
    })
    await grants.rotateRefreshToken(id('t1'), next('t2'), NOW + 1)
    await grants.rotateRefreshToken(id('t2'), next('t3'), NOW + 9)
    expect(await grants.findRefreshToken(id('t1'))).not.toBeNull()
    await grants.rotateRefreshToken(id('t3'), next('t4'), NOW + 10)
    expect(await grants.findRefreshToken(id('t1'))).toBeNull()
    for (const name of ['t2', 't3', 't4']) expect(await grants.findRefreshToken(id(name))).not.toBeNull()
  })

  rule(
    'rotateRefreshToken: keeps SPENT_REFRESH_TOKENS spent tokens of a grant, the newest',
    async (scene) => {
      const { grants } = scene.store
      const { id } = scene
      const token = (n: number) =>
        refreshToken(id('a'), id(`t${n}`), { created_at: NOW + n, expires_at: LATER + n })
      await grants.create(grant(id('a')), code(id('a')))
      await grants.redeemCode(id('a-code'), { refresh_token: token(0), grant_expires_at: LATER }, NOW)
      const rotations = SPENT_REFRESH_TOKENS + 2
      for (let n = 0; n < rotations; n += 1) {
        const next = { refresh_token: token(n + 1), grant_expires_at: LATER }
        expect(await grants.rotateRefreshToken(id(`t${n}`), next, NOW)).toBe(true)
      }
      const found = async (n: number) => (await grants.findRefreshToken(id(`t${n}`))) !== null
      expect(await Promise.all([0, 1, 2, 3, rotations - 1, rotations].map(found))).toEqual([
        false,
        false,
        true,
        true,
        true,
        true,
      ])
    },
  )

  rule('rotateRefreshToken: works without a successor', async ({ store, id }) => {
    const token = refreshToken(id('a'), id('t'))
    await store.grants.create(grant(id('a')), code(id('a')))
    await store.grants.redeemCode(id('a-code'), { refresh_token: token, grant_expires_at: LATER }, NOW)
    const next = { refresh_token: null, grant_expires_at: LATER }
    expect(await store.grants.rotateRefreshToken(id('t'), next, NOW + 1)).toBe(true)
    expect(await store.grants.findRefreshToken(id('t'))).toEqual({
      refresh_token: { ...token, spent_at: NOW + 1 },
      grant: grant(id('a')),
    })
  })

  rule('revoke: by grant_id, once; code and tokens show it', async ({ store, id }) => {
    const token = refreshToken(id('a'), id('t'))
    for (const name of ['a', 'b']) await store.grants.create(grant(id(name)), code(id(name)))
    await store.grants.redeemCode(id('a-code'), { refresh_token: token, grant_expires_at: LATER }, NOW)
    expect(await store.grants.revoke({ grant_id: id('a') }, NOW + 1)).toBe(1)
    expect(await store.grants.revoke({ grant_id: id('a') }, NOW + 2)).toBe(0)
    expect(await store.grants.revoke({ grant_id: id('x') }, NOW + 2)).toBe(0)
    const record = grant(id('a'), { revoked_at: NOW + 1 })
    expect(await store.grants.find(id('a'))).toEqual(record)
    expect(await store.grants.findCode(id('a-code'))).toMatchObject({ grant: record })
    expect(await store.grants.findRefreshToken(id('t'))).toEqual({ refresh_token: token, grant: record })
    expect(await store.grants.find(id('b'))).toEqual(grant(id('b')))
  })

  rule("revoke: by sid, the session's grants that do not outlive it", async ({ store, id }) => {
    const ofSession = { sid: id('s') }
    const records = [
      grant(id('a'), ofSession),
      grant(id('b'), { ...ofSession, sub: 'other', client_id: 'other' }),
      grant(id('done'), { ...ofSession, revoked_at: NOW - 9 }),
      grant(id('offline'), { ...ofSession, offline: true }),
      grant(id('elsewhere'), { sid: id('s2') }),
    ]
    for (const record of records) await store.grants.create(record, code(record.grant_id))
    expect(await store.grants.revoke(ofSession, NOW)).toBe(2)
    expect(await store.grants.revoke(ofSession, NOW + 1)).toBe(0)
    expect(await store.grants.revoke({ sid: id('x') }, NOW)).toBe(0)
    const found = await Promise.all(records.map(({ grant_id }) => store.grants.find(grant_id)))
    expect(found.map((record) => record?.revoked_at)).toEqual([NOW, NOW, NOW - 9, null, null])
  })

  rule('revoke: by user and client, offline grants too', async ({ store, id }) => {
    const pair = { sub: id('sub'), client_id: id('client') }
    const records = [
      grant(id('a'), pair),
      grant(id('offline'), { ...pair, offline: true }),
      grant(id('done'), { ...pair, revoked_at: NOW - 9 }),
      grant(id('other-user'), { ...pair, sub: id('sub2') }),
      grant(id('other-client'), { ...pair, client_id: id('client2') }),
    ]
    for (const record of records) await store.grants.create(record, code(record.grant_id))
    expect(await store.grants.revoke(pair, NOW)).toBe(2)
    expect(await store.grants.revoke(pair, NOW + 1)).toBe(0)
    expect(await store.grants.revoke({ sub: pair.client_id, client_id: pair.sub }, NOW)).toBe(0)
    const found = await Promise.all(records.map(({ grant_id }) => store.grants.find(grant_id)))
    expect(found.map((record) => record?.revoked_at)).toEqual([NOW, NOW, NOW - 9, null, null])
  })

  rule('revoke: by user alone, by resource, and without what outlives a session', async ({ store, id }) => {
    const of = { sub: id('sub'), client_id: id('client') }
    const records = [
      grant(id('none'), { ...of, resource: null }),
      grant(id('at-a'), { ...of, resource: 'https://a.example/' }),
      grant(id('at-b'), { ...of, resource: 'https://b.example/' }),
      grant(id('offline'), { ...of, client_id: id('other'), resource: null, offline: true }),
      grant(id('elsewhere'), { ...of, sub: id('sub2') }),
    ]
    for (const record of records) await store.grants.create(record, code(record.grant_id))
    const live = async () => {
      const found = await Promise.all(records.map(({ grant_id }) => store.grants.find(grant_id)))
      return found.flatMap((record) => (record?.revoked_at === null ? record.grant_id : []))
    }
    expect(await store.grants.revoke({ ...of, resource: 'https://a.example/' }, NOW)).toBe(1)
    expect(await live()).toEqual(['none', 'at-b', 'offline', 'elsewhere'].map(id))
    expect(await store.grants.revoke({ ...of, resource: null }, NOW)).toBe(1)
    expect(await live()).toEqual(['at-b', 'offline', 'elsewhere'].map(id))
    expect(await store.grants.revoke({ sub: of.sub, offline: false }, NOW)).toBe(1)
    expect(await live()).toEqual(['offline', 'elsewhere'].map(id))
    expect(await store.grants.revoke({ sub: of.sub }, NOW)).toBe(1)
    expect(await live()).toEqual([id('elsewhere')])
  })

  rule('list: the live grants of a person', async ({ store, id }) => {
    const sub = id('sub')
    const records = [
      grant(id('a'), { sub }),
      grant(id('b'), { sub, client_id: 'other', offline: true, resource: null }),
      grant(id('revoked'), { sub, revoked_at: NOW }),
      grant(id('expired'), { sub, expires_at: LATER }),
      grant(id('elsewhere'), { sub: id('sub2') }),
    ]
    for (const record of records) await store.grants.create(record, code(record.grant_id))
    await store.grants.redeemCode(id('a-code'), { refresh_token: null, grant_expires_at: LATER + 5 }, NOW)
    const names = async (now: number) => (await store.grants.list(sub, now)).map((one) => one.grant_id).sort()
    expect(await names(LATER - 1)).toEqual([id('a'), id('b'), id('expired')].sort())
    expect(await names(LATER)).toEqual([id('a')])
    expect(await store.grants.list(sub, LATER)).toEqual([{ ...records[0], expires_at: LATER + 5 }])
    await store.grants.revoke({ sub }, NOW)
    expect(await store.grants.list(sub, NOW)).toEqual([])
  })

  rule('revoke: user and client that read the same when joined are still apart', async ({ store, id }) => {
    for (const mark of [':', '|', ',', ' ', '/', '"', '.', '-']) {
      const record = grant(id(mark), { sub: id(`a${mark}b`), client_id: 'c' })
      await store.grants.create(record, code(record.grant_id))
      expect(await store.grants.revoke({ sub: id('a'), client_id: `b${mark}c` }, NOW)).toBe(0)
    }
  })

  rule('revoke: what is redeemed or rotated afterwards is still revoked', async ({ store, id }) => {
    const token = refreshToken(id('a'), id('t'))
    const next = { refresh_token: refreshToken(id('a'), id('t2')), grant_expires_at: LATER + 1 }
    await store.grants.create(grant(id('a')), code(id('a')))
    await store.grants.revoke({ grant_id: id('a') }, NOW)
    await store.grants.redeemCode(id('a-code'), { refresh_token: token, grant_expires_at: LATER }, NOW + 1)
    await store.grants.rotateRefreshToken(id('t'), next, NOW + 2)
    expect(await store.grants.find(id('a'))).toMatchObject({ revoked_at: NOW })
  })
}
