/** `oidc.clients.registration.reuse`: a public client that registers the same metadata again gets the same client_id. */

import type { Client, OidcConfig, Storage } from '@ostiary/core'
import { memoryStorage } from '@ostiary/core/memory'
import { describe, expect, it } from 'vitest'
import { redeem, type World, type WorldOptions, world } from './support.js'

type Registration = NonNullable<NonNullable<OidcConfig['clients']>['registration']>
interface Options extends WorldOptions {
  registration?: Registration
}

const start = ({ oidc, registration, ...options }: Options = {}) =>
  world({
    clients: [],
    ...options,
    oidc: {
      ...oidc,
      clients: {
        registration: { enabled: true, reuse: true, allowed_redirect_schemes: ['cursor'], ...registration },
      },
    },
  })

async function register(w: World, body: object, address = '192.0.2.9') {
  const request = new Request(`${w.issuer}/oauth/register`, { method: 'POST', body: JSON.stringify(body) })
  const response = await w.provider.fetch(request, { address })
  return { status: response.status, body: await response.json() }
}

const CALLBACK = 'http://127.0.0.1:33418/callback'
const METADATA = {
  client_name: 'Editor',
  redirect_uris: [CALLBACK, 'cursor://host/callback'],
  post_logout_redirect_uris: ['https://editor.example/bye'],
  grant_types: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_method: 'none',
}

const stored = (w: World) => w.storage(w.realm).clients.list({ limit: 100 })
const idOf = async (w: World, body: object): Promise<string> => (await register(w, body)).body.client_id
const counted = async (w: World) =>
  (await w.storage(w.realm).throttle.list('registrations', w.clock.now))[0]?.hits ?? 0

/** Uses the client, so that it is kept. */
async function signIn(w: World, client_id: string): Promise<number> {
  const request = { client_id, redirect_uri: CALLBACK }
  const { code } = await w.browser().code(request)
  return (await redeem(w, code, request)).status
}

describe.each(['single', 'path'] as const)('The same metadata again (realms by %s)', (routing) => {
  it('has the answer of a first registration, with the client_id and its time of the stored client', async () => {
    const w = await start({ routing })
    const first = await register(w, METADATA)
    w.clock.now += 100
    const again = await register(w, METADATA, '198.51.100.7')
    expect(again).toEqual(first)
    expect(first.body).toEqual({
      ...METADATA,
      client_id: expect.stringMatching(/^[\w-]{22}$/),
      client_id_issued_at: w.clock.now - 100,
      response_types: ['code'],
    })
    expect(await stored(w)).toHaveLength(1)
    expect(await signIn(w, again.body.client_id)).toBe(200)
    expect((await register(w, METADATA)).body).toEqual(first.body)
  })
})

describe('What the same metadata are', () => {
  it.each<[string, object]>([
    ['lists in another order', { redirect_uris: [...METADATA.redirect_uris].reverse() }],
    ['entries of a list twice', { redirect_uris: [...METADATA.redirect_uris, CALLBACK] }],
    ['grant types in another order', { grant_types: ['refresh_token', 'authorization_code'] }],
    ['a default that is written out', { response_types: ['code'], grant_types: undefined }],
    ['members that are ignored', { scope: 'openid', software_id: 'x', contacts: ['a@example.org'] }],
    ['spaces around the name', { client_name: ' Editor ' }],
  ])('%s: yes, and the answer has them as they were sent', async (_, change) => {
    const w = await start()
    const first = await register(w, METADATA)
    const again = await register(w, { ...METADATA, ...change })
    const alone = await register(await start(), { ...METADATA, ...change })
    expect(again).toEqual(alone)
    expect(again.body.client_id).toBe(first.body.client_id)
  })

  it.each<[string, object]>([
    ['another name', { client_name: 'Editor!' }],
    ['a name in another case', { client_name: 'editor' }],
    ['one redirect URI less', { redirect_uris: [CALLBACK] }],
    ['one redirect URI more', { redirect_uris: [...METADATA.redirect_uris, 'http://localhost/callback'] }],
    ['another port, although any port matches', { redirect_uris: ['http://127.0.0.1:1/callback'] }],
    ['a path in another case', { redirect_uris: [CALLBACK, 'cursor://host/CALLBACK'] }],
    ['a host in another case', { redirect_uris: [CALLBACK, 'cursor://HOST/callback'] }],
    ['an entry that holds two others', { redirect_uris: [`${CALLBACK}","cursor://host/callback`] }],
    ['other grant types', { grant_types: ['authorization_code'] }],
    ['no page after signing out', { post_logout_redirect_uris: [] }],
    ['a page after signing out as a redirect URI', { post_logout_redirect_uris: [CALLBACK] }],
    ['a back-channel logout', { backchannel_logout_uri: 'https://editor.example/logout' }],
    ['logout tokens with a session', { backchannel_logout_session_required: true }],
  ])('%s: no', async (_, change) => {
    const w = await start()
    const first = await idOf(w, METADATA)
    const { status, body } = await register(w, { ...METADATA, ...change })
    // A refused registration has no id.
    expect(body.client_id).not.toBe(first)
    expect(await stored(w)).toHaveLength(status === 201 ? 2 : 1)
  })
})

describe('A client that is not reused', () => {
  it('every client while reuse is off, which is the default', async () => {
    const w = await start({ registration: { reuse: false } })
    expect(await idOf(w, METADATA)).not.toBe(await idOf(w, METADATA))
    expect(await stored(w)).toHaveLength(2)
  })

  it.each(['client_secret_basic', 'client_secret_post'])('a client with %s', async (method) => {
    const w = await start()
    const metadata = { ...METADATA, token_endpoint_auth_method: method }
    const one = (await register(w, metadata)).body
    const two = (await register(w, metadata)).body
    expect(two.client_id).not.toBe(one.client_id)
    expect(two.client_secret).not.toBe(one.client_secret)
    // Neither does it take the id that a public client gets.
    expect(await idOf(w, METADATA)).toBe(await idOf(await start(), METADATA))
  })

  it.each<[string, (w: World, client_id: string) => Promise<unknown>]>([
    ['revoked', async (w, client_id) => (await w.provider.manage(w.realm)).clients.revoke(client_id)],
    ['deleted', async (w, client_id) => (await w.provider.manage(w.realm)).clients.delete(client_id)],
    [
      'changed by the operator',
      async (w, client_id) =>
        (await w.provider.manage(w.realm)).clients.update(client_id, { client_name: 'Company editor' }),
    ],
    [
      'made first-party by the operator',
      async (w, client_id) => (await w.provider.manage(w.realm)).clients.update(client_id, { trusted: true }),
    ],
    [
      'given a secret',
      async (w, client_id) =>
        (await w.provider.manage(w.realm)).clients.update(client_id, { confidential: true }),
    ],
    [
      // Not through the provider, which knows the record that it has changed.
      'revoked by another server',
      async (w, client_id) => w.storage(w.realm).clients.revoke(client_id, w.clock.now),
    ],
  ])('one that was %s', async (_, change) => {
    const w = await start()
    const first = await idOf(w, METADATA)
    await signIn(w, first)
    await change(w, first)
    const { status, body } = await register(w, METADATA)
    expect([status, body.client_id === first]).toEqual([201, false])
    expect(await signIn(w, body.client_id)).toBe(200)
    expect(w.consents.at(-1)?.client).toMatchObject({ client_name: 'Editor', trusted: false })
  })

  it('one that an operator made with the id', async () => {
    const client_id = await idOf(await start(), METADATA)
    const w = await start()
    const manage = await w.provider.manage(w.realm)
    const { redirect_uris, client_name } = METADATA
    await manage.clients.create({ client_id, client_name, redirect_uris })
    expect(await idOf(w, METADATA)).not.toBe(client_id)
  })
})

describe('The id of a reused client', () => {
  it('follows from the metadata, the realm and the secret of the provider', async () => {
    const id = await idOf(await start(), METADATA)
    expect(await idOf(await start(), METADATA)).toBe(id)
    expect(await idOf(await start({ secret: 'another-secret-another-secret-another-1' }), METADATA)).not.toBe(
      id,
    )
    const w = await start({ routing: 'path' })
    const other = { ...w, issuer: w.issuer.replace('acme', 'other') }
    expect(await idOf(w, METADATA)).not.toBe(await idOf(other, METADATA))
  })

  it('stays after a change of the secret, while the provider knows the previous one', async () => {
    const OLD = 'the-first-secret-of-these-tests-0123456789'
    const NEW = 'another-secret-of-these-tests-9876543210-x'
    const storage = memoryStorage()
    const id = await idOf(await start({ storage, secret: OLD }), METADATA)
    expect(await idOf(await start({ storage, secret: NEW, previous_secret: OLD }), METADATA)).toBe(id)
    expect(await idOf(await start({ storage, secret: NEW }), METADATA)).not.toBe(id)
  })

  it('is not chosen by the request', async () => {
    const w = await start()
    const first = await idOf(w, METADATA)
    const { body } = await register(w, { client_name: 'Other', redirect_uris: [CALLBACK], client_id: first })
    expect(body.client_id).not.toBe(first)
  })
})

describe('The limits', () => {
  it('a reused client does not count for the day, but for the minute of the address', async () => {
    const w = await start({ oidc: { throttle: { registrations_per_day: 1, register: 4 } } })
    const statuses = []
    for (let n = 0; n < 5; n += 1) statuses.push((await register(w, METADATA)).status)
    expect(statuses).toEqual([201, 201, 201, 201, 429])
    expect((await register(w, METADATA, '192.0.2.10')).status).toBe(201)
    expect((await register(w, { ...METADATA, client_name: 'Other' }, '192.0.2.10')).status).toBe(429)
    expect(w.events.filter(({ type }) => type === 'client.registered')).toHaveLength(1)
    const reused = w.events.filter(({ type }) => type === 'client.registration_reused')
    expect(reused).toHaveLength(4)
    expect(reused[0]).toMatchObject({ client_id: (await stored(w))[0]?.client_id })
  })

  it('registering again does not keep a client that was never used', async () => {
    const w = await start({ registration: { unused_lifetime: 10_000 } })
    const first = await idOf(w, METADATA)
    w.clock.now += 6_000
    expect(await idOf(w, METADATA)).toBe(first)
    const [client] = (await stored(w)) as [Client]
    expect(client.expires_at).toBe(client.client_id_issued_at + 10_000)
  })

  it.each([
    [10_000, 6_400],
    [1_000, 500],
  ])(
    'with an unused_lifetime of %i s, a client that was never used is reused for %i s, so that its user can sign in',
    async (unused_lifetime, reused_for) => {
      const w = await start({ registration: { unused_lifetime } })
      const first = await idOf(w, METADATA)
      w.clock.now += reused_for
      expect(await idOf(w, METADATA)).toBe(first)
      w.clock.now += 1
      const second = await idOf(w, METADATA)
      expect(second).not.toBe(first)
      // The first one ends; the second one is there for its whole lifetime.
      w.clock.now += unused_lifetime - 1
      await w.provider.tick()
      expect(await signIn(w, second)).toBe(200)
      // The id that follows from the metadata is free again.
      expect(await idOf(w, METADATA)).toBe(first)
    },
  )

  it('between its end and its deletion, the client is another one', async () => {
    const w = await start({ registration: { unused_lifetime: 100 } })
    const first = await idOf(w, METADATA)
    w.clock.now += 100
    const second = await idOf(w, METADATA)
    expect(second).not.toBe(first)
    expect(await signIn(w, second)).toBe(200)
  })

  it('a client that was used is reused without end', async () => {
    const w = await start({ registration: { unused_lifetime: 100 } })
    const first = await idOf(w, METADATA)
    await signIn(w, first)
    w.clock.now += 1_000_000
    expect(await idOf(w, METADATA)).toBe(first)
  })

  it.each([true, false])('unused_lifetime 0: a client is never deleted (reuse: %j)', async (reuse) => {
    const w = await start({ registration: { unused_lifetime: 0, reuse } })
    const first = await idOf(w, METADATA)
    w.clock.now += 1_000_000_000
    await w.provider.tick()
    expect((await stored(w)).map(({ client_id }) => client_id)).toEqual([first])
    expect((await idOf(w, METADATA)) === first).toBe(reuse)
    expect(await signIn(w, first)).toBe(200)
  })
})

/** A storage whose next `clients.create` waits until `go` is called. */
function heldCreate(inner: Storage) {
  let held: (() => void) | null = null
  let reached: () => void = () => {}
  const waits = new Promise<void>((resolve) => {
    reached = resolve
  })
  const gate = new Promise<void>((resolve) => {
    held = resolve
  })
  let first = true
  const storage: Storage = (realm) => {
    const stores = inner(realm)
    const create: typeof stores.clients.create = async (client) => {
      if (first) {
        first = false
        reached()
        await gate
      }
      return stores.clients.create(client)
    }
    return { ...stores, clients: { ...stores.clients, create } }
  }
  return { storage, waits, go: () => held?.() }
}

describe('Two registrations at the same moment', () => {
  it('are one client, with the same answer, and count once', async () => {
    const { storage, waits, go } = heldCreate(memoryStorage())
    const w = await start({ storage })
    const late = register(w, METADATA)
    await waits
    const early = await register(w, METADATA)
    w.clock.now += 1
    go()
    expect(await late).toEqual(early)
    expect(await stored(w)).toHaveLength(1)
    expect(await counted(w)).toBe(1)
  })

  it('when the first client is revoked in between, the second one is another client', async () => {
    const { storage, waits, go } = heldCreate(memoryStorage())
    const w = await start({ storage })
    const late = register(w, METADATA)
    await waits
    const early = await idOf(w, METADATA)
    await (await w.provider.manage(w.realm)).clients.revoke(early)
    go()
    const { status, body } = await late
    expect([status, body.client_id === early]).toEqual([201, false])
    expect(await signIn(w, body.client_id)).toBe(200)
    expect(await counted(w)).toBe(2)
  })
})
