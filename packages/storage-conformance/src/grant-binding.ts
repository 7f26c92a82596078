import { expect } from 'vitest'
import { code, grant, LATER, NOW, redemption, refreshToken } from './records.js'
import type { Rules } from './rule.js'

/** Thumbprints of two keys (RFC 7638). */
const JKT = 'NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs'
const OTHER_JKT = '0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I'

/** Tokens and codes that are bound to a key (RFC 9449 §5, §10). */
export function grantBindingRules({ rule }: Rules): void {
  rule('create: the keys of grant and code are found exactly as they were stored', async ({ store, id }) => {
    for (const [name, jkt, dpop_jkt] of [
      ['a', null, JKT],
      ['b', JKT, null],
      ['c', JKT, OTHER_JKT],
    ] as const) {
      const record = grant(id(name), { jkt })
      const codeRecord = code(id(name), { dpop_jkt })
      await store.grants.create(record, codeRecord)
      expect(await store.grants.find(id(name))).toEqual(record)
      expect(await store.grants.findCode(codeRecord.code_hash)).toEqual({ code: codeRecord, grant: record })
    }
  })

  rule('redeemCode: stores jkt, and rotations and renewals keep it', async ({ store, id, person }) => {
    const { grants } = store
    const codeRecord = code(id('a'), { dpop_jkt: JKT })
    await grants.create(grant(id('a')), codeRecord)
    await grants.create(grant(id('b')), code(id('b')))
    const next = { ...redemption(refreshToken(id('a'), id('t1'))), jkt: JKT }
    expect(await grants.redeemCode(codeRecord.code_hash, next, NOW)).toBe(true)
    const bound = grant(id('a'), { jkt: JKT })
    expect(await grants.findCode(codeRecord.code_hash)).toEqual({
      code: { ...codeRecord, redeemed_at: NOW },
      grant: bound,
    })
    const rotation = { refresh_token: refreshToken(id('a'), id('t2')), grant_expires_at: LATER }
    expect(await grants.rotateRefreshToken(id('t1'), rotation, NOW)).toBe(true)
    expect(await grants.findRefreshToken(id('t1'))).toMatchObject({ grant: bound })
    await grants.renewRefreshToken(id('t2'), { expires_at: LATER, grant_expires_at: LATER })
    expect(await grants.findRefreshToken(id('t2'))).toMatchObject({ grant: bound })
    expect(await grants.find(id('a'))).toEqual(bound)
    expect(await grants.list(person(), NOW)).toContainEqual(bound)
    expect(await grants.find(id('b'))).toEqual(grant(id('b')))
  })

  rule('redeemCode: jkt null is stored too, and a second redemption changes nothing', async (context) => {
    const { store, id } = context
    const by = (jkt: string | null) => ({ ...redemption(null), jkt })
    await store.grants.create(grant(id('a'), { jkt: JKT }), code(id('a')))
    expect(await store.grants.redeemCode(id('a-code'), by(null), NOW)).toBe(true)
    expect(await store.grants.find(id('a'))).toEqual(grant(id('a'), { jkt: null }))
    expect(await store.grants.redeemCode(id('a-code'), by(OTHER_JKT), NOW)).toBe(false)
    expect(await store.grants.find(id('a'))).toMatchObject({ jkt: null })
  })
}
