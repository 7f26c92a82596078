/** Claims of users in access tokens (RFC 9068 §2.2.2, §2.2.3.1), and what no claim can replace. */

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { userClaims } from '../src/realm/claims.js'
import { claimsOf, EVERYWHERE, start, withAttributes } from './claims.js'
import { ACCESS_TOKEN_CLAIMS, PROTOCOL_CLAIMS } from './protocol-claim-names.js'
import { redeem, tokens } from './support.js'

const PROTOCOL = [...PROTOCOL_CLAIMS, ...ACCESS_TOKEN_CLAIMS]

describe('an access token of more than 4 KiB', () => {
  const claims = {
    level: { scopes: ['hr'], targets: ['access_token' as const] },
    department: { scopes: ['hr'], targets: ['access_token' as const] },
  }
  const large = (characters: number) =>
    withAttributes({ level: 'y'.repeat(200), department: 'x'.repeat(characters) })

  it('is refused when it is made; the event names the claim, and nothing is spent', async () => {
    const w = await start({ scopes: { hr: {} }, claims })
    const { code } = await w.browser().code({ scope: 'openid hr' })
    w.accounts.set('alice', large(4000))
    const refused = await redeem(w, code)
    expect([refused.status, refused.body]).toEqual([
      400,
      {
        error: 'invalid_scope',
        error_description: 'The claims of these scopes make the access token too large',
      },
    ])
    const [client_id, sub] = ['app', 'alice']
    expect(w.events.slice(-2)).toMatchObject([
      { type: 'access_token.too_large', client_id, sub, claim: 'department' },
      { type: 'request.refused', error: 'invalid_scope', reason: 'access_token_too_large' },
    ])
    expect(w.events.map(({ type }) => type)).not.toContain('token.issued')

    w.accounts.set('alice', large(10))
    const redeemed = await redeem(w, code)
    expect(redeemed.status).toBe(200)

    w.accounts.set('alice', large(4000))
    const form = { grant_type: 'refresh_token', client_id: 'app', refresh_token: redeemed.body.refresh_token }
    expect((await tokens(w, form)).body.error).toBe('invalid_scope')
    // The client gets on with fewer scopes.
    expect((await tokens(w, { ...form, scope: 'openid' })).status).toBe(200)
  })

  it('is measured as it is sent: 4,096 characters are issued, one more is not', async () => {
    const w = await start({ scopes: { hr: {} }, claims })
    const issued = async (characters: number): Promise<string | undefined> => {
      w.accounts.set('alice', large(characters))
      return (await redeem(w, (await w.browser().code({ scope: 'hr' })).code)).body.access_token
    }
    const [head = '', payload = '', signature = ''] = (await issued(2000))?.split('.') ?? []
    const others = Buffer.from(payload, 'base64url').length - 2000
    // Three characters of the claim are four of the token.
    const lengthOf = (characters: number) =>
      [head, '.', '.', signature].join('').length + Math.ceil(((others + characters) * 4) / 3)
    const most = Array.from({ length: 2000 }, (_, n) => 2000 + n).findLast((n) => lengthOf(n) <= 4096) ?? 0
    expect((await issued(most))?.length).toBe(lengthOf(most))
    expect(lengthOf(most)).toBe(4096)
    expect(await issued(most + 1)).toBeUndefined()
  })

  it('is issued when its scopes make it large, and no claim', async () => {
    const scopes = Object.fromEntries(
      Array.from({ length: 200 }, (_, n) => [`scope-${n}-${'x'.repeat(10)}`, {}]),
    )
    const w = await start({ scopes, claims: { level: { scopes: ['openid'], targets: ['access_token'] } } })
    const refresh = async (scope: string) => {
      const { body } = await redeem(w, (await w.browser().code({ scope })).code)
      return body.access_token?.length ?? 0
    }
    expect(await refresh(Object.keys(scopes).join(' '))).toBeGreaterThan(4096)
  })
})

describe("the application's resolver", () => {
  it('is asked for access tokens, and wins over oidc.claims', async () => {
    const w = await start(
      {
        claims: {
          department: { scopes: ['openid'], targets: ['access_token'] },
          level: { scopes: ['openid'] },
        },
      },
      {
        claims: async (_, scopes, target) =>
          target === 'access_token' ? { department: 'by the resolver', scopes_seen: scopes } : { target },
      },
    )
    const { access_token, id_token } = await claimsOf(w, 'openid')
    expect(access_token).toMatchObject({ department: 'by the resolver', scopes_seen: ['openid'] })
    expect(id_token).toMatchObject({ level: 3, target: 'id_token' })
    expect(access_token).not.toHaveProperty('target')
  })

  it('when it fails, the answer is server_error and nothing is spent', async () => {
    let fails = true
    const claims = async () => {
      if (fails) throw new Error('the directory is away')
      return {}
    }
    const w = await start({}, { claims })
    const { code } = await w.browser().code()
    expect((await redeem(w, code)).body.error).toBe('server_error')
    fails = false
    expect((await redeem(w, code)).status).toBe(200)
  })
})

describe('no mapping and no resolver can override a protocol claim', () => {
  it.each(PROTOCOL)('%s: a resolver that returns it has it dropped of the access token', async (name) => {
    const w = await start({}, { claims: () => ({ [name]: 'forged', team: 'blue' }) })
    const { access_token } = await claimsOf(w, 'openid')
    expect(access_token.team).toBe('blue')
    expect(JSON.stringify(access_token)).not.toContain('forged')
  })

  const anyName = fc.oneof(
    fc.constantFrom(...PROTOCOL, 'groups', 'email', '__proto__', 'constructor'),
    fc.string(),
  )
  const anyClaims = fc.dictionary(anyName, fc.jsonValue())
  /** So few that a token stays below 4 KiB. */
  const fewClaims = fc.dictionary(anyName, fc.jsonValue({ maxDepth: 1 }), { maxKeys: 5 })

  it('in any target, for any mapping, attributes and resolver', async () => {
    const mapping = fc.record({
      claim: anyName,
      attribute: anyName,
      scopes: fc.constant([{ scope: 'openid', resource: null }]),
      targets: fc.subarray([...EVERYWHERE]),
    })
    const property = fc.asyncProperty(
      fc.array(mapping),
      anyClaims,
      fc.option(anyClaims, { nil: undefined }),
      async (mappings, attributes, own) => {
        const resolve = userClaims(mappings, own && (() => own))
        for (const target of EVERYWHERE) {
          const subject = { user: withAttributes(attributes), scopes: ['openid'], audience: 'a' }
          const claims = await resolve(subject, target)
          const dropped = target === 'access_token' ? PROTOCOL : PROTOCOL_CLAIMS
          expect(dropped.filter((name) => Object.hasOwn(claims, name))).toEqual([])
        }
      },
    )
    await fc.assert(property, { numRuns: 300 })
  })

  it('a token has the same protocol claims with any mapping and resolver as without', async () => {
    const bare = await start({})
    const jti = expect.any(String)
    const without = await claimsOf(bare, 'openid')
    const property = fc.asyncProperty(fewClaims, fewClaims, async (attributes, own) => {
      const w = await start(
        { claims: { email: { attribute: 'sub', scopes: ['openid'], targets: [...EVERYWHERE] } } },
        { claims: () => own },
      )
      w.accounts.set('alice', withAttributes(attributes))
      const claims = await claimsOf(w, 'openid')
      const { at_hash: _, sid: __, ...id_token } = without.id_token
      expect(claims.id_token).toMatchObject(id_token)
      expect(claims.access_token).toMatchObject({ ...without.access_token, jti })
      expect(claims.userinfo.sub).toBe('alice')
    })
    await fc.assert(property, { numRuns: 15 })
  })
})
