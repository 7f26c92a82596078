import { MAX_SPENT_REFRESH_TOKENS } from '@ostiary/core'
import { expect } from 'vitest'
import { code, grant, LATER, NOW, redemption, refreshToken } from './records.js'
import type { Rules } from './rule.js'

/** Which spent refresh tokens are kept, so that their reuse is detected. */
export function spentTokenRules({ rule }: Rules): void {
  rule('rotateRefreshToken: deletes spent tokens that have expired', async ({ store, id }) => {
    const { grants } = store
    const first = refreshToken(id('a'), id('t1'), { expires_at: NOW - 10 })
    await grants.create(grant(id('a')), code(id('a')))
    await grants.redeemCode(id('a-code'), redemption(first), NOW - 20)
    const next = (name: string) => redemption(refreshToken(id('a'), id(name)))
    await grants.rotateRefreshToken(id('t1'), next('t2'), NOW - 19)
    await grants.rotateRefreshToken(id('t2'), next('t3'), NOW - 11)
    expect(await grants.findRefreshToken(id('t1'))).not.toBeNull()
    await grants.rotateRefreshToken(id('t3'), next('t4'), NOW - 10)
    expect(await grants.findRefreshToken(id('t1'))).toBeNull()
    for (const name of ['t2', 't3', 't4']) expect(await grants.findRefreshToken(id(name))).not.toBeNull()
  })

  rule('rotateRefreshToken: deletes a spent token that expires before older ones', async ({ store, id }) => {
    const { grants } = store
    const next = (name: string, expires_at: number) =>
      redemption(refreshToken(id('a'), id(name), { expires_at }))
    await grants.create(grant(id('a')), code(id('a')))
    await grants.redeemCode(id('a-code'), next('t1', NOW + 20), NOW - 20)
    await grants.rotateRefreshToken(id('t1'), next('t2', NOW - 10), NOW - 20)
    await grants.rotateRefreshToken(id('t2'), next('t3', NOW + 30), NOW - 20)
    await grants.rotateRefreshToken(id('t3'), next('t4', NOW + 40), NOW - 10)
    expect(await grants.findRefreshToken(id('t2'))).toBeNull()
    for (const name of ['t1', 't3', 't4']) expect(await grants.findRefreshToken(id(name))).not.toBeNull()
  })

  rule(
    'rotateRefreshToken: keeps the newest MAX_SPENT_REFRESH_TOKENS spent tokens of a grant',
    async (context) => {
      const { grants } = context.store
      const { id } = context
      const token = (n: number) =>
        refreshToken(id('a'), id(`t${n}`), { created_at: NOW + n, expires_at: LATER + n })
      await grants.create(grant(id('a')), code(id('a')))
      await grants.redeemCode(id('a-code'), redemption(token(0)), NOW)
      const rotations = MAX_SPENT_REFRESH_TOKENS + 2
      for (let n = 0; n < rotations; n += 1) {
        const next = redemption(token(n + 1))
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
}
