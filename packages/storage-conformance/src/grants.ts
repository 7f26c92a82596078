import { expect } from 'vitest'
import {
  code,
  grant,
  LATER,
  LONG_AGO,
  LONG_TEXT,
  NOW,
  ODD_LIST,
  ODD_TEXT,
  redemption,
  refreshToken,
} from './records.js'
import type { Rules } from './rule.js'

export function grantRules({ rule }: Rules): void {
  rule('create: grant and code are found exactly as they were stored', async ({ store, id }) => {
    const none = { scopes: [], resource: null, auth_time: null, amr: [], acr: null }
    const cases = [
      [grant(id('a')), code(id('a'))],
      [
        grant(id('b'), { ...none, offline: true, revoked_at: NOW }),
        code(id('b'), { redirect_uri_sent: false, nonce: null, code_challenge: null }),
      ],
      [
        grant(id('c'), { scopes: ODD_LIST, amr: ODD_LIST, acr: ODD_TEXT }),
        code(id('c'), { nonce: LONG_TEXT }),
      ],
      [grant(id('d'), { client_auth: null }), code(id('d'), { redeemed_at: NOW, expires_at: LONG_AGO })],
    ] as const
    for (const [record, codeRecord] of cases) await store.grants.create(record, codeRecord)
    for (const [record, codeRecord] of cases) {
      expect(await store.grants.find(record.grant_id)).toEqual(record)
      expect(await store.grants.findCode(codeRecord.code_hash)).toEqual({ code: codeRecord, grant: record })
    }
  })

  rule('find, findCode, findRefreshToken: null when unknown', async ({ store, id }) => {
    await store.grants.create(grant(id('a')), code(id('a')))
    for (const unknown of [id('x'), ...ODD_LIST]) {
      expect(await store.grants.find(unknown)).toBeNull()
      expect(await store.grants.findCode(unknown)).toBeNull()
      expect(await store.grants.findRefreshToken(unknown)).toBeNull()
    }
  })

  rule('a code is not found as a refresh token, nor a refresh token as a code', async ({ store, id }) => {
    const record = grant(id('a'))
    const codeRecord = code(id('a'))
    const token = refreshToken(id('a'), id('t'))
    const next = redemption(refreshToken(id('a'), id('t2')))
    await store.grants.create(record, codeRecord)
    await store.grants.redeemCode(codeRecord.code_hash, redemption(token), NOW)
    expect(await store.grants.findRefreshToken(codeRecord.code_hash)).toBeNull()
    expect(await store.grants.findCode(token.token_hash)).toBeNull()
    expect(await store.grants.rotateRefreshToken(codeRecord.code_hash, next, NOW)).toBe(false)
    expect(await store.grants.redeemCode(token.token_hash, next, NOW)).toBe(false)
    expect(await store.grants.findRefreshToken(token.token_hash)).toMatchObject({ refresh_token: token })
  })

  rule('redeemCode: marks the code, renews the grant, stores the refresh token', async ({ store, id }) => {
    const record = grant(id('a'), { client_auth: null })
    const codeRecord = code(id('a'))
    const token = refreshToken(id('a'), id('t'))
    await store.grants.create(record, codeRecord)
    await store.grants.create(grant(id('b')), code(id('b')))
    const next = { ...redemption(token, LATER + 7), client_auth: 'private_key_jwt' as const }
    expect(await store.grants.redeemCode(codeRecord.code_hash, next, NOW + 1)).toBe(true)
    const renewed = { ...record, expires_at: LATER + 7, client_auth: 'private_key_jwt' }
    const redeemed = { ...codeRecord, redeemed_at: NOW + 1 }
    expect(await store.grants.find(id('a'))).toEqual(renewed)
    expect(await store.grants.findCode(codeRecord.code_hash)).toEqual({ code: redeemed, grant: renewed })
    expect(await store.grants.findRefreshToken(id('t'))).toEqual({ refresh_token: token, grant: renewed })
    expect(await store.grants.findCode(id('b-code'))).toEqual({ code: code(id('b')), grant: grant(id('b')) })
  })

  rule(
    'redeemCode: works without a refresh token, and may set an earlier expiry of the grant',
    async ({ store, id }) => {
      await store.grants.create(grant(id('a')), code(id('a')))
      const next = redemption(null, LATER - 7)
      expect(await store.grants.redeemCode(id('a-code'), next, NOW)).toBe(true)
      expect(await store.grants.findCode(id('a-code'))).toEqual({
        code: code(id('a'), { redeemed_at: NOW }),
        grant: grant(id('a'), { expires_at: LATER - 7 }),
      })
    },
  )

  rule('redeemCode: false the second time, and nothing changes', async ({ store, id }) => {
    const record = grant(id('a'))
    const codeRecord = code(id('a'))
    const token = refreshToken(id('a'), id('t'))
    await store.grants.create(record, codeRecord)
    await store.grants.redeemCode(codeRecord.code_hash, redemption(token), NOW)
    const late = redemption(refreshToken(id('a'), id('late')), LATER + 99)
    expect(await store.grants.redeemCode(codeRecord.code_hash, late, NOW + 99)).toBe(false)
    const redeemed = { ...codeRecord, redeemed_at: NOW }
    expect(await store.grants.findCode(codeRecord.code_hash)).toEqual({ code: redeemed, grant: record })
    expect(await store.grants.findRefreshToken(id('late'))).toBeNull()
    expect(await store.grants.findRefreshToken(id('t'))).toEqual({ refresh_token: token, grant: record })
  })

  rule(
    'redeemCode, rotateRefreshToken: false for an unknown hash, and nothing is stored',
    async (context) => {
      const { grants } = context.store
      const record = grant(context.id('a'))
      const codeRecord = code(context.id('a'))
      const next = redemption(refreshToken(context.id('a'), context.id('t')), LATER + 9)
      await grants.create(record, codeRecord)
      expect(await grants.redeemCode(context.id('x'), next, NOW)).toBe(false)
      expect(await grants.rotateRefreshToken(context.id('x'), next, NOW)).toBe(false)
      expect(await grants.findRefreshToken(context.id('t'))).toBeNull()
      expect(await grants.findCode(codeRecord.code_hash)).toEqual({ code: codeRecord, grant: record })
    },
  )

  rule('rotateRefreshToken: the grant keeps its client_auth', async ({ store, id, person }) => {
    const next = {
      ...redemption(refreshToken(id('a'), id('t1'))),
      client_auth: 'client_secret_post' as const,
    }
    await store.grants.create(grant(id('a'), { client_auth: null }), code(id('a')))
    await store.grants.redeemCode(id('a-code'), next, NOW)
    const rotation = { refresh_token: refreshToken(id('a'), id('t2')), grant_expires_at: LATER }
    expect(await store.grants.rotateRefreshToken(id('t1'), rotation, NOW)).toBe(true)
    const record = grant(id('a'), { client_auth: 'client_secret_post' })
    expect(await store.grants.find(id('a'))).toEqual(record)
    expect(await store.grants.list(person(), NOW)).toEqual([record])
    expect(await store.grants.findRefreshToken(id('t2'))).toMatchObject({ grant: record })
  })

  rule('redeemCode: a later redemption does not change client_auth', async ({ store, id }) => {
    const by = (client_auth: 'none' | 'private_key_jwt') => ({ ...redemption(null), client_auth })
    await store.grants.create(grant(id('a'), { client_auth: null }), code(id('a')))
    expect(await store.grants.redeemCode(id('a-code'), by('private_key_jwt'), NOW)).toBe(true)
    expect(await store.grants.redeemCode(id('a-code'), by('none'), NOW)).toBe(false)
    expect(await store.grants.find(id('a'))).toMatchObject({ client_auth: 'private_key_jwt' })
  })

  rule('rotateRefreshToken: spent tokens are still found', async ({ store, id }) => {
    const tokens = Array.from({ length: 5 }, (_, n) => refreshToken(id('a'), id(`t${n}`)))
    await store.grants.create(grant(id('a')), code(id('a')))
    for (const [n, refresh_token] of tokens.entries()) {
      const next = redemption(refresh_token, LATER + n)
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
    const codeRecord = code(id('a'), { redeemed_at: NOW })
    expect(await store.grants.findCode(id('a-code'))).toEqual({ code: codeRecord, grant: record })
  })

  rule('rotateRefreshToken: false for a spent token, and nothing changes', async ({ store, id }) => {
    const first = refreshToken(id('a'), id('t1'))
    const second = refreshToken(id('a'), id('t2'))
    await store.grants.create(grant(id('a')), code(id('a')))
    await store.grants.redeemCode(id('a-code'), redemption(first), NOW)
    const next = redemption(second, LATER + 1)
    expect(await store.grants.rotateRefreshToken(id('t1'), next, NOW + 1)).toBe(true)
    const late = redemption(refreshToken(id('a'), id('late')), LATER + 99)
    expect(await store.grants.rotateRefreshToken(id('t1'), late, NOW + 99)).toBe(false)
    const record = grant(id('a'), { expires_at: LATER + 1 })
    const spent = { ...first, spent_at: NOW + 1 }
    expect(await store.grants.findRefreshToken(id('late'))).toBeNull()
    expect(await store.grants.findRefreshToken(id('t1'))).toEqual({ refresh_token: spent, grant: record })
    expect(await store.grants.findRefreshToken(id('t2'))).toEqual({ refresh_token: second, grant: record })
  })

  rule('renewRefreshToken: sets the end of the token and of its grant, each time', async ({ store, id }) => {
    const { grants } = store
    const token = refreshToken(id('a'), id('t'))
    await grants.create(grant(id('a')), code(id('a')))
    await grants.create(grant(id('b')), code(id('b')))
    await grants.redeemCode(id('a-code'), redemption(token), NOW)
    await grants.redeemCode(id('b-code'), redemption(refreshToken(id('b'), id('other'))), NOW)
    for (const later of [7, 99_999, 3]) {
      const renewal = { expires_at: LATER + later, grant_expires_at: LATER + later + 1 }
      expect(await grants.renewRefreshToken(id('t'), renewal)).toBe(true)
      expect(await grants.findRefreshToken(id('t'))).toEqual({
        refresh_token: { ...token, expires_at: LATER + later },
        grant: grant(id('a'), { expires_at: LATER + later + 1 }),
      })
    }
    expect(await grants.findRefreshToken(id('other'))).toEqual({
      refresh_token: refreshToken(id('b'), id('other')),
      grant: grant(id('b')),
    })
    expect(await grants.findCode(id('a-code'))).toMatchObject({ code: { redeemed_at: NOW } })
  })

  rule('renewRefreshToken: a token that was renewed can be rotated', async ({ store, id }) => {
    const { grants } = store
    await grants.create(grant(id('a')), code(id('a')))
    await grants.redeemCode(id('a-code'), redemption(refreshToken(id('a'), id('t1'))), NOW)
    await grants.renewRefreshToken(id('t1'), { expires_at: LATER + 5, grant_expires_at: LATER + 5 })
    const next = redemption(refreshToken(id('a'), id('t2')), LATER + 9)
    expect(await grants.rotateRefreshToken(id('t1'), next, NOW + 1)).toBe(true)
    const record = grant(id('a'), { expires_at: LATER + 9 })
    expect(await grants.findRefreshToken(id('t1'))).toEqual({
      refresh_token: { ...refreshToken(id('a'), id('t1')), expires_at: LATER + 5, spent_at: NOW + 1 },
      grant: record,
    })
    expect(await grants.findRefreshToken(id('t2'))).toMatchObject({ grant: record })
  })

  rule(
    'renewRefreshToken: false for a spent or unknown token and for a code, and nothing changes',
    async ({ store, id }) => {
      const { grants } = store
      const first = refreshToken(id('a'), id('t1'))
      const second = refreshToken(id('a'), id('t2'))
      const renewal = { expires_at: LATER + 99, grant_expires_at: LATER + 99 }
      await grants.create(grant(id('a')), code(id('a')))
      expect(await grants.renewRefreshToken(id('a-code'), renewal)).toBe(false)
      await grants.redeemCode(id('a-code'), redemption(first), NOW)
      await grants.rotateRefreshToken(id('t1'), redemption(second), NOW)
      for (const refused of ['t1', 'a-code', 'unknown'])
        expect(await grants.renewRefreshToken(id(refused), renewal)).toBe(false)
      const spent = { ...first, spent_at: NOW }
      expect(await grants.findRefreshToken(id('t1'))).toEqual({ refresh_token: spent, grant: grant(id('a')) })
      expect(await grants.findRefreshToken(id('t2'))).toEqual({
        refresh_token: second,
        grant: grant(id('a')),
      })
      expect(await grants.findCode(id('a-code'))).toMatchObject({ code: code(id('a'), { redeemed_at: NOW }) })
    },
  )

  rule('renewRefreshToken: a revoked grant stays revoked', async ({ store, id }) => {
    const { grants } = store
    await grants.create(grant(id('a')), code(id('a')))
    await grants.redeemCode(id('a-code'), redemption(refreshToken(id('a'), id('t'))), NOW)
    await grants.revoke({ grant_id: id('a') }, NOW)
    await grants.renewRefreshToken(id('t'), { expires_at: LATER + 5, grant_expires_at: LATER + 5 })
    expect(await grants.find(id('a'))).toMatchObject({ revoked_at: NOW })
  })

  rule('rotateRefreshToken: works without a next token', async ({ store, id }) => {
    const token = refreshToken(id('a'), id('t'))
    await store.grants.create(grant(id('a')), code(id('a')))
    await store.grants.redeemCode(id('a-code'), redemption(token), NOW)
    const next = redemption(null)
    expect(await store.grants.rotateRefreshToken(id('t'), next, NOW + 1)).toBe(true)
    expect(await store.grants.findRefreshToken(id('t'))).toEqual({
      refresh_token: { ...token, spent_at: NOW + 1 },
      grant: grant(id('a')),
    })
  })
}
