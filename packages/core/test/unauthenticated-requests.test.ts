/** The limits of what unauthenticated requests can store and compute: docs/security-model.md has the table. */

import { counterOf, type Storage } from '@ostiary/core'
import { memoryStorage } from '@ostiary/core/memory'
import { describe, expect, it } from 'vitest'
import { CLIENT_SECRET, client, redeem, tokens, type World, type WorldOptions, world } from './support.js'

const CALLBACK = 'https://app.example.com/cb'
const registering = (options: WorldOptions = {}) => {
  const { oidc = {}, ...rest } = options
  return world({ clients: [], ...rest, oidc: { clients: { registration: { enabled: true } }, ...oidc } })
}
const register = (w: World, address: string, body: object = {}) =>
  w.provider.fetch(
    new Request(`${w.issuer}/oauth/register`, {
      method: 'POST',
      body: JSON.stringify({ redirect_uris: [CALLBACK], ...body }),
      headers: { 'content-type': 'application/json' },
    }),
    { address },
  )
const registered = async (w: World, body: object = {}) =>
  (await (await register(w, '192.0.2.9', body)).json()) as {
    client_id: string
    client_name: string
    error: string
  }

describe('registrations', () => {
  it('one address may register oidc.throttle.register clients a minute', async () => {
    const w = await registering({
      oidc: { clients: { registration: { enabled: true } }, throttle: { register: 2 } },
    })
    const statuses = []
    for (let n = 0; n < 3; n += 1) statuses.push((await register(w, '192.0.2.1')).status)
    expect(statuses).toEqual([201, 201, 429])
    expect((await register(w, '192.0.2.2')).status).toBe(201)
  })

  it('an IPv6 /48 may register four times as many as one of its /64s', async () => {
    const w = await registering({
      oidc: { clients: { registration: { enabled: true } }, throttle: { register: 2 } },
    })
    let passed = 0
    for (let net = 0; net < 140; net += 1)
      if ((await register(w, `2001:db8:1:${net.toString(16)}::1`)).status === 201) passed += 1
    expect(passed).toBe(8)
    // A refusal of the /48 stores no counter of the /64: only 8 of its /64s have one.
    expect(await w.storage('default').throttle.list('register:', w.clock.now)).toHaveLength(9)
  })

  it('a realm registers oidc.throttle.registrations_per_day clients a day, from all addresses together', async () => {
    const throttle = { registrations_per_day: 3 }
    const w = await registering({ oidc: { clients: { registration: { enabled: true } }, throttle } })
    const statuses = []
    for (let n = 1; n <= 4; n += 1) statuses.push((await register(w, `192.0.2.${n}`)).status)
    expect(statuses).toEqual([201, 201, 201, 429])
    // A request that is refused for another reason does not count.
    w.clock.now += 86_400
    for (let n = 1; n <= 5; n += 1) await register(w, `192.0.2.${n}`, { redirect_uris: ['x'] })
    expect((await register(w, '192.0.2.50')).status).toBe(201)
  })

  it('a client that was never used is deleted after oidc.clients.registration.unused_lifetime', async () => {
    const registration = { enabled: true, unused_lifetime: 100 }
    const w = await registering({ oidc: { clients: { registration } } })
    const { client_id } = await registered(w)
    const known = async () => (await w.browser().authorize({ client_id, redirect_uri: CALLBACK })).status
    w.clock.now += 99
    await w.provider.tick()
    expect(await known()).toBe(302)
    w.clock.now += 1
    // Before the purge, and after it.
    expect(await known()).toBe(400)
    await w.provider.tick()
    expect(await w.storage('default').clients.find(client_id)).toBeNull()
  })

  it('the first code keeps the client', async () => {
    const registration = { enabled: true, unused_lifetime: 100 }
    const w = await registering({ oidc: { clients: { registration } } })
    const { client_id } = await registered(w)
    const app = { client_id, redirect_uri: CALLBACK }
    const browser = w.browser()
    const { code } = await browser.code(app)
    expect((await redeem(w, code, app)).status).toBe(200)
    w.clock.now += 100
    await w.provider.tick()
    expect((await browser.authorize({ ...app, prompt: 'none' })).headers.get('location')).toContain('code=')
    expect(await w.storage('default').clients.find(client_id)).toMatchObject({ expires_at: null })
  })

  it('a client that is purged while its first code is made gets none', async () => {
    const inner = memoryStorage()
    const storage: Storage = (realm) => {
      const stores = inner(realm)
      return { ...stores, clients: { ...stores.clients, keep: async () => false } }
    }
    const w = await registering({ storage })
    const { client_id } = await registered(w)
    const app = { client_id, redirect_uri: CALLBACK }
    const browser = w.browser()
    await browser.authorize(app)
    await browser.signIn()
    const { grants } = w.storage('default')
    const location = (await browser.approve()).headers.get('location') ?? ''
    expect(location).toContain('error=unauthorized_client')
    expect(await grants.list('alice', w.clock.now)).toEqual([])
  })

  it('a client that an operator creates does not expire', async () => {
    const w = await world()
    const { clients } = await w.provider.manage()
    const { client: made } = await clients.create({ client_id: 'made', redirect_uris: [CALLBACK] })
    expect(made.expires_at).toBeNull()
  })
})

describe('wrong client secrets', () => {
  const wrong = async (w: World, address: string | null, changes: Record<string, string> = {}) => {
    const form = {
      grant_type: 'client_credentials',
      client_id: 'service',
      client_secret: 'wrong',
      ...changes,
    }
    const request = new Request(`${w.issuer}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams(form).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    return (await w.provider.fetch(request, address === null ? {} : { address })).status
  }
  const right = { client_secret: CLIENT_SECRET }
  const start = async () =>
    world({
      oidc: { throttle: { client_secret: 3 } },
      clients: [
        await client({
          client_id: 'service',
          client_secret: CLIENT_SECRET,
          grant_types: ['client_credentials'],
        }),
        await client({
          client_id: 'second',
          client_secret: CLIENT_SECRET,
          grant_types: ['client_credentials'],
        }),
      ],
    })

  it('after oidc.throttle.client_secret of them, the client has to wait at this address', async () => {
    const w = await start()
    expect([await wrong(w, '192.0.2.1'), await wrong(w, '192.0.2.1'), await wrong(w, '192.0.2.1')]).toEqual([
      401, 401, 401,
    ])
    expect([await wrong(w, '192.0.2.1'), await wrong(w, '192.0.2.1', right)]).toEqual([429, 429])
    // From other addresses, and for other clients, nothing has changed.
    expect(await wrong(w, '192.0.2.2', right)).toBe(200)
    expect(await wrong(w, '192.0.2.1', { ...right, client_id: 'second' })).toBe(200)
    w.clock.now += 899
    expect(await wrong(w, '192.0.2.1', right)).toBe(429)
    w.clock.now += 1
    expect(await wrong(w, '192.0.2.1', right)).toBe(200)
  })

  it('each address has its own counters', async () => {
    const w = await start()
    await wrong(w, '192.0.2.1')
    await wrong(w, '192.0.2.10')
    const { throttle } = w.storage('default')
    expect(await throttle.list(counterOf('client-secret', '192.0.2.1'), w.clock.now)).toHaveLength(1)
    expect(await throttle.reset(counterOf('client-secret', '192.0.2.1'))).toBe(1)
  })

  it('right secrets are not counted', async () => {
    const w = await start()
    for (let n = 0; n < 20; n += 1) expect(await wrong(w, '192.0.2.1', right)).toBe(200)
    expect(await w.storage('default').throttle.list('', w.clock.now)).toEqual([])
  })

  it('unknown client ids share one record', async () => {
    const w = await start()
    for (let n = 0; n < 50; n += 1) await wrong(w, '192.0.2.1', { client_id: `made-up-${n}` })
    expect(await w.storage('default').throttle.list('', w.clock.now)).toHaveLength(1)
  })

  it('without an address nothing is counted: an attacker could block the client everywhere', async () => {
    const w = await start()
    for (let n = 0; n < 10; n += 1) expect(await wrong(w, null)).toBe(401)
    expect(await wrong(w, null, right)).toBe(200)
  })

  it('a public client, which has no secret, is not affected', async () => {
    const w = await world({ oidc: { throttle: { client_secret: 1 } } })
    for (let n = 0; n < 5; n += 1)
      expect(
        (await tokens(w, { grant_type: 'refresh_token', client_id: 'app', refresh_token: 'x' })).status,
      ).toBe(400)
  })
})

describe('client names', () => {
  it.each([
    ['text that turns around', 'Goo\u202Egle'],
    ['a zero-width space', 'Goo\u200Bgle'],
    ['a soft hyphen', 'Goo\u00ADgle'],
    ['half a surrogate pair', 'x\uD800y'],
    ['the other half', 'x\uDC00'],
    ['a private-use character', 'x\uE000'],
    ['a control character', 'x\u0007'],
    ['a C1 control character', 'x\u0085y'],
    ['a line separator in tags', 'x\u{E0001}'],
    ['no letter and no digit', '★ — ★'],
    ['blanks of another script', '\u3000.\u3000'],
    ['a letter that is not drawn', '\u3164'],
    ['a line separator', 'a\u2028b'],
    ['spaces that push the rest out of sight', `a${'\u3000'.repeat(40)}b`],
    ['marks that are drawn over other lines', `a${'\u0301'.repeat(240)}`],
  ])('%s is invalid_client_metadata, and no operator may use it either', async (_, client_name) => {
    const w = await registering()
    expect(await registered(w, { client_name })).toMatchObject({ error: 'invalid_client_metadata' })
    const { clients } = await w.provider.manage()
    await expect(clients.create({ client_id: 'x', client_name, redirect_uris: [CALLBACK] })).rejects.toThrow(
      /client_name/,
    )
  })

  it.each(['Müller & Söhne', '日本語アプリ', 'Приложение', '3', 'a', 'O’Neil', '🚀 Launch'])(
    '%s is accepted',
    async (client_name) => {
      expect((await registered(await registering(), { client_name })).client_name).toBe(client_name)
    },
  )

  it('the default is the host without its port', async () => {
    const w = await registering()
    const named = async (uri: string) => (await registered(w, { redirect_uris: [uri] })).client_name
    expect(await named('http://localhost:3334/callback')).toBe('localhost')
    expect(await named('https://app.example.com:8443/cb')).toBe('app.example.com')
    expect(await named('http://[::1]:8080/')).toBe('[::1]')
  })
})

describe('redirect URIs whose query conflicts with the answer', () => {
  it.each(['iss', 'code', 'state', 'error', 'error_description'])(
    '%s is invalid_redirect_uri',
    async (name) => {
      const w = await registering()
      const uri = `https://app.example.com/cb?a=b&${name}=x`
      expect(await registered(w, { redirect_uris: [CALLBACK, uri] })).toMatchObject({
        error: 'invalid_redirect_uri',
      })
      const { clients } = await w.provider.manage()
      await expect(clients.create({ client_id: 'x', redirect_uris: [uri] })).rejects.toThrow(name)
      // It stays possible after signing out, where the answer adds no code.
      expect(await registered(w, { post_logout_redirect_uris: [uri] })).toHaveProperty('client_id')
    },
  )

  it.each([
    'https://app.example.com/cb?codes=1',
    'https://app.example.com/code?x=state',
    'https://app.example.com/cb?a%3Dcode=1',
  ])('%s is accepted', async (uri) => {
    expect(await registered(await registering(), { redirect_uris: [uri] })).toHaveProperty('client_id')
  })

  it('an element that is not a string is invalid_redirect_uri; a value that is not a list is invalid_client_metadata', async () => {
    const w = await registering()
    for (const bad of [7, null, {}, ['x']])
      expect(await registered(w, { redirect_uris: [CALLBACK, bad] })).toMatchObject({
        error: 'invalid_redirect_uri',
      })
    for (const bad of ['x', 7, {}, []])
      expect(await registered(w, { redirect_uris: bad })).toMatchObject({ error: 'invalid_client_metadata' })
  })
})
