/** Overrides of a realm, realms that the application looks up, and routes by their names. */

import type { OidcConfig, ProviderOptions, RealmConfig, RouteName } from '@ostiary/core'
import { eventually } from '@ostiary/test-kit/eventually'
import { describe, expect, it } from 'vitest'
import { answer, authorizeUrl, client, ISSUER, payload, redeem, type World, world } from './support.js'

const BY_PATH: OidcConfig = { routes: { realms: 'path' } }

const get = (w: World, path: string) => w.provider.fetch(new Request(ISSUER + path))
const discovery = async (w: World, realm: string) =>
  (await get(w, `/realms/${realm}/.well-known/openid-configuration`)).json()

it('a realm of the static map overrides keys, and keeps the rest', async () => {
  const realms = {
    acme: { tokens: { id_token: 60 }, clients: { registration: { enabled: true } } },
    other: { claims_supported: ['sub'] },
  }
  const w = await world({
    routing: 'path',
    oidc: { realms, tokens: { id_token: 600, authorization_code: 5 }, claims_supported: ['sub', 'name'] },
  })
  const acme = await discovery(w, 'acme')
  const other = await discovery(w, 'other')
  expect([acme.claims_supported, other.claims_supported]).toEqual([['sub', 'name'], ['sub']])
  expect([acme.registration_endpoint, other.registration_endpoint]).toEqual([
    `${ISSUER}/realms/acme/oauth/register`,
    undefined,
  ])
  const { exp, iat } = payload((await redeem(w, (await w.browser().code()).code)).body.id_token)
  expect(Number(exp) - Number(iat)).toBe(60)
  const { code } = await w.browser().code()
  w.clock.now += 5
  expect((await redeem(w, code)).body.error).toBe('invalid_grant')
})

describe('a lookup function', () => {
  /** Records the ids that were looked up. */
  function lookup(known: Record<string, RealmConfig>) {
    const asked: string[] = []
    const realms: NonNullable<ProviderOptions['realms']> = async (id) => {
      asked.push(id)
      return Object.hasOwn(known, id) ? (known[id] ?? null) : null
    }
    return { asked, realms }
  }

  it('finds a realm, with its overrides over the common keys', async () => {
    const { realms } = lookup({ blue: { claims_supported: ['sub', 'color'] }, green: {} })
    const w = await world({ oidc: { ...BY_PATH, claims_supported: ['sub'] }, realms })
    expect(await discovery(w, 'blue')).toMatchObject({
      issuer: `${ISSUER}/realms/blue`,
      claims_supported: ['sub', 'color'],
    })
    expect(await discovery(w, 'green')).toMatchObject({ claims_supported: ['sub'] })
  })

  it('serves a whole flow', async () => {
    const { realms } = lookup({ acme: {} })
    const w = await world({ routing: 'path', oidc: { ...BY_PATH, realms: {} }, realms })
    const { code, iss } = await w.browser().code()
    expect(iss).toBe(w.issuer)
    expect(payload((await redeem(w, code)).body.access_token)).toMatchObject({ iss: w.issuer })
  })

  it('null is 404, and an id that no realm can have is not looked up', async () => {
    const { asked, realms } = lookup({ blue: {} })
    const w = await world({ oidc: BY_PATH, realms })
    expect((await get(w, '/realms/red/oauth/authorize')).status).toBe(404)
    expect(asked).toEqual(['red'])
    for (const id of ['bl%75e', 'a%2fb', 'a%00', 'blue;x', 'bl ue', "blue'--"])
      expect((await get(w, `/realms/${id}/oauth/authorize`)).status).toBe(404)
    expect(asked).toEqual(['red'])
  })

  it('is not called for every request', async () => {
    const { asked, realms } = lookup({ blue: {} })
    const w = await world({ oidc: BY_PATH, realms })
    for (let i = 0; i < 5; i++) await discovery(w, 'blue')
    expect(asked).toEqual(['blue'])
  })

  it('is called again after ten seconds, for a realm and for an unknown id', async () => {
    const { asked, realms } = lookup({ blue: {} })
    const w = await world({ oidc: BY_PATH, realms })
    const ask = async () => {
      await get(w, '/realms/blue/.well-known/openid-configuration')
      for (let n = 0; n < 5; n += 1) await get(w, '/realms/red/.well-known/openid-configuration')
    }
    await ask()
    w.clock.now += 9
    await ask()
    expect(asked).toEqual(['blue', 'red'])
    w.clock.now += 1
    await ask()
    expect(asked).toEqual(['blue', 'red', 'blue', 'red'])
  })

  it('is called again when the clock was set back, for a realm and for an unknown id', async () => {
    const { asked, realms } = lookup({ blue: {} })
    const w = await world({ oidc: BY_PATH, realms })
    for (const back of [0, 3600]) {
      w.clock.now -= back
      for (const id of ['blue', 'red']) await get(w, `/realms/${id}/.well-known/openid-configuration`)
    }
    expect(asked).toEqual(['blue', 'red', 'blue', 'red'])
  })

  it('invented ids do not displace realms in memory', async () => {
    const { asked, realms } = lookup({ blue: {} })
    const w = await world({ oidc: BY_PATH, realms })
    await discovery(w, 'blue')
    for (let n = 0; n < 1001; n += 1) await get(w, `/realms/none-${n}/oauth/authorize`)
    asked.length = 0
    await discovery(w, 'blue')
    expect(asked).toEqual([])
  })

  it('is called again at once for a realm that is forgotten, and its answer counts', async () => {
    const known: Record<string, RealmConfig> = { blue: { claims_supported: ['sub'] } }
    const { asked, realms } = lookup(known)
    const w = await world({ oidc: BY_PATH, realms })
    await discovery(w, 'blue')
    expect((await get(w, '/realms/red/.well-known/openid-configuration')).status).toBe(404)
    known.blue = { claims_supported: ['name'] }
    known.red = {}
    for (const id of ['blue', 'red']) w.provider.forgetRealm(id)
    expect((await discovery(w, 'blue')).claims_supported).toEqual(['name'])
    expect((await discovery(w, 'red')).issuer).toBe(`${ISSUER}/realms/red`)
    delete known.blue
    w.provider.forgetRealm('blue')
    expect((await get(w, '/realms/blue/.well-known/openid-configuration')).status).toBe(404)
    expect(asked).toEqual(['blue', 'red', 'blue', 'red', 'blue'])
  })

  it('is called again when the realm is forgotten meanwhile: the answer may be an older one', async () => {
    const answers: ((found: RealmConfig) => void)[] = []
    const w = await world({ oidc: BY_PATH, realms: () => new Promise((resolve) => answers.push(resolve)) })
    const first = discovery(w, 'blue')
    await eventually(() => expect(answers.length).toBe(1))
    w.provider.forgetRealm('blue')
    answers[0]?.({ claims_supported: ['old'] })
    await eventually(() => expect(answers.length).toBe(2))
    answers[1]?.({ claims_supported: ['new'] })
    expect((await first).claims_supported).toEqual(['new'])
    expect((await discovery(w, 'blue')).claims_supported).toEqual(['new'])
    expect(answers).toHaveLength(2)
  })

  it('a realm of the static map is not forgotten', async () => {
    const { asked, realms } = lookup({})
    const w = await world({ routing: 'path', oidc: { ...BY_PATH, realms: { acme: {} } }, realms })
    w.provider.forgetRealm('acme')
    expect((await discovery(w, 'acme')).issuer).toBe(w.issuer)
    expect(asked).toEqual([])
  })

  it('is used after the static map', async () => {
    const { asked, realms } = lookup({ blue: {}, acme: { claims_supported: ['looked up'] } })
    const w = await world({
      routing: 'path',
      oidc: { ...BY_PATH, realms: { acme: { claims_supported: ['static'] } } },
      realms,
    })
    expect((await discovery(w, 'acme')).claims_supported).toEqual(['static'])
    expect((await discovery(w, 'blue')).issuer).toBe(`${ISSUER}/realms/blue`)
    expect(asked).toEqual(['blue'])
  })

  it.each<[string, NonNullable<ProviderOptions['realms']>]>([
    ['fails', () => Promise.reject(new Error('the database is unavailable'))],
    ['gives keys that are wrong', async () => ({ tokens: { id_token: -1 } })],
  ])(
    'that %s is server_error 500 with a fixed sentence, and the cause in the event only',
    async (_, realms) => {
      const w = await world({ oidc: BY_PATH, realms })
      const response = await get(w, '/realms/blue/.well-known/openid-configuration')
      expect(response.status).toBe(500)
      expect(await response.json()).toEqual({
        error: 'server_error',
        error_description: 'Something went wrong on our side. Try again later.',
      })
      expect(w.events).toMatchObject([{ type: 'server.error', realm: 'blue', cause: expect.any(Error) }])
    },
  )
})

describe('provider.url: the absolute URL of a route, by its name', () => {
  const NAMES: [RouteName, string][] = [
    ['oidc.discovery', '/.well-known/openid-configuration'],
    ['oidc.jwks', '/.well-known/jwks.json'],
    ['oidc.authorize', '/oauth/authorize'],
    ['oidc.approve', '/oauth/authorize/consent'],
    ['oidc.deny', '/oauth/authorize/consent'],
    ['oidc.token', '/oauth/token'],
    ['oidc.register', '/oauth/register'],
    ['oidc.userinfo', '/oauth/userinfo'],
    ['oidc.logout', '/oauth/logout'],
    ['oidc.introspect', '/oauth/introspect'],
    ['oidc.revoke', '/oauth/revoke'],
  ]

  it.each(NAMES)('%s', async (name, path) => {
    expect((await world()).provider.url(name)).toBe(ISSUER + path)
    const { provider, issuer } = await world({ routing: 'path' })
    expect(provider.url(name, { realm: 'acme' })).toBe(issuer + path)
  })

  it('of the documents whose realm follows the well-known segment', async () => {
    const single = (await world()).provider
    const { provider } = await world({ routing: 'path' })
    const server = 'oidc.authorization-server'
    const resource = 'oidc.protected-resource'
    const wellKnown = `${ISSUER}/.well-known`
    const realm = 'acme'
    const path = 'a/b'
    expect(single.url(server)).toBe(`${wellKnown}/oauth-authorization-server`)
    expect(provider.url(server, { realm })).toBe(`${wellKnown}/oauth-authorization-server/realms/acme`)
    expect(single.url(resource)).toBe(`${wellKnown}/oauth-protected-resource`)
    expect(single.url(resource, { path })).toBe(`${wellKnown}/oauth-protected-resource/a/b`)
    expect(provider.url(resource, { realm, path })).toBe(
      `${wellKnown}/oauth-protected-resource/realms/acme/a/b`,
    )
  })

  it('every advertised one is answered there', async () => {
    const w = await world({ routing: 'path' })
    for (const [name] of NAMES.filter(([name]) => name !== 'oidc.register')) {
      const response = await w.provider.fetch(new Request(w.provider.url(name, { realm: 'acme' })))
      expect(response.status, name).not.toBe(404)
    }
  })
})

describe('provider.handle: a handler by its route name, wherever it is mounted', () => {
  const resources = { mcp: { scopes: ['read'] } }

  it('the protected-resource document under a name of the application', async () => {
    const w = await world({ oidc: { resources } })
    const request = new Request('https://app.example.com/mcp-metadata/mcp')
    const response = await w.provider.handle('oidc.protected-resource', request, { path: 'mcp' })
    expect([response.status, (await response.json()).resource]).toEqual([200, `${ISSUER}/mcp`])
    const missing = await w.provider.handle('oidc.protected-resource', request, { path: 'other' })
    expect(missing.status).toBe(404)
  })

  it('may be read by pages of any origin there too', async () => {
    const w = await world({ oidc: { resources } })
    const request = new Request('https://app.example.com/mcp-metadata/mcp')
    const response = await w.provider.handle('oidc.protected-resource', request, { path: 'mcp' })
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
  })

  it('of a realm by its id, or of the realm of the request', async () => {
    const w = await world({ routing: 'path' })
    const elsewhere = new Request('https://app.example.com/metadata')
    const named = await w.provider.handle('oidc.discovery', elsewhere, { realm: 'other' })
    expect((await named.json()).issuer).toBe(`${ISSUER}/realms/other`)
    const here = await w.provider.handle('oidc.discovery', new Request(`${w.issuer}/metadata`))
    expect((await here.json()).issuer).toBe(w.issuer)
    for (const realm of ['nobody', undefined])
      expect((await w.provider.handle('oidc.discovery', elsewhere, realm ? { realm } : {})).status).toBe(404)
  })

  it('a handler that is switched off is 404', async () => {
    const w = await world()
    const request = new Request('https://app.example.com/register', { method: 'POST' })
    expect((await w.provider.handle('oidc.register', request)).status).toBe(404)
  })

  it('refusals have the form that they have at the route', async () => {
    const w = await world({ clients: [await client({ trusted: true })] })
    const refused = await w.provider.handle(
      'oidc.authorize',
      new Request('https://app.example.com/?client_id=x'),
    )
    expect([refused.status, (await refused.json()).error]).toEqual([400, 'invalid_request'])
    const query = new URL(authorizeUrl(ISSUER, { scope: 'unheard' })).search
    const redirected = await w.provider.handle(
      'oidc.authorize',
      new Request(`https://app.example.com/${query}`),
    )
    expect(answer(redirected)).toMatchObject({ error: 'invalid_scope', iss: ISSUER })
  })
})
