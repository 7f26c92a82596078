/**
 * The mark of a client, `not_before`: a grant that began until then has ended, wherever it is asked for. A deletion sets the mark with
 * its first write, and revokes the grants one by one afterwards.
 */

import type { Storage } from '@ostiary/core'
import { memoryStorage } from '@ostiary/core/memory'
import { gate } from '@ostiary/test-kit/races/gate'
import { describe, expect, it } from 'vitest'
import { approved, deviceClient, deviceWorld, polled } from './device.js'
import { markClient } from './mark-client.js'
import { bearer, CLIENT_SECRET, client, payload, redeem, tokens, type World, world } from './support.js'

const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'
const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token'
const SECRET = { client_secret: CLIENT_SECRET }
const APP = { client_id: 'app', ...SECRET }
const API = { client_id: 'api', ...SECRET }
const ISSUER = 'https://id.example.com'
const FILES = `${ISSUER}/files`

/** A storage whose sweep over the grants and consents of a client waits until it is released. */
function heldSweep() {
  const { reached, pass, open } = gate()
  const held = async <T>(step: () => Promise<T>): Promise<T> => {
    await pass()
    return step()
  }
  const inner = memoryStorage()
  const storage: Storage = (realm) => {
    const stores = inner(realm)
    const { consents, grants } = stores
    return {
      ...stores,
      consents: { ...consents, deleteOfClient: (step) => held(() => consents.deleteOfClient(step)) },
      grants: { ...grants, revokeOfClient: (step, now) => held(() => grants.revokeOfClient(step, now)) },
    }
  }
  return { storage, reached, release: open }
}

/** Alice has signed in to `app`, for the API `files`, which is the client `api`: it has exchanged her token. */
async function place() {
  const sweep = heldSweep()
  const w = await world({
    storage: sweep.storage,
    oidc: {
      resources: { files: { scopes: [], clients: ['api'] } },
      clients: { token_exchange: true },
    },
    clients: [
      await client(SECRET),
      await client({ ...API, grant_types: [EXCHANGE], allowed_exchange_audiences: [ISSUER] }),
    ],
  })
  const request = { resource: FILES, scope: 'openid offline_access', prompt: 'consent' }
  const granted = (await redeem(w, (await w.browser().code(request)).code, SECRET)).body
  const { code } = await w.browser().code(request)
  const exchanged = (await exchange(w, granted.access_token)).body.access_token
  /** Begins the deletion, whose sweep waits. */
  const startDeletion = async () => {
    const deletion = (await w.provider.manage()).clients.delete('app')
    await sweep.reached
    return { deletion, release: sweep.release }
  }
  return { w, granted, code, exchanged, startDeletion }
}
type Place = Awaited<ReturnType<typeof place>>

const exchange = (w: World, subject_token: string) =>
  tokens(w, {
    ...API,
    grant_type: EXCHANGE,
    subject_token,
    subject_token_type: ACCESS_TOKEN,
    audience: ISSUER,
  })
const refresh = (w: World, refresh_token: string) =>
  tokens(w, { ...APP, grant_type: 'refresh_token', refresh_token })

/** Whether each use of alice's tokens works. */
async function uses(w: World, { granted, code, exchanged }: Pick<Place, 'granted' | 'code' | 'exchanged'>) {
  const guarded = async (token: string) =>
    !(
      (await w.provider.guard().authenticate(new Request(ISSUER, { headers: bearer(token) }))) instanceof
      Response
    )
  const userinfo = async (token: string) =>
    (await w.provider.fetch(new Request(`${ISSUER}/oauth/userinfo`, { headers: bearer(token) }))).status ===
    200
  const introspected = async (token: string, by: Record<string, string>) =>
    (await (await w.post('/oauth/introspect', { ...by, token })).json()).active === true
  return {
    guard: await guarded(granted.access_token),
    userinfo: await userinfo(granted.access_token),
    introspection: await introspected(granted.access_token, API),
    exchange: (await exchange(w, granted.access_token)).status === 200,
    'guard, exchanged': await guarded(exchanged),
    'userinfo, exchanged': await userinfo(exchanged),
    'introspection, exchanged': await introspected(exchanged, API),
    'introspection, refresh token': await introspected(granted.refresh_token, APP),
    refresh: (await refresh(w, granted.refresh_token)).status === 200,
    redemption: (await redeem(w, code, SECRET)).status === 200,
  }
}

const all = (works: boolean) =>
  Object.fromEntries(
    [
      'guard',
      'userinfo',
      'introspection',
      'exchange',
      'guard, exchanged',
      'userinfo, exchanged',
      'introspection, exchanged',
      'introspection, refresh token',
      'refresh',
      'redemption',
    ].map((use) => [use, works]),
  )

/** Another server on the same storage. */
const secondServer = (w: World, options: { ahead?: number; client_cache?: number } = {}) => {
  const { ahead = 0, ...rest } = options
  const oidc = { resources: { files: {} } }
  return world({ storage: w.storage, oidc, clients: [], now: () => w.clock.now + ahead, ...rest })
}
const accepts = async (w: World, token: string) =>
  !(
    (await w.provider.guard().authenticate(new Request(ISSUER, { headers: bearer(token) }))) instanceof
    Response
  )

describe('a deletion whose sweep has not begun', () => {
  it('before it, everything works', async () => {
    const at = await place()
    expect(await uses(at.w, at)).toEqual(all(true))
  })

  it('has ended every token of every user', async () => {
    const at = await place()
    const { deletion, release } = await at.startDeletion()
    const [grant_id = ''] = String(payload(at.granted.access_token).jti).split('.')
    expect(await at.w.storage('default').grants.find(grant_id)).toMatchObject({ revoked_at: null })
    expect(await uses(at.w, at)).toEqual(all(false))
    release()
    expect(await deletion).toMatchObject({ grants: 2, consents: 1 })
    expect(await uses(at.w, at)).toEqual(all(false))
  })

  it('counts at another server when its client_cache has passed, and not before', async () => {
    const at = await place()
    const [second, uncached] = [await secondServer(at.w), await secondServer(at.w, { client_cache: 0 })]
    const token = at.granted.access_token
    expect([await accepts(second, token), await accepts(uncached, token)]).toEqual([true, true])
    const { deletion, release } = await at.startDeletion()
    at.w.clock.now += 4
    expect([await accepts(second, token), await accepts(uncached, token)]).toEqual([true, false])
    at.w.clock.now += 1
    expect(await accepts(second, token)).toBe(false)
    release()
    await deletion
  })

  it('ends also a grant that a server makes afterwards, which knows the record and whose clock is ahead', async () => {
    const at = await place()
    const ahead = await secondServer(at.w, { ahead: 30 })
    await ahead.browser().code()
    const { deletion, release } = await at.startDeletion()
    const late = (await redeem(ahead, (await ahead.browser().code()).code, SECRET)).body
    expect(await accepts(ahead, late.access_token)).toBe(true)
    at.w.clock.now += 60
    expect([await accepts(at.w, late.access_token), await accepts(ahead, late.access_token)]).toEqual([
      false,
      false,
    ])
    release()
    await deletion
  })
})

describe('a client that is in use, with a mark', () => {
  it('has no grant of this second or before', async () => {
    const at = await place()
    await markClient(at.w, 'app', at.w.clock.now)
    expect(await uses(at.w, at)).toEqual(all(false))
  })

  it('has the grants of the next second', async () => {
    const at = await place()
    await markClient(at.w, 'app', at.w.clock.now - 1)
    expect(await uses(at.w, at)).toEqual(all(true))
  })

  it('keeps it when an operator changes the client', async () => {
    const at = await place()
    await markClient(at.w, 'app', at.w.clock.now)
    const { clients } = await at.w.provider.manage()
    expect(await clients.update('app', { client_name: 'Another' })).toMatchObject({
      changed: ['client_name'],
    })
    expect(await clients.find('app')).toMatchObject({ not_before: at.w.clock.now - 5 })
    expect(await uses(at.w, at)).toEqual(all(false))
  })

  it.each([
    [0, [400, 'access_denied']],
    [-1, [200, null]],
  ])('the approval of a device at the mark and %i seconds: %j', async (seconds, answer) => {
    const w = await deviceWorld({ clients: [await deviceClient()] })
    const { device_code } = await approved(w)
    await markClient(w, 'tv', w.clock.now + seconds)
    expect(await polled(w, device_code)).toEqual(answer)
  })
})

it("a revoked client has no mark: access tokens of users stay valid, and its id's next client has none either", async () => {
  const at = await place()
  const { clients } = await at.w.provider.manage()
  await clients.revoke('app')
  expect(await clients.find('app')).toMatchObject({ not_before: null })
  expect(await accepts(at.w, at.granted.access_token)).toBe(true)
  const { deletion, release } = await at.startDeletion()
  expect(await accepts(at.w, at.granted.access_token)).toBe(false)
  release()
  const { id_free_at = 0 } = (await deletion) ?? {}
  expect(await at.w.storage('default').clients.find('app')).toMatchObject({ not_before: id_free_at - 1 })
  at.w.clock.now = id_free_at
  await at.w.provider.tick()
  await clients.create({ client_id: 'app', redirect_uris: ['https://client.example.com/callback'] })
  expect(await clients.find('app')).toMatchObject({ not_before: null })
  const later = (await redeem(at.w, (await at.w.browser().code()).code)).body
  expect(await accepts(at.w, later.access_token)).toBe(true)
})
