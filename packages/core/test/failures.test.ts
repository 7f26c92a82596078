/** The answers to a client when the server fails. The cause appears only in the event. */

import type { RealmStorage, Storage } from '@ostiary/core'
import { memoryStorage } from '@ostiary/core/memory'
import { describe, expect, it } from 'vitest'
import { answer, client, redeem, type World, world } from './support.js'

class StorageUnavailable extends Error {}

/** A storage whose operations reject with `broken.with` while it is set. */
function fragile(): { storage: Storage; broken: { with: Error | null } } {
  const inner = memoryStorage()
  const broken: { with: Error | null } = { with: null }
  const guarded = <T extends object>(store: T): T =>
    new Proxy(store, {
      get: (target, name) => {
        const value = Reflect.get(target, name)
        if (typeof value === 'object' && value !== null) return guarded(value)
        if (typeof value !== 'function') return value
        return (...args: unknown[]) =>
          broken.with ? Promise.reject(broken.with) : Reflect.apply(value, target, args)
      },
    })
  return { storage: (realm) => guarded<RealmStorage>(inner(realm)), broken }
}

const unavailable = (cause: unknown) => cause instanceof StorageUnavailable

async function fragileWorld(): Promise<{ w: World; broken: { with: Error | null } }> {
  const { storage, broken } = fragile()
  return { w: await world({ storage, unavailable, clients: [await client()] }), broken }
}

describe('storage that is not available', () => {
  it.each(['/oauth/token', '/oauth/revoke', '/oauth/introspect'])(
    '%s: 503 with Retry-After',
    async (path) => {
      const { w, broken } = await fragileWorld()
      broken.with = new StorageUnavailable('connection refused at 10.0.0.7')
      const form = { grant_type: 'refresh_token', client_id: 'app', refresh_token: 'x', token: 'x' }
      const response = await w.post(path, form)
      expect(response.status).toBe(503)
      expect(response.headers.get('retry-after')).toBe('5')
      const body = await response.text()
      expect(JSON.parse(body).error).toBe('temporarily_unavailable')
      expect(body).not.toContain('10.0.0.7')
      expect(w.events.at(-1)).toMatchObject({ type: 'server.error', cause: broken.with })
    },
  )

  it('authorize: 503 JSON before the redirect target is verified; succeeds again when storage is available', async () => {
    const { w, broken } = await fragileWorld()
    broken.with = new StorageUnavailable()
    expect((await w.browser().authorize()).status).toBe(503)
    broken.with = null
    expect((await redeem(w, (await w.browser().code()).code)).status).toBe(200)
  })

  it('authorize: an error redirect once its target is verified', async () => {
    const away = new StorageUnavailable()
    const w = await world({ unavailable, accounts: { find: () => Promise.reject(away) } })
    const browser = w.browser()
    await browser.authorize()
    expect(answer(await browser.signIn())).toMatchObject({
      error: 'temporarily_unavailable',
      state: 'the state',
    })
  })

  it('discovery and JWKS need no storage and still work', async () => {
    const { w, broken } = await fragileWorld()
    const get = (path: string) => w.provider.fetch(new Request(`${w.issuer}/.well-known/${path}`))
    await get('jwks.json')
    broken.with = new StorageUnavailable()
    w.clock.now += 3600
    expect([(await get('openid-configuration')).status, (await get('jwks.json')).status]).toEqual([200, 200])
  })
})

describe('any other failure', () => {
  it('is server_error 500 with a fixed sentence', async () => {
    const { w, broken } = await fragileWorld()
    broken.with = new TypeError('secret detail')
    const response = await w.post('/oauth/token', {
      grant_type: 'refresh_token',
      client_id: 'app',
      refresh_token: 'x',
    })
    expect(response.status).toBe(500)
    expect(await response.json()).toEqual({
      error: 'server_error',
      error_description: 'Something went wrong on our side. Try again later.',
    })
  })

  it('at authorize is redirected to the client as server_error once its target is verified', async () => {
    const w = await world({ accounts: { find: () => Promise.reject(new TypeError('secret detail')) } })
    const browser = w.browser()
    await browser.authorize()
    const answered = answer(await browser.signIn())
    expect(answered).toMatchObject({ error: 'server_error', iss: w.issuer, state: 'the state' })
    expect(JSON.stringify(answered)).not.toContain('secret detail')
  })

  it('of one job does not stop the others', async () => {
    const inner = memoryStorage()
    const failing: Storage = (realm) => ({
      ...inner(realm),
      sessions: { ...inner(realm).sessions, expired: () => Promise.reject(new TypeError('down')) },
    })
    const w = await world({ storage: failing })
    await w.storage(w.realm).revoked_tokens.add('jti', w.clock.now)
    w.clock.now += 86_400
    expect((await w.provider.tick()).records_purged).toBeGreaterThan(0)
    expect(w.events.some(({ type }) => type === 'server.error')).toBe(true)
  })
})
