/** `manage(realm).clients.delete`: everything that the client holds is dead, and its id is not used again too early. */

import type { World } from '@ostiary/test-kit/world'
import { describe, expect, it } from 'vitest'
import { personTag } from '../src/storage/tag.js'
import { bearer, client, payload, REDIRECT_URI, redeem, tokens, world } from './support.js'

const DAY_SECONDS = 86_400
const SERVICE = { client_id: 'service', confidential: true, grant_types: ['client_credentials' as const] }

const ofService = (client_secret: string | null) => ({
  grant_type: 'client_credentials',
  client_id: 'service',
  client_secret: client_secret ?? '',
})
const refreshed = (w: World, refresh_token: string, client_id = 'app') =>
  tokens(w, { grant_type: 'refresh_token', client_id, refresh_token })
const management = (w: World) => w.provider.manage(w.realm)

async function accepts(w: World, token: string): Promise<boolean> {
  const request = new Request(w.issuer, { headers: bearer(token) })
  return !((await w.provider.guard({ realm: w.realm }).authenticate(request)) instanceof Response)
}

/** Another server on the same storage, with the same clock. It keeps the records of clients for five seconds. */
const secondServer = (w: World, oidc = {}) =>
  world({
    oidc,
    storage: w.storage,
    clients: [],
    now: () => w.clock.now,
    ...(w.realm === 'acme' && { routing: 'path' }),
  })

describe.each(['single', 'path'] as const)('realms by %s', (routing) => {
  it('every token of every user is refused from now on, and the consents are gone', async () => {
    const w = await world({ routing, clients: [await client(), await client({ client_id: 'other' })] })
    const { clients } = await management(w)
    const ann = (await redeem(w, (await w.browser().code()).code)).body
    const offline = { scope: 'openid offline_access', prompt: 'consent' }
    const bob = (await redeem(w, (await w.browser().code(offline, 'bob')).code)).body
    const unused = (await w.browser().code({}, 'bob')).code
    const other = await redeem(w, (await w.browser().code({ client_id: 'other' })).code, {
      client_id: 'other',
    })
    expect([await accepts(w, ann.access_token), await accepts(w, bob.access_token)]).toEqual([true, true])

    const id_free_at = w.clock.now + 5 + 3600 + DAY_SECONDS
    expect(await clients.delete('app')).toEqual({ grants: 3, consents: 2, id_free_at })
    expect([await accepts(w, ann.access_token), await accepts(w, bob.access_token)]).toEqual([false, false])
    for (const { refresh_token } of [ann, bob])
      expect(await refreshed(w, refresh_token)).toMatchObject({ body: { error: 'invalid_client' } })
    expect(await redeem(w, unused)).toMatchObject({ body: { error: 'invalid_client' } })
    expect((await w.browser().authorize()).status).toBe(400)
    const { consents } = w.storage(w.realm)
    expect(await consents.list('bob')).toEqual([])
    expect(await consents.list('alice')).toMatchObject([{ client_id: 'other' }])
    expect(await accepts(w, other.body.access_token)).toBe(true)

    expect([await clients.find('app'), (await clients.list()).map(({ client_id }) => client_id)]).toEqual([
      null,
      ['other'],
    ])
    expect(w.events).toContainEqual({
      type: 'client.deleted',
      client_id: 'app',
      grants: 3,
      consents: 2,
      realm: w.realm,
      time: w.clock.now,
    })
  })

  it('its own tokens are refused, and no client can have its id while one of them could be valid', async () => {
    const lifetimes = { tokens: { client_credentials: 5 * DAY_SECONDS } }
    const w = await world({ routing, clients: [], oidc: lifetimes })
    const { clients } = await management(w)
    const { client_secret } = await clients.create({ ...SERVICE, access_token_lifetime: 5 * DAY_SECONDS })
    const token = (await tokens(w, ofService(client_secret))).body.access_token
    // Another server knows the record for five seconds more.
    const second = await secondServer(w, lifetimes)
    const late = (await tokens(second, ofService(client_secret))).body.access_token
    const { id_free_at = 0 } = (await clients.delete('service')) ?? {}
    const last = (await tokens(second, ofService(client_secret))).body.access_token
    expect(await accepts(w, token)).toBe(false)
    expect(await tokens(w, ofService(client_secret))).toMatchObject({ body: { error: 'invalid_client' } })

    const free_at = new Date(id_free_at * 1000).toISOString()
    const taken = `client_id: "service" is taken: a client with this id was deleted, and its last tokens expire at ${free_at}; take another one`
    for (const now of [w.clock.now + 5, id_free_at - 1]) {
      w.clock.now = now
      await w.provider.tick()
      await expect(clients.create(SERVICE)).rejects.toThrow(taken)
      expect([await accepts(w, token), await accepts(second, last)]).toEqual([false, false])
    }
    for (const value of [token, late, last]) expect(payload(value).exp).toBeLessThan(id_free_at)

    w.clock.now = id_free_at
    await w.provider.tick()
    const again = await clients.create(SERVICE)
    expect(await w.storage(w.realm).clients.find('service')).toEqual(again.client)
    for (const value of [token, late, last]) expect(await accepts(w, value)).toBe(false)
    expect(await tokens(w, ofService(client_secret))).toMatchObject({ body: { error: 'invalid_client' } })
    expect((await tokens(w, ofService(again.client_secret))).status).toBe(200)
  })

  it('what a server stores that still knows the record is deleted before the id is free', async () => {
    const w = await world({
      routing,
      clients: [await client({ consent_required: false }), await client({ client_id: 'asks' })],
    })
    const { clients } = await management(w)
    const second = await secondServer(w)
    const offline = { scope: 'openid offline_access' }
    for (const client_id of ['app', 'asks']) await second.browser().code({ client_id })
    const reports = [await clients.delete('app'), await clients.delete('asks')]
    expect(reports).toMatchObject([{ grants: 1 }, { grants: 1, consents: 1 }])

    const stray = (await redeem(second, (await second.browser().code(offline)).code)).body
    const asked = { ...offline, client_id: 'asks' }
    expect((await second.browser().code(asked, 'bob')).code).toBeTypeOf('string')
    const stored = w.storage(w.realm)
    const left = async () => [
      (await stored.grants.list('alice', w.clock.now)).length,
      (await stored.grants.list('bob', w.clock.now)).length,
      (await stored.consents.list('bob')).length,
    ]
    expect(await left()).toEqual([1, 1, 1])
    w.clock.now = reports[1]?.id_free_at ?? 0
    await w.provider.tick()
    expect(await left()).toEqual([0, 0, 0])
    await clients.create({ client_id: 'app', redirect_uris: [REDIRECT_URI] })
    expect(await refreshed(w, stray.refresh_token)).toMatchObject({ body: { error: 'invalid_grant' } })
  })
})

describe('clients.delete', () => {
  it('null for an unknown client; again: finishes what was left, without a second event', async () => {
    const w = await world()
    const { clients } = await management(w)
    expect(await clients.delete('none')).toBeNull()
    const first = await clients.delete('app')
    const [stray, code] = [await strayGrant(w), `stray-code-${ALICE_TAG}`]
    await w.storage(w.realm).grants.create(stray, { ...CODE, code_hash: code, grant_id: stray.grant_id })
    w.clock.now += 60
    expect(await clients.delete('app')).toEqual({ grants: 1, consents: 0, id_free_at: first?.id_free_at })
    expect(w.events.filter(({ type }) => type === 'client.deleted')).toHaveLength(1)
  })

  it('a revoked client and one that registered itself can be deleted', async () => {
    const w = await world({
      clients: [
        await client({ revoked_at: 1 }),
        await client({ client_id: 'own', origin: 'registered', expires_at: 1_900_000_000 }),
      ],
    })
    const { clients } = await management(w)
    expect(await clients.delete('app')).toMatchObject({ grants: 0 })
    expect(await clients.delete('own')).toMatchObject({ grants: 0 })
    expect(await clients.list()).toEqual([])
    w.clock.now += 2 * DAY_SECONDS
    await w.provider.tick()
    const { find } = w.storage(w.realm).clients
    expect([await find('app'), await find('own')]).toEqual([null, null])
  })

  it('the grants of a later client with the same id stay', async () => {
    const w = await world()
    const { clients } = await management(w)
    const { id_free_at = 0 } = (await clients.delete('app')) ?? {}
    w.clock.now = id_free_at
    await w.provider.tick()
    await clients.create({ client_id: 'app', redirect_uris: [REDIRECT_URI] })
    const { refresh_token } = (await redeem(w, (await w.browser().code()).code)).body
    // Another server that finishes the deletion at the same time.
    const { grants, consents } = w.storage(w.realm)
    await grants.revokeOfClient({ client_id: 'app', before: id_free_at }, w.clock.now)
    await consents.deleteOfClient({ client_id: 'app', before: id_free_at })
    expect((await refreshed(w, refresh_token)).status).toBe(200)
    expect(await consents.list('alice')).toHaveLength(1)
  })

  it('a pending logout delivery is dropped at its next attempt', async () => {
    const sent: string[] = []
    const w = await world({
      clients: [await client({ backchannel_logout_uri: 'https://client.example.com/logout' })],
      fetch: async (url) => {
        sent.push(String(url))
        return new Response(null, { status: 500 })
      },
    })
    await w.browser().code()
    const { clients, sessions } = await management(w)
    await sessions.endAll('alice')
    await w.provider.tick()
    await w.provider.settled()
    expect(sent).toHaveLength(1)
    await clients.delete('app')
    w.clock.now += 3600
    await w.provider.tick()
    await w.provider.settled()
    expect(sent).toHaveLength(1)
    expect(w.events.at(-1)).toMatchObject({
      type: 'logout.failed',
      reason: 'revoked_client',
      next_attempt_at: null,
    })
  })
})

const CODE = {
  redirect_uri: REDIRECT_URI,
  redirect_uri_sent: true,
  code_challenge: 'c',
  nonce: null,
  dpop_jkt: null,
  expires_at: 1_900_000_000,
  redeemed_at: null,
}

const ALICE_TAG = personTag('alice')

/** A grant that another server has stored at this moment. */
const strayGrant = async (w: World) => ({
  grant_id: `stray-${ALICE_TAG}`,
  client_id: 'app',
  sub: 'alice',
  sid: `s-${ALICE_TAG}`,
  offline: true,
  scopes: [],
  resource: null,
  auth_time: null,
  amr: [],
  acr: null,
  client_auth: null,
  jkt: null,
  created_at: w.clock.now,
  expires_at: 1_900_000_000,
  revoked_at: null,
})
