/** The claims of the tokens: RFC 9068 §2, OpenID Connect Core §2, §5.4; and the claims resolver. */

import { createHash } from 'node:crypto'
import type { Account } from '@ostiary/core'
import { createLocalJWKSet, type JWTVerifyResult, jwtVerify } from 'jose'
import { describe, expect, it } from 'vitest'
import { PROTOCOL_CLAIMS } from './protocol-claim-names.js'
import {
  ALICE,
  answer,
  bearer,
  CLIENT_SECRET,
  client,
  header,
  payload,
  redeem,
  tokens,
  type World,
  type WorldOptions,
  world,
} from './support.js'

const start = async (options: WorldOptions = {}) => {
  const service = { client_id: 'service', client_secret: CLIENT_SECRET, grant_types: ['client_credentials'] }
  return world({ clients: [await client(), await client(service)], ...options })
}
const machine = (w: World, form = {}) =>
  tokens(w, { grant_type: 'client_credentials', client_id: 'service', client_secret: CLIENT_SECRET, ...form })

const cookiePair = (response: Response): [string, string] => {
  const [name = '', value = ''] = (response.headers.getSetCookie()[0] ?? '').split(/[=;]/)
  return [name, value]
}
const jwks = async (w: World) =>
  (await w.provider.fetch(new Request(`${w.issuer}/.well-known/jwks.json`))).json()
/** Verified by jose with the published keys. */
const verified = async (w: World, jwt: string): Promise<JWTVerifyResult> =>
  jwtVerify(jwt, createLocalJWKSet(await jwks(w)), { currentDate: new Date(w.clock.now * 1000) })
const userinfo = async (w: World, token: string) =>
  (await w.provider.fetch(new Request(`${w.issuer}/oauth/userinfo`, { headers: bearer(token) }))).json()

describe.each(['single', 'path'] as const)('The access token (realms by %s)', (routing) => {
  it('header: typ at+jwt, RS256 and the kid of a published key', async () => {
    const w = await start({ routing })
    const { body } = await redeem(w, (await w.browser().code()).code)
    const [{ kid }] = (await jwks(w)).keys
    expect(header(body.access_token)).toEqual({ alg: 'RS256', typ: 'at+jwt', kid })
    await expect(verified(w, body.access_token)).resolves.toBeDefined()
  })

  it('claims: iss sub aud exp iat nbf jti client_id scope, and no others', async () => {
    const w = await start({ routing })
    const { body } = await redeem(w, (await w.browser().code()).code)
    expect(payload(body.access_token)).toEqual({
      iss: w.issuer,
      sub: 'alice',
      aud: w.issuer,
      exp: w.clock.now + 900,
      iat: w.clock.now,
      nbf: w.clock.now,
      jti: expect.any(String),
      client_id: 'app',
      scope: 'openid profile email',
    })
  })

  it('claims of a client_credentials token: the same, sub is the client_id, no scope when there is none', async () => {
    const w = await start({ routing })
    const { body } = await machine(w)
    const { now } = w.clock
    expect(payload(body.access_token)).toEqual({
      iss: w.issuer,
      sub: 'service',
      aud: w.issuer,
      client_id: 'service',
      exp: now + 3600,
      iat: now,
      nbf: now,
      jti: expect.stringMatching(/^[\w-]{22,}$/),
    })
  })

  it('aud is a string: the issuer, or the resource that was named', async () => {
    const w = await start({ routing, oidc: { resources: { 'mcp/v1': {} } } })
    const { body } = await redeem(w, (await w.browser().code({ resource: `${w.issuer}/mcp/v1` })).code)
    expect(payload(body.access_token).aud).toBe(`${w.issuer}/mcp/v1`)
  })

  it('jti is <grant_id>.<random>: one grant for all tokens of an authorization', async () => {
    const w = await start({ routing })
    const first = await redeem(w, (await w.browser().code()).code)
    const refresh_token = first.body.refresh_token
    const second = await tokens(w, { grant_type: 'refresh_token', client_id: 'app', refresh_token })
    const [a, b] = [first, second].map(({ body }) => String(payload(body.access_token).jti).split('.'))
    const issued = w.events.find(({ type }) => type === 'token.issued')
    expect(issued).toMatchObject({ grant_id: a?.[0] })
    expect(b?.[0]).toBe(a?.[0])
    expect(b?.[1]).not.toBe(a?.[1])
    expect([a?.length, a?.[1]]).toEqual([2, expect.stringMatching(/^[\w-]{22,}$/)])
  })

  it.each([
    ['access_token', 900],
    ['id_token', 3600],
  ] as const)('the %s lives %i seconds, or as its key in oidc.tokens says', async (name, standard) => {
    for (const [oidc, lifetime] of [[{}, standard] as const, [{ tokens: { [name]: 77 } }, 77] as const]) {
      const w = await start({ routing, oidc })
      const { body } = await redeem(w, (await w.browser().code()).code)
      expect(payload(body[name]).exp).toBe(w.clock.now + lifetime)
    }
  })
})

describe.each(['single', 'path'] as const)('The ID token (realms by %s)', (routing) => {
  it('claims: iss sub aud exp iat auth_time sid azp at_hash nonce amr acr, then the resolved ones', async () => {
    const w = await start({ routing })
    const { body } = await redeem(w, (await w.browser().code()).code)
    const [session] = await w.storage(w.realm).sessions.list('alice')
    const half = createHash('sha256').update(body.access_token).digest().subarray(0, 16)
    expect(payload(body.id_token)).toEqual({
      iss: w.issuer,
      sub: 'alice',
      aud: 'app',
      exp: w.clock.now + 3600,
      iat: w.clock.now,
      auth_time: w.clock.now,
      sid: session?.sid,
      azp: 'app',
      at_hash: half.toString('base64url'),
      nonce: 'the nonce',
      amr: ['pwd'],
      acr: '1',
      name: 'Alice Adams',
      given_name: 'Alice',
      email: 'alice@example.com',
      email_verified: true,
    })
    const { protectedHeader } = await verified(w, body.id_token)
    expect(protectedHeader).toMatchObject({ alg: 'RS256', typ: 'JWT' })
  })

  it('without a nonce in the request there is none', async () => {
    const w = await start({ routing })
    const { body } = await redeem(w, (await w.browser().code({ nonce: null })).code)
    expect(payload(body.id_token)).not.toHaveProperty('nonce')
  })

  it('the nonce comes back as it was sent', async () => {
    const w = await start({ routing })
    const nonce = ' nön"ce\\ \u{1f511} '
    const { body } = await redeem(w, (await w.browser().code({ nonce })).code)
    expect(payload(body.id_token).nonce).toBe(nonce)
  })

  it.each([
    ['one method', ['pwd'], { amr: ['pwd'], acr: '1' }],
    ['two methods', ['pwd', 'otp'], { amr: ['pwd', 'otp'], acr: '2' }],
    ['methods unknown', [], {}],
  ])('amr and acr when known: %s', async (_, amr, expected) => {
    const w = await start({ routing })
    const browser = w.browser()
    await browser.authorize()
    await browser.signIn('alice', amr)
    const { body } = await redeem(w, answer(await browser.approve()).code)
    const claims = payload(body.id_token)
    expect({ amr: claims.amr, acr: claims.acr }).toEqual({ amr: undefined, acr: undefined, ...expected })
    expect('amr' in claims).toBe(amr.length > 0)
  })

  it('auth_time is left out when the application does not know it', async () => {
    const w = await start({ routing })
    const browser = w.browser()
    await browser.authorize()
    const return_to = w.logins[0]?.return_to ?? ''
    const login = { sub: 'alice', amr: ['pwd'], auth_time: null, return_to }
    const response = await w.provider.login(new Request(`${w.issuer}/login`, { method: 'POST' }), login)
    browser.cookies.set(...cookiePair(response))
    await browser.get(response.headers.get('location') ?? '')
    const { body } = await redeem(w, answer(await browser.approve()).code)
    expect(payload(body.id_token)).not.toHaveProperty('auth_time')
  })

  it('acr values are configurable', async () => {
    const w = await start({ routing, oidc: { acr_values_supported: ['urn:low', 'urn:high'] } })
    const { body } = await redeem(w, (await w.browser().code()).code)
    expect(payload(body.id_token).acr).toBe('urn:low')
  })
})

describe.each(['single', 'path'] as const)('Claims (realms by %s)', (routing) => {
  const bothOf = async (options: WorldOptions, scope: string) => {
    const w = await start({ routing, ...options })
    const { body } = await redeem(w, (await w.browser().code({ scope })).code)
    return { w, id_token: payload(body.id_token), userinfo: await userinfo(w, body.access_token) }
  }

  it.each([
    ['openid', {}],
    ['openid profile', { name: 'Alice Adams', given_name: 'Alice' }],
    ['openid email', { email: 'alice@example.com', email_verified: true }],
    ['openid address', { address: { locality: 'Paris' } }],
    ['openid phone', { phone_number: '+1 555 0100' }],
  ])('scope %s resolves to its standard claims, null ones left out', async (scope, expected) => {
    const { id_token, userinfo } = await bothOf({}, scope)
    expect(userinfo).toEqual({ sub: 'alice', ...expected })
    expect(id_token).toMatchObject(expected)
    const claims = Object.keys(ALICE.claims).filter((name) => name in id_token)
    expect(claims.toSorted()).toEqual(Object.keys(expected).toSorted())
  })

  it.each(PROTOCOL_CLAIMS)(
    'a resolver that returns %s has it dropped, in the ID token and in UserInfo',
    async (name) => {
      const claims = () => ({ [name]: 'forged', team: 'blue' })
      const { id_token, userinfo } = await bothOf({ claims }, 'openid')
      expect(userinfo).toEqual({ sub: 'alice', team: 'blue' })
      expect(id_token.team).toBe('blue')
      expect(JSON.stringify(id_token)).not.toContain('forged')
    },
  )

  it('the resolver is given the account, the granted scopes and the target', async () => {
    const asked: [Account, readonly string[], string][] = []
    const claims: WorldOptions['claims'] = async (account, scopes, target) => {
      asked.push([account, scopes, target])
      return { [`for_${target}`]: true }
    }
    const { id_token, userinfo } = await bothOf({ claims }, 'openid email')
    expect(asked).toEqual([
      [ALICE, ['openid', 'email'], 'access_token'],
      [ALICE, ['openid', 'email'], 'id_token'],
      [ALICE, ['openid', 'email'], 'userinfo'],
    ])
    expect(userinfo).toEqual({ sub: 'alice', for_userinfo: true })
    expect(id_token).toMatchObject({ for_id_token: true })
    expect(id_token).not.toHaveProperty('for_userinfo')
  })

  it('claims are read anew for each token', async () => {
    const { w } = await bothOf({}, 'openid profile')
    const { body } = await redeem(w, (await w.browser().code()).code)
    w.accounts.set('alice', { sub: 'alice', claims: { name: 'Alice Brown' } })
    expect(await userinfo(w, body.access_token)).toEqual({ sub: 'alice', name: 'Alice Brown' })
  })
})

it('a key of one realm does not verify tokens of another', async () => {
  const w = await start({ routing: 'path' })
  const { body } = await redeem(w, (await w.browser().code()).code)
  const other = { ...w, issuer: w.issuer.replace('acme', 'other') }
  await expect(verified(other, body.id_token)).rejects.toThrow('no applicable key')
})
