/** Step-up authentication (RFC 9470): claims of access tokens, their introspection, the guard, and `oidc.acr`. */

import type { OidcConfig } from '@ostiary/core'
import { createResourceServer } from '@ostiary/resource-server'
import { describe, expect, it } from 'vitest'
import {
  answer,
  type Browser,
  bearer,
  CLIENT_SECRET,
  client,
  payload,
  REDIRECT_URI,
  redeem,
  tokens,
  type World,
  type WorldOptions,
  world,
} from './support.js'

const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'
const API = 'https://api.example.net'
const APP = { client_secret: CLIENT_SECRET, trusted: true, allowed_exchange_audiences: [API] }
const SECRET = { client_secret: CLIENT_SECRET }
const POST = { ...SECRET, token_endpoint_auth_method: 'client_secret_post' } as const

const start = async ({ oidc, ...options }: WorldOptions = {}) =>
  world({
    clients: [
      await client({
        ...APP,
        grant_types: ['authorization_code', 'refresh_token', 'client_credentials', EXCHANGE],
      }),
    ],
    ...options,
    oidc: { resources: { [API]: { scopes: [] } }, clients: { token_exchange: true }, ...oidc },
  })

const signIn = async (w: World, amr?: string[]): Promise<Browser> => {
  const browser = w.browser()
  await browser.authorize()
  await browser.signIn('alice', amr)
  return browser
}
const codeOf = async (browser: Browser, changes: Record<string, string> = {}) =>
  answer(await browser.authorize(changes)).code
const tokensOf = async (w: World, browser: Browser, changes: Record<string, string> = {}) =>
  (await redeem(w, await codeOf(browser, changes), SECRET)).body
const refresh = (w: World, refresh_token: string) =>
  tokens(w, { grant_type: 'refresh_token', client_id: 'app', ...SECRET, refresh_token })
const introspect = async (w: World, token: string) =>
  (await w.post('/oauth/introspect', { client_id: 'app', ...SECRET, token })).json()
const authentication = ({ auth_time, acr }: Record<string, unknown>) => ({ auth_time, acr })
const NONE = { auth_time: undefined, acr: undefined }

/** From now on the application does not know when users authenticated, and how. */
function withoutAuthentication(w: World): void {
  const { provider } = w
  w.provider = {
    ...provider,
    login: (request, login) => provider.login(request, { ...login, amr: [], auth_time: null }),
  }
}

describe.each(['single', 'path'] as const)('realms by %s', (routing) => {
  describe('The access token', () => {
    const IN_TOKENS = { acr: 'tell' } as const

    it.each<[OidcConfig, boolean]>([
      [{}, false],
      [{ acr: 'require' }, true],
      [IN_TOKENS, true],
      [{ acr: 'off' }, false],
    ])('has auth_time and acr with oidc %j: %s; introspection answers both', async (oidc, expected) => {
      const w = await start({ routing, oidc })
      const { access_token } = await tokensOf(w, await signIn(w, ['pwd', 'otp']))
      const claims = expected ? { auth_time: w.clock.now, acr: '2' } : NONE
      expect(authentication(payload(access_token))).toEqual(claims)
      expect(authentication(await introspect(w, access_token))).toEqual(claims)
    })

    it('a refresh does not change them', async () => {
      const w = await start({ routing, oidc: IN_TOKENS })
      const { refresh_token } = await tokensOf(w, await signIn(w))
      const claims = { auth_time: w.clock.now, acr: '1' }
      w.clock.now += 500
      const { body } = await refresh(w, refresh_token)
      expect(authentication(payload(body.access_token))).toEqual(claims)
      expect(authentication(await introspect(w, body.access_token))).toEqual(claims)
    })

    it('has neither when they are not known, and of a client none at all', async () => {
      const w = await start({ routing, oidc: IN_TOKENS })
      withoutAuthentication(w)
      const { access_token } = await tokensOf(w, await signIn(w))
      expect(authentication(payload(access_token))).toEqual(NONE)
      const machine = await tokens(w, { grant_type: 'client_credentials', client_id: 'app', ...SECRET })
      expect(authentication(payload(machine.body.access_token))).toEqual(NONE)
      expect(authentication(await introspect(w, machine.body.access_token))).toEqual(NONE)
    })

    it('of an exchange has those of its subject', async () => {
      const w = await start({ routing, oidc: IN_TOKENS })
      const { access_token: subject_token } = await tokensOf(w, await signIn(w, ['pwd', 'otp']))
      const claims = { auth_time: w.clock.now, acr: '2' }
      w.clock.now += 50
      const form = { grant_type: EXCHANGE, client_id: 'app', ...SECRET, subject_token, audience: API }
      const exchanged = await tokens(w, { ...form, subject_token_type: ACCESS_TOKEN })
      expect(authentication(payload(exchanged.body.access_token))).toEqual(claims)
    })

    it.each([{}, IN_TOKENS])('a resolver can set neither (oidc %j)', async (oidc) => {
      const w = await start({ routing, oidc, claims: () => ({ acr: '9', auth_time: 9, groups: ['staff'] }) })
      const { access_token } = await tokensOf(w, await signIn(w))
      expect(payload(access_token).groups).toEqual(['staff'])
      const claims = 'acr' in oidc ? { auth_time: w.clock.now, acr: '1' } : NONE
      expect(authentication(payload(access_token))).toEqual(claims)
      withoutAuthentication(w)
      const unknown = await tokensOf(w, await signIn(w))
      expect(authentication(payload(unknown.access_token))).toEqual(NONE)
    })
  })

  it("the guard takes the order of its realm's acr_values_supported, and the provider's clock", async () => {
    const w = await start({
      routing,
      oidc: { acr: 'tell', acr_values_supported: ['low', 'high'] },
    })
    const { access_token: low } = await tokensOf(w, await signIn(w))
    const { access_token: high } = await tokensOf(w, await signIn(w, ['pwd', 'otp']))
    w.clock.now += 60
    const guard = w.provider.guard({ realm: w.realm })
    const errorOf = async (token: string, requirement: Parameters<typeof guard.checkAuthentication>[0]) => {
      const request = new Request(w.issuer, { headers: bearer(token) })
      expect(await guard.authenticate(request)).not.toBeInstanceOf(Response)
      const refused = guard.checkAuthentication(requirement)(request)
      return refused?.headers.get('www-authenticate')?.match(/acr_values="[^"]*"|max_age="\d+"/)?.[0]
    }
    expect(await errorOf(low, { acr_values: ['high'] })).toBe('acr_values="high"')
    expect(await errorOf(low, { acr_values: ['low'] })).toBeUndefined()
    expect(await errorOf(high, { acr_values: ['low'] })).toBeUndefined()
    expect(await errorOf(high, { max_age: 59 })).toBe('max_age="59"')
    expect(await errorOf(high, { max_age: 60 })).toBeUndefined()
    expect(w.events.filter(({ type }) => type === 'bearer.refused')).toMatchObject([
      { error: 'insufficient_user_authentication', reason: 'insufficient_acr' },
      { error: 'insufficient_user_authentication', reason: 'authentication_too_old' },
    ])
  })

  it.each(['jwks', 'introspection', 'both'] as const)(
    'an API in the mode %s refuses, the user signs in with a second factor as its challenge says, and the API accepts',
    async (mode) => {
      const w = await start({ routing, oidc: { acr: 'require' } })
      const api = createResourceServer({
        issuer: w.issuer,
        resource: API,
        mode,
        acr_order: ['1', '2'],
        now: () => w.clock.now,
        fetch: async (url, init) => w.provider.fetch(new Request(url, init)),
        ...(mode !== 'jwks' && { introspection: { client_id: 'app', ...POST } }),
      })
      const mayPay = api.checkAuthentication({ acr_values: ['2'], max_age: 60 })
      const refused = async (token: string) => {
        const request = new Request(API, { headers: bearer(token) })
        expect(await api.authenticate(request)).not.toBeInstanceOf(Response)
        return mayPay(request)?.headers.get('www-authenticate') ?? null
      }
      const browser = await signIn(w)
      const first = await tokensOf(w, browser, { resource: API, scope: 'openid' })
      const challenge = (await refused(first.access_token)) ?? ''
      expect(await refused((await refresh(w, first.refresh_token)).body.access_token)).toBe(challenge)
      const demanded = [...challenge.matchAll(/(acr_values|max_age)="([^"]*)"/g)].map(([, k, v]) => [k, v])
      const request = { resource: API, scope: 'openid', ...Object.fromEntries(demanded) }
      expect(answer(await browser.authorize(request)).to).toBe(`${w.issuer}/login`)
      const { code } = answer(await browser.signIn('alice', ['pwd', 'otp']))
      const second = (await redeem(w, code, SECRET)).body.access_token
      expect(await refused(second)).toBeNull()
      w.clock.now += 61
      expect(await refused(second)).toBe(challenge)
    },
  )

  describe('oidc.acr "require"', () => {
    const REQUIRED = { acr: 'require' } as const
    const UNMET = {
      to: REDIRECT_URI,
      error: 'unmet_authentication_requirements',
      state: 'the state',
    }

    it('a session whose acr is too weak: a login with the reason acr, which the second factor satisfies', async () => {
      const w = await start({ routing, oidc: REQUIRED })
      const browser = await signIn(w)
      expect(answer(await browser.authorize({ acr_values: '2' })).to).toBe(`${w.issuer}/login`)
      expect(w.logins.at(-1)).toMatchObject({ reason: 'acr', acr_values: ['2'] })
      const { code } = answer(await browser.signIn('alice', ['pwd', 'otp']))
      const { body } = await redeem(w, code, SECRET)
      expect(payload(body.id_token).acr).toBe('2')
      expect(payload(body.access_token).acr).toBe('2')
      expect(w.logins).toHaveLength(2)
    })

    it.each<[string, string[], string]>([
      ['the same', ['pwd'], '1'],
      ['a stronger one', ['pwd', 'otp'], '1'],
      ['one of several', ['pwd'], '2 1'],
      ['one that the realm does not support', ['pwd'], 'urn:gold'],
      ['no value', ['pwd'], ' '],
    ])('a session that satisfies the request (%s) goes on', async (_, amr, acr_values) => {
      const w = await start({ routing, oidc: REQUIRED })
      const browser = await signIn(w, amr)
      for (const prompt of [{}, { prompt: 'none' }])
        expect(await codeOf(browser, { acr_values, ...prompt })).toEqual(expect.any(String))
      expect(w.logins).toHaveLength(1)
    })

    it('a value that the realm does not support is ignored beside one that it does', async () => {
      const w = await start({ routing, oidc: REQUIRED })
      const browser = await signIn(w)
      expect(answer(await browser.authorize({ acr_values: 'urn:gold 2' })).to).toBe(`${w.issuer}/login`)
      expect(answer(await browser.signIn('alice', ['pwd', 'otp']))).toHaveProperty('code')
    })

    it.each<[string, Record<string, string>]>([
      ['in the URL', {}],
      ['too long for a URL, so that the request is stored', { state: 's'.repeat(8192) }],
    ])('still too weak after that login: an error redirect, and no further login (%s)', async (_, more) => {
      const w = await start({ routing, oidc: REQUIRED })
      const browser = await signIn(w)
      await browser.authorize({ acr_values: '2', ...more })
      const refused = answer(await browser.signIn())
      expect(refused).toMatchObject({ ...UNMET, ...more, iss: w.issuer })
      expect(w.logins).toHaveLength(2)
      expect(w.events.at(-1)).toMatchObject({
        type: 'authorization.refused',
        error: 'unmet_authentication_requirements',
      })
      // The user keeps the session that the login has started.
      expect(await codeOf(browser)).toEqual(expect.any(String))
    })

    it.each<[string, Record<string, string>, string]>([
      ['signed out', {}, 'signed_out'],
      ['prompt=login', { prompt: 'login' }, 'prompt'],
      ['max_age', { max_age: '0' }, 'max_age'],
    ])(
      '%s: that login was begun for this request, so that no second one follows',
      async (_, more, reason) => {
        const w = await start({ routing, oidc: REQUIRED })
        const browser = reason === 'signed_out' ? w.browser() : await signIn(w)
        const before = w.logins.length
        await browser.authorize({ acr_values: '2', ...more })
        expect(answer(await browser.signIn())).toMatchObject(UNMET)
        expect(w.logins.slice(before).map((prompt) => prompt.reason)).toEqual([reason])
        expect(await codeOf(browser, { prompt: 'none' })).toEqual(expect.any(String))
      },
    )

    it('a strong login because of another reason needs no second one', async () => {
      const w = await start({ routing, oidc: REQUIRED })
      const browser = w.browser()
      await browser.authorize({ acr_values: '2', prompt: 'login', max_age: '0' })
      expect(answer(await browser.signIn('alice', ['pwd', 'otp']))).toHaveProperty('code')
      expect(w.logins).toHaveLength(1)
    })

    it('a session without a known acr is too weak', async () => {
      const w = await start({ routing, oidc: REQUIRED })
      withoutAuthentication(w)
      const browser = await signIn(w)
      expect(answer(await browser.authorize({ acr_values: '1', prompt: 'none' }))).toMatchObject(UNMET)
    })

    it('prompt=none: the error at once, and the session is kept', async () => {
      const w = await start({ routing, oidc: REQUIRED })
      const browser = await signIn(w)
      expect(answer(await browser.authorize({ acr_values: '2', prompt: 'none' }))).toMatchObject(UNMET)
      expect(await codeOf(browser, { prompt: 'none' })).toEqual(expect.any(String))
      const stranger = answer(await w.browser().authorize({ acr_values: '2', prompt: 'none' }))
      expect(stranger).toMatchObject({ error: 'login_required' })
    })

    it('off: a weak session goes on', async () => {
      const w = await start({ routing, oidc: { acr: 'tell' } })
      const browser = await signIn(w)
      expect(await codeOf(browser, { acr_values: '2', prompt: 'none' })).toEqual(expect.any(String))
    })
  })
})

const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token'
