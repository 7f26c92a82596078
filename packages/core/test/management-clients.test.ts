/** How an operator creates, lists and revokes clients and changes their secrets: `manage(realm).clients`. */

import { ClientInputError, type NewClient, type Storage } from '@ostiary/core'
import { memoryStorage } from '@ostiary/core/memory'
import { describe, expect, it } from 'vitest'
import { bearer, client, REDIRECT_URI, redeem, tokens, world } from './support.js'

const SERVICE: NewClient = { client_id: 'service', confidential: true, grant_types: ['client_credentials'] }

const start = async (routing: 'single' | 'path' = 'single', oidc = {}) => {
  const w = await world({ routing, oidc, clients: [] })
  return { w, clients: (await w.provider.manage(w.realm)).clients }
}

const asService = (client_secret: string | null) => ({
  grant_type: 'client_credentials',
  client_id: 'service',
  client_secret: client_secret ?? '',
})

describe.each(['single', 'path'] as const)('realms by %s', (routing) => {
  it('create: a public client has no secret, and can be used at once', async () => {
    const { w, clients } = await start(routing)
    const made = await clients.create({ client_id: 'app', redirect_uris: [REDIRECT_URI] })
    expect(made).toMatchObject({
      client_secret: null,
      client: { client_id: 'app', client_name: 'app', token_endpoint_auth_method: 'none', trusted: false },
    })
    const granted = await redeem(w, (await w.browser().code()).code)
    expect(granted.body.access_token).toBeTypeOf('string')
    expect(await w.storage(w.realm).clients.find('app')).toEqual(made.client)
  })

  it('create: a confidential client gets a secret that is shown once and stored as a hash', async () => {
    const { w, clients } = await start(routing)
    const { client_secret } = await clients.create(SERVICE)
    expect(client_secret).toMatch(/^[\w-]{43}$/)
    expect(JSON.stringify([await clients.find('service'), w.events])).not.toContain(client_secret)
    expect((await tokens(w, asService(client_secret))).status).toBe(200)
    expect((await clients.find('service'))?.token_endpoint_auth_methods).toEqual([
      'client_secret_basic',
      'client_secret_post',
    ])
  })

  it('create: a client_id that is the sub of a user is refused', async () => {
    const { clients } = await start(routing)
    await expect(clients.create({ ...SERVICE, client_id: 'alice' })).rejects.toThrow(
      'client_id: it is the sub of a user; take another one',
    )
    expect(await clients.find('alice')).toBeNull()
  })

  it('revoke: its own tokens, its refresh tokens and its requests are refused; a user’s access token stays valid until it expires', async () => {
    const { w, clients } = await start(routing)
    const { client_secret } = await clients.create(SERVICE)
    await clients.create({ client_id: 'app', redirect_uris: [REDIRECT_URI] })
    const browser = w.browser()
    const granted = await redeem(w, (await browser.code()).code)
    const machine = await tokens(w, asService(client_secret))
    const guard = w.provider.guard({ realm: w.realm })
    const accepts = async (token: unknown) => {
      const headers = bearer(String(token))
      return !((await guard.authenticate(new Request(w.issuer, { headers }))) instanceof Response)
    }
    expect(await accepts(machine.body.access_token)).toBe(true)

    expect([await clients.revoke('service'), await clients.revoke('app')]).toEqual([true, true])
    expect(await accepts(machine.body.access_token)).toBe(false)
    expect(await tokens(w, asService(client_secret))).toMatchObject({ body: { error: 'invalid_client' } })
    const { refresh_token, access_token } = granted.body
    expect(await tokens(w, { grant_type: 'refresh_token', client_id: 'app', refresh_token })).toMatchObject({
      body: { error: 'invalid_client' },
    })
    expect((await browser.authorize()).status).toBe(400)
    expect(await accepts(access_token)).toBe(true)
    expect((await clients.find('app'))?.revoked_at).toBe(w.clock.now)
  })

  it('rotateSecret: the old secret is refused, the new one works', async () => {
    const { w, clients } = await start(routing)
    const { client_secret: old } = await clients.create(SERVICE)
    const rotated = await clients.rotateSecret('service')
    expect(rotated?.client_secret).toMatch(/^[\w-]{43}$/)
    expect(await tokens(w, asService(old))).toMatchObject({ body: { error: 'invalid_client' } })
    expect((await tokens(w, asService(rotated?.client_secret ?? ''))).status).toBe(200)
  })
})

/** The fault is the test's name. */
const named = (table: [NewClient, string][]) => table.map(([input, fault]) => ({ input, fault }))

describe('create has the rules of a configured client', () => {
  it.each(
    named([
      [{}, 'redirect_uris: the authorization_code grant needs at least one'],
      [
        { redirect_uris: ['javascript:alert(1)'] },
        'redirect_uris.0: "javascript:alert(1)" uses the scheme javascript, which is never allowed',
      ],
      [{ redirect_uris: ['https://a/#b'] }, 'redirect_uris.0: "https://a/#b" has a fragment'],
      [{ grant_types: ['client_credentials'] }, 'grant_types: client_credentials needs a client_secret'],
      [
        { client_id: 'a b', redirect_uris: [REDIRECT_URI] },
        'client_id: a client_id is 1 to 255 printable ASCII characters',
      ],
      [
        { client_name: 'a\u0007b', redirect_uris: [REDIRECT_URI] },
        'client_name: a name holds a control, format, surrogate or private-use character, or another one that is not drawn',
      ],
      [
        { redirect_uris: [REDIRECT_URI], optional_scopes: ['nope'] },
        'optional_scopes: there is no scope "nope"',
      ],
      [
        { redirect_uris: [REDIRECT_URI], default_scopes: ['*'] },
        'default_scopes.0: * belongs in optional_scopes only',
      ],
      [
        { redirect_uris: [REDIRECT_URI], backchannel_logout_uri: 'http://a.example/x' },
        'backchannel_logout_uri: is not https',
      ],
      [
        { redirect_uris: [REDIRECT_URI], token_endpoint_auth_method: 'none', confidential: true },
        'client_secret: a client with token_endpoint_auth_method none has no secret',
      ],
      [
        {
          redirect_uris: [REDIRECT_URI],
          confidential: false,
          token_endpoint_auth_methods: ['client_secret_basic'],
        },
        'token_endpoint_auth_methods: these methods need a client_secret',
      ],
      [
        {
          redirect_uris: [REDIRECT_URI],
          token_endpoint_auth_method: 'client_secret_post',
          token_endpoint_auth_methods: ['client_secret_basic'],
        },
        'token_endpoint_auth_methods: add client_secret_post, or leave out token_endpoint_auth_method',
      ],
      [
        { redirect_uris: [REDIRECT_URI], require_pkce: false },
        'require_pkce: false needs a client_secret: PKCE alone protects the codes of a public client',
      ],
      [
        { redirect_uris: [REDIRECT_URI], default_resource: 'https://other.example.com/' },
        'default_resource: there is no resource "https://other.example.com/" in oidc.resources',
      ],
      [
        { redirect_uris: [REDIRECT_URI], logo_uri: 'http://app.example.com/logo.png' },
        'logo_uri: "http://app.example.com/logo.png" is not https',
      ],
      [
        { redirect_uris: [REDIRECT_URI], policy_uri: 'javascript:alert(1)' },
        'policy_uri: "javascript:alert(1)" uses the scheme javascript, which is never allowed',
      ],
      [
        { redirect_uris: [REDIRECT_URI], tos_uri: 'https://user@app.example.com/' },
        'tos_uri: "https://user@app.example.com/" has user-info',
      ],
      [{ redirect_uris: Array(101).fill(REDIRECT_URI) }, 'redirect_uris: give at most 100 entries'],
    ]),
  )('$fault', async ({ input, fault }) => {
    const { clients } = await start()
    const error = await clients.create(input).catch((cause: unknown) => cause)
    expect(error).toBeInstanceOf(ClientInputError)
    expect((error as Error).message.split('\n')).toContain(fault)
    expect(await clients.list()).toEqual([])
  })

  it('an id that is taken: the stored client stays as it is', async () => {
    const { clients } = await start()
    const first = await clients.create({ client_id: 'app', redirect_uris: [REDIRECT_URI] })
    const second = clients.create({ client_id: 'app', redirect_uris: ['https://evil.example.com/'] })
    await expect(second).rejects.toThrow('client_id: "app" is taken')
    expect(await clients.find('app')).toEqual(first.client)
  })
})

describe('rotateSecret', () => {
  it('does not restore a client that another server has just revoked', async () => {
    const { w, clients } = await start()
    const { client_secret } = await clients.create(SERVICE)
    expect((await tokens(w, asService(client_secret))).status).toBe(200)
    await w.storage(w.realm).clients.revoke('service', w.clock.now)
    await expect(clients.rotateSecret('service')).rejects.toThrow('this client is revoked')
    expect(await w.storage(w.realm).clients.find('service')).toMatchObject({ revoked_at: w.clock.now })
  })

  it('with plan, the old secret stays', async () => {
    const { w, clients } = await start()
    const { client, client_secret } = await clients.create(SERVICE)
    const events = w.events.length
    const planned = await clients.rotateSecret('service', { plan: true })
    expect(planned?.client.client_secret_hash).not.toBe(client.client_secret_hash)
    expect(await w.storage(w.realm).clients.find('service')).toEqual(client)
    expect(w.events).toHaveLength(events)
    expect((await tokens(w, asService(client_secret))).status).toBe(200)
    await clients.revoke('service')
    await expect(clients.rotateSecret('service', { plan: true })).rejects.toThrow('this client is revoked')
  })

  it('null for an unknown client', async () => {
    const { clients } = await start()
    expect(await clients.rotateSecret('nobody')).toBeNull()
    expect(await clients.revoke('nobody')).toBe(false)
  })

  it('refuses a public client and a revoked one', async () => {
    const { w, clients } = await start()
    await w.storage(w.realm).clients.create(await client())
    await expect(clients.rotateSecret('app')).rejects.toThrow('this client is public: it has no secret')
    await clients.create(SERVICE)
    await clients.revoke('service')
    await expect(clients.rotateSecret('service')).rejects.toThrow('this client is revoked')
  })
})

it('list: by client_id, in pages, of this realm alone', async () => {
  const { w, clients } = await start('path')
  for (const client_id of ['c', 'a', 'b']) await clients.create({ client_id, redirect_uris: [REDIRECT_URI] })
  const ids = async (page?: { after?: string; limit?: number }) =>
    (await clients.list(page)).map(({ client_id }) => client_id)
  expect(await ids()).toEqual(['a', 'b', 'c'])
  expect(await ids({ limit: 2 })).toEqual(['a', 'b'])
  expect(await ids({ after: 'b', limit: 2 })).toEqual(['c'])
  expect(await (await w.provider.manage('other')).clients.list()).toEqual([])
})

it('each change is an event', async () => {
  const { w, clients } = await start()
  await clients.create(SERVICE)
  await clients.rotateSecret('service')
  await clients.revoke('service')
  await clients.revoke('service')
  expect(w.events.map(({ type }) => type)).toEqual([
    'client.created',
    'client.secret_rotated',
    'client.revoked',
  ])
})

describe('backchannel_logout_uri with an issuer on this computer', () => {
  it.each([
    ['http://localhost:9000/bc', true],
    ['http://127.0.0.1/bc', true],
    ['http://[::1]:9000/bc', true],
    ['https://app.example.com/bc', true],
    ['http://app.example.com/bc', false],
    ['http://localhost.example.com/bc', false],
    ['http://127.0.0.1.example.com/bc', false],
    ['http://10.0.0.1/bc', false],
  ])('%s: %s', async (backchannel_logout_uri, fine) => {
    const w = await world({ oidc: { issuer: 'http://localhost:3000' } })
    const { clients } = await w.provider.manage()
    const made = clients.create({
      client_id: 'x',
      redirect_uris: ['https://x.example/'],
      backchannel_logout_uri,
    })
    if (fine) expect((await made).client.backchannel_logout_uri).toBe(backchannel_logout_uri)
    else await expect(made).rejects.toThrow('is not https')
  })

  it('with another issuer, http is refused', async () => {
    const { clients } = await (await world()).provider.manage()
    const redirect_uris = ['https://x.example/']
    const backchannel_logout_uri = 'http://localhost:9000/bc'
    const made = clients.create({ client_id: 'x', redirect_uris, backchannel_logout_uri })
    await expect(made).rejects.toThrow('is not https')
  })
})

describe('rotateSecret', () => {
  it('keeps what another administrator changes at the same time', async () => {
    const inner = memoryStorage()
    let isRotating = false
    // The other change is stored after the rotation has read the record.
    const storage: Storage = (realm) => {
      const stores = inner(realm)
      const find = async (client_id: string) => {
        const read = await stores.clients.find(client_id)
        if (isRotating && read) await stores.clients.update({ ...read, client_name: 'Renamed' })
        isRotating = false
        return read
      }
      return { ...stores, clients: { ...stores.clients, find } }
    }
    const w = await world({ storage, clients: [await client({ client_secret: 'x'.repeat(32) })] })
    const { clients } = await w.provider.manage()
    isRotating = true
    const after = await clients.rotateSecret('app')
    expect(await inner('default').clients.find('app')).toMatchObject({
      client_name: 'Renamed',
      client_secret_hash: after?.client.client_secret_hash,
    })
  })
})

describe('create: a client that is described wrongly gets one readable error with all faults', () => {
  it.each<[string, object, string]>([
    [
      'an unknown field',
      { redirect_uri: REDIRECT_URI },
      'redirect_uri: there is no such field; did you mean redirect_uris?',
    ],
    ['a wrong type', { redirect_uris: REDIRECT_URI }, 'redirect_uris: give a list'],
    ['no redirect URI', {}, 'redirect_uris: the authorization_code grant needs at least one'],
    [
      'two faults',
      { redirect_uris: ['notes'], trusted: 'yes' },
      'redirect_uris.0: "notes" is not an absolute URI\ntrusted: give true or false',
    ],
    [
      'a short secret',
      { redirect_uris: [REDIRECT_URI], client_secret: 'short' },
      'client_secret: give at least 22 random characters',
    ],
    [
      'a secret that is no text',
      { redirect_uris: [REDIRECT_URI], client_secret: 1 },
      'client_secret: give a string',
    ],
    [
      'a secret of a public client',
      { redirect_uris: [REDIRECT_URI], client_secret: 'a'.repeat(22), confidential: false },
      'client_secret: a client that is not confidential has none',
    ],
  ])('%s', async (_mistake, input, message) => {
    const { clients } = await start()
    const error = await clients.create({ client_id: 'notes', ...input } as NewClient).catch((e: unknown) => e)
    expect(error).toBeInstanceOf(ClientInputError)
    expect((error as Error).message).toBe(message)
  })

  it('a secret that is given makes the client confidential, and is stored as a hash', async () => {
    const { w, clients } = await start()
    const client_secret = 'a-secret-of-the-application-itself'
    const { confidential: _, ...service } = SERVICE
    expect(await clients.create({ ...service, client_secret })).toMatchObject({ client_secret })
    expect(JSON.stringify([await clients.find('service'), w.events])).not.toContain(client_secret)
    expect((await tokens(w, asService(client_secret))).status).toBe(200)
    expect((await tokens(w, asService('another secret'))).status).toBe(401)
  })
})
