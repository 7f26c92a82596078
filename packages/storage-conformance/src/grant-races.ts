import type { CodeRedemption, RealmStorage } from '@ostiary/core'
import { expect } from 'vitest'
import { code, grant, LATER, NOW, redemption, refreshToken } from './records.js'
import { parallel, type RuleContext, type Rules, winnersOf } from './rule.js'

/** A different rotation for each caller, so that the stored token identifies the winner. */
const rotationOf = ({ id }: RuleContext, caller: number): CodeRedemption =>
  redemption(refreshToken(id('a'), id(`next-${caller}`)), LATER + caller)

async function withRefreshToken({ store, id }: RuleContext): Promise<void> {
  await store.grants.create(grant(id('a')), code(id('a')))
  const next = redemption(refreshToken(id('a'), id('t')))
  await store.grants.redeemCode(id('a-code'), next, NOW)
}

/** The numbers of the callers whose refresh tokens are stored. */
async function callersWithToken(store: RealmStorage, id: RuleContext['id']): Promise<number[]> {
  const found = await parallel(50, (caller) => store.grants.findRefreshToken(id(`next-${caller}`)))
  return winnersOf(found.map((token) => token !== null))
}

export function grantRaceRules({ rule }: Rules): void {
  rule('redeemCode: one of 50 parallel callers wins, and only its token is stored', async (context) => {
    const { store, id } = context
    await store.grants.create(grant(id('a')), code(id('a')))
    const winners = winnersOf(
      await parallel(50, (caller) =>
        store.grants.redeemCode(id('a-code'), rotationOf(context, caller), NOW + caller),
      ),
    )
    expect(winners).toHaveLength(1)
    const winner = winners[0] ?? -1
    expect(await callersWithToken(store, id)).toEqual([winner])
    expect(await store.grants.findCode(id('a-code'))).toEqual({
      code: code(id('a'), { redeemed_at: NOW + winner }),
      grant: grant(id('a'), { expires_at: LATER + winner }),
    })
  })

  rule(
    'rotateRefreshToken: one of 50 parallel callers wins, and only its token is stored',
    async (context) => {
      const { store, id } = context
      await withRefreshToken(context)
      const winners = winnersOf(
        await parallel(50, (caller) =>
          store.grants.rotateRefreshToken(id('t'), rotationOf(context, caller), NOW + caller),
        ),
      )
      expect(winners).toHaveLength(1)
      const winner = winners[0] ?? -1
      expect(await callersWithToken(store, id)).toEqual([winner])
      expect(await store.grants.findRefreshToken(id('t'))).toEqual({
        refresh_token: { ...refreshToken(id('a'), id('t')), spent_at: NOW + winner },
        grant: grant(id('a'), { expires_at: LATER + winner }),
      })
    },
  )

  rule('renewRefreshToken: 50 parallel callers all succeed', async (context) => {
    const { store, id } = context
    await withRefreshToken(context)
    const renewal = { expires_at: LATER + 5, grant_expires_at: LATER + 9 }
    const results = await parallel(50, () => store.grants.renewRefreshToken(id('t'), renewal))
    expect(winnersOf(results)).toHaveLength(50)
    expect(await store.grants.findRefreshToken(id('t'))).toEqual({
      refresh_token: { ...refreshToken(id('a'), id('t')), expires_at: LATER + 5 },
      grant: grant(id('a'), { expires_at: LATER + 9 }),
    })
  })

  rule('renewRefreshToken: of a token that is spent meanwhile, nothing is renewed', async (context) => {
    const { store, id } = context
    await withRefreshToken(context)
    const renewal = { expires_at: LATER + 77, grant_expires_at: LATER + 77 }
    const renewed = { ...refreshToken(id('a'), id('t')), expires_at: LATER + 77 }
    const results = await parallel(50, (caller) =>
      caller === 25
        ? store.grants.rotateRefreshToken(id('t'), rotationOf(context, caller), NOW)
        : store.grants.renewRefreshToken(id('t'), renewal),
    )
    expect(results[25]).toBe(true)
    const found = await store.grants.findRefreshToken(id('t'))
    const before = winnersOf(results).length > 1 ? renewed : refreshToken(id('a'), id('t'))
    // The rotation has the last word about the end of the grant: it spends the token, and no renewal follows.
    expect(found).toEqual({
      refresh_token: { ...before, spent_at: NOW },
      grant: grant(id('a'), { expires_at: LATER + 25 }),
    })
  })

  rule('redeemCode: parallel redemptions of different codes all win', async ({ store, id }) => {
    await parallel(50, (n) => store.grants.create(grant(id(`${n}`)), code(id(`${n}`))))
    const results = await parallel(50, (n) => {
      const refresh_token = refreshToken(id(`${n}`), id(`t${n}`))
      return store.grants.redeemCode(id(`${n}-code`), redemption(refresh_token), NOW)
    })
    expect(winnersOf(results)).toHaveLength(50)
    const found = await parallel(50, (n) => store.grants.findRefreshToken(id(`t${n}`)))
    expect(found.map((token) => token?.grant.grant_id)).toEqual(found.map((_, n) => id(`${n}`)))
  })

  rule('revoke: 50 parallel callers count each grant once', async ({ store, id }) => {
    const sid = id('s')
    await parallel(3, (n) => store.grants.create(grant(id(`${n}`), { sid }), code(id(`${n}`))))
    const counts = await parallel(50, () => store.grants.revoke({ sid }, NOW))
    expect(counts.reduce((sum, count) => sum + count)).toBe(3)
  })

  rule('revoke: a concurrent redemption or rotation does not undo it', async (context) => {
    const { store, id, person } = context
    const { grants } = store
    await withRefreshToken(context)
    await grants.create(grant(id('b')), code(id('b')))
    const next = redemption(null, LATER + 9)
    await parallel(50, async (caller): Promise<unknown> => {
      if (caller === 25) return grants.revoke({ sub: person(), client_id: 'client' }, NOW)
      return caller % 2
        ? grants.redeemCode(id('b-code'), next, NOW)
        : grants.rotateRefreshToken(id('t'), next, NOW)
    })
    for (const name of ['a', 'b']) {
      expect(await grants.find(id(name))).toMatchObject({ revoked_at: NOW, expires_at: LATER + 9 })
    }
  })
}
