import { expect } from 'vitest'
import { elsewhere } from './ids.js'
import { code, grant, NOW, redemption, refreshToken, session } from './records.js'
import type { Rules } from './rule.js'

/** Records of several people, whose tags differ: a storage may keep each person's records in another place. */
export function peopleRules({ rule }: Rules): void {
  rule('each person has their own records', async ({ store: { consents, grants, sessions }, id, person }) => {
    const ann = person('ann')
    const people = [ann, elsewhere(ann), elsewhere(elsewhere(ann))]
    const resource = 'https://a.example/'
    for (const sub of people) {
      await sessions.create(session(id('s', sub), { sub }))
      await grants.create(grant(id('g', sub), { sub, sid: id('s', sub) }), code(id('g', sub)))
      await grants.redeemCode(id('g-code', sub), redemption(refreshToken(id('g', sub), id('t', sub))), NOW)
      await consents.merge({ sub, client_id: 'client', approved: [{ resource, scopes: ['a'] }] }, NOW)
    }
    const [ended = ''] = people
    expect(await grants.revoke({ sid: id('s', ended) }, NOW)).toBe(1)
    expect(await consents.revoke({ sub: ended, client_id: 'client' }, NOW)).toBe(1)
    await sessions.end(id('s', ended), NOW, 30)
    for (const sub of people) {
      const is_ended = sub === ended
      const found = await grants.findRefreshToken(id('t', sub))
      expect(found?.grant).toEqual(
        grant(id('g', sub), { sub, sid: id('s', sub), revoked_at: is_ended ? NOW : null }),
      )
      expect((await grants.list(sub, NOW)).map(({ grant_id }) => grant_id)).toEqual(
        is_ended ? [] : [id('g', sub)],
      )
      expect(await sessions.list(sub)).toEqual(is_ended ? [] : [session(id('s', sub), { sub })])
      expect((await consents.list(sub)).map(({ revoked_at }) => revoked_at)).toEqual([is_ended ? NOW : null])
    }
  })

  rule(
    'a text with the tag of another person finds nothing and changes nothing',
    async ({ store: { grants, sessions }, id, person }) => {
      const other = elsewhere(person())
      const next = redemption(refreshToken(id('g', other), id('t2', other)))
      await sessions.create(session(id('s')))
      await grants.create(grant(id('g')), code(id('g')))
      expect(await grants.find(id('g', other))).toBeNull()
      expect(await grants.findCode(id('g-code', other))).toBeNull()
      expect(await grants.redeemCode(id('g-code', other), next, NOW)).toBe(false)
      expect(await grants.revoke({ grant_id: id('g', other) }, NOW)).toBe(0)
      expect(await grants.redeemCode(id('g-code'), redemption(refreshToken(id('g'), id('t'))), NOW)).toBe(
        true,
      )
      expect(await grants.findRefreshToken(id('t', other))).toBeNull()
      expect(await grants.rotateRefreshToken(id('t', other), next, NOW)).toBe(false)
      expect(await grants.renewRefreshToken(id('t', other), { expires_at: NOW, grant_expires_at: NOW })).toBe(
        false,
      )
      expect(await grants.findRefreshToken(id('t'))).toMatchObject({
        refresh_token: { spent_at: null },
      })
      expect(await sessions.find(id('s-hash', other))).toBeNull()
      expect(await sessions.join(id('s', other), 'client')).toBe(false)
      expect(await sessions.end(id('s', other), NOW, 30)).toBeNull()
      expect(await sessions.find(id('s-hash'))).toEqual(session(id('s')))
    },
  )
}
