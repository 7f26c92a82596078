/** `access_token_lifetime` and `refresh_token_lifetime` of a client. */

import type { Client, OidcConfig } from '@ostiary/core'
import { describe, expect, it } from 'vitest'
import { CLIENT_SECRET, client, payload, REDIRECT_URI, redeem, tokens, type World, world } from './support.js'

const secret = { client_secret: CLIENT_SECRET }
const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'

const start = async (fields: Partial<Client>, limits: OidcConfig['tokens'] = {}) =>
  world({
    oidc: { tokens: limits, clients: { token_exchange: true }, resources: { mcp: {} } },
    clients: [
      await client({
        ...secret,
        grant_types: ['authorization_code', 'refresh_token', 'client_credentials', EXCHANGE],
        allowed_exchange_audiences: ['https://id.example.com/mcp'],
        ...fields,
      }),
    ],
  })

const form = { client_id: 'app', ...secret }
const granted = async (w: World, changes: Record<string, string> = {}) =>
  (await redeem(w, (await w.browser().code(changes)).code, secret)).body
const machine = async (w: World) => (await tokens(w, { grant_type: 'client_credentials', ...form })).body

describe('access_token_lifetime', () => {
  it('is the lifetime of every access token of the client', async () => {
    const w = await start({ access_token_lifetime: 1800 })
    const { access_token, refresh_token, expires_in } = await granted(w)
    expect(expires_in).toBe(1800)
    expect(payload(access_token).exp).toBe(w.clock.now + 1800)
    const renewed = await tokens(w, { grant_type: 'refresh_token', ...form, refresh_token })
    expect(renewed.body.expires_in).toBe(1800)
    expect((await machine(w)).expires_in).toBe(1800)
  })

  it('an exchanged token ends with its subject token at the latest', async () => {
    const exchange = async (access_token_lifetime: number) => {
      const w = await start({ access_token_lifetime })
      const { access_token } = await granted(w)
      w.clock.now += 100
      const subject = { subject_token: access_token, audience: `${w.issuer}/mcp` }
      const type = { subject_token_type: 'urn:ietf:params:oauth:token-type:access_token' }
      return (await tokens(w, { grant_type: EXCHANGE, ...form, ...subject, ...type })).body.expires_in
    }
    expect(await exchange(300)).toBe(200)
  })

  it('without a refresh token, an offline grant ends with it', async () => {
    const w = await start({ access_token_lifetime: 1800, grant_types: ['authorization_code'] })
    await granted(w, { scope: 'openid offline_access' })
    const [grant] = await w.storage(w.realm).grants.list('alice', w.clock.now)
    expect(grant?.expires_at).toBe(w.clock.now + 1800)
  })

  it('a stored lifetime above the limit is cut, so that no token outlives its signing key', async () => {
    const w = await start({ access_token_lifetime: 86_400 })
    expect((await machine(w)).expires_in).toBe(3600)
    expect((await granted(w)).expires_in).toBe(3600)
  })

  it('a longer lifetime of another token allows more, and a retired key stays published that long', async () => {
    const w = await start({ access_token_lifetime: 86_400 }, { id_token: 86_400 })
    const { access_token } = await machine(w)
    const { keys } = await w.provider.manage()
    const [first] = await keys.list()
    await keys.rotate({ publish_before: 60 })
    const published = async () => {
      const jwks = await (await w.provider.handle('oidc.jwks', new Request(w.issuer))).json()
      return jwks.keys.map(({ kid }: { kid: string }) => kid)
    }
    const active = async () => {
      const response = await w.post('/oauth/introspect', { ...form, token: access_token })
      return (await response.json()).active
    }
    w.clock.now += 86_399
    await w.provider.tick()
    expect(await published()).toContain(first?.kid)
    expect(await active()).toBe(true)
    w.clock.now += 61
    await w.provider.tick()
    expect(await published()).not.toContain(first?.kid)
  })

  it.each([
    [{}, 3601, false],
    [{}, 3600, true],
    [{ id_token: 7200 }, 7200, true],
    [{ id_token: 7200 }, 7201, false],
    [{ access_token: 7200 }, 7201, false],
    [{ client_credentials: 7200 }, 7200, true],
    [{ access_token: 60, id_token: 60, client_credentials: 60 }, 120, true],
    [{ access_token: 60, id_token: 60, client_credentials: 60 }, 121, false],
  ])('with %j, %i seconds may be set: %s', async (limits, access_token_lifetime, may) => {
    const w = await world({ oidc: { tokens: limits }, clients: [] })
    const { clients } = await w.provider.manage()
    const made = clients.create({ redirect_uris: [REDIRECT_URI], access_token_lifetime })
    if (may) expect((await made).client).toMatchObject({ access_token_lifetime })
    else await expect(made).rejects.toThrow('the longest lifetime in oidc.tokens')
  })
})

describe('refresh_token_lifetime', () => {
  it('is the lifetime of every refresh token of the client', async () => {
    const w = await start({ refresh_token_lifetime: 7200 })
    const refresh = (refresh_token: string) =>
      tokens(w, { grant_type: 'refresh_token', ...form, refresh_token })
    const { refresh_token } = await granted(w, { scope: 'openid offline_access' })
    w.clock.now += 7199
    const renewed = await refresh(refresh_token)
    expect(renewed.status).toBe(200)
    w.clock.now += 7200
    expect((await refresh(renewed.body.refresh_token)).body.error).toBe('invalid_grant')
  })

  it('ends with the session, and offline with oidc.tokens.offline_absolute, at the latest', async () => {
    const end = async (scope: string, limits: OidcConfig['tokens'] = {}) => {
      const w = await start({ refresh_token_lifetime: 2 ** 32 }, limits)
      const { refresh_token: token } = await granted(w, { scope })
      const response = await w.post('/oauth/introspect', { ...form, token })
      return (await response.json()).exp - w.clock.now
    }
    expect(await end('openid')).toBe(2_592_000)
    expect(await end('openid offline_access', { offline_absolute: 5000 })).toBe(5000)
  })
})

it('a client without lifetimes of its own has those of oidc.tokens', async () => {
  const w = await start({})
  expect((await granted(w)).expires_in).toBe(900)
  expect((await machine(w)).expires_in).toBe(3600)
})
