/** A change of the provider's secret: servers with the new one know the previous one too, until the keys are sealed again. */

import { describe, expect, it } from 'vitest'
import { memoryStorage } from '../src/storage/memory/memory-storage.js'
import type { Storage } from '../src/storage/storage.js'
import { bearer, redeem, tokens, type World, world } from './support.js'

const OLD = 'the-first-secret-of-these-tests-0123456789'
const NEW = 'another-secret-of-these-tests-9876543210-x'

interface Servers {
  storage: Storage
  clock: { now: number }
  /** A server with one secret or two, on the shared storage. */
  server(
    secret: string,
    previous_secret?: string,
    options?: { storage?: Storage; grace?: number },
  ): Promise<World>
}

async function servers(): Promise<Servers> {
  const storage = memoryStorage()
  const first = await world({ storage, secret: OLD })
  const { clock } = first
  return {
    storage,
    clock,
    server: (secret, previous_secret, { storage: own = storage, grace = 0 } = {}) =>
      world({
        storage: own,
        clients: [],
        secret,
        now: () => clock.now,
        oidc: { tokens: { refresh_token_grace: grace } },
        ...(previous_secret !== undefined && { previous_secret }),
      }),
  }
}

const granted = async (w: World) => (await redeem(w, (await w.browser().code()).code)).body
const refresh = (w: World, refresh_token: string) =>
  tokens(w, { grant_type: 'refresh_token', client_id: 'app', refresh_token })
const userinfo = async (w: World, token: string) =>
  (await w.provider.fetch(new Request(`${w.issuer}/oauth/userinfo`, { headers: bearer(token) }))).status
const kids = async ({ storage }: Servers) => (await storage('default').keys.list()).map(({ kid }) => kid)

describe('A server with a new secret and the previous one', () => {
  it('uses the keys that the previous secret has sealed, and accepts their tokens', async () => {
    const s = await servers()
    const before = await s.server(OLD)
    const { access_token, refresh_token } = await granted(before)
    const after = await s.server(NEW, OLD)
    expect(await userinfo(after, access_token)).toBe(200)
    expect((await refresh(after, refresh_token)).status).toBe(200)
    await expect((await (await s.server(NEW)).provider.manage()).keys.ready()).rejects.toThrow(
      'cannot be decrypted',
    )
  })

  it('continues a sign-in that began before the change', async () => {
    const s = await servers()
    const before = await s.server(OLD)
    const after = await s.server(NEW, OLD)
    const login = await before.browser().authorize()
    const return_to = new URL(login.headers.get('location') ?? '').searchParams.get('return_to') ?? ''
    const request = new Request(`${after.issuer}/login`)
    expect((await after.provider.loginPrompt(request, return_to))?.client.client_id).toBe('app')
    expect(await (await s.server(NEW)).provider.loginPrompt(request, return_to)).toBeNull()
  })

  it('answers a spent refresh token with the token that a server with the old secret has made', async () => {
    const s = await servers()
    const before = await s.server(OLD, undefined, { grace: 30 })
    const after = await s.server(NEW, OLD, { grace: 30 })
    const { refresh_token } = await granted(before)
    const next = (await refresh(before, refresh_token)).body.refresh_token
    expect((await refresh(after, refresh_token)).body.refresh_token).toBe(next)
    const newest = (await refresh(after, next)).body.refresh_token
    expect((await refresh(after, next)).body.refresh_token).toBe(newest)
  })

  it('answers with the stored token when a server with the old secret rotates at the same moment', async () => {
    const s = await servers()
    const before = await s.server(OLD, undefined, { grace: 30 })
    const { refresh_token } = await granted(before)
    let next: string | undefined
    // Between the read and the write of the one server, the other has rotated the token.
    const interrupted: Storage = (realm) => {
      const stores = s.storage(realm)
      const grants = {
        ...stores.grants,
        async rotateRefreshToken(...write: Parameters<typeof stores.grants.rotateRefreshToken>) {
          next = (await refresh(before, refresh_token)).body.refresh_token
          return stores.grants.rotateRefreshToken(...write)
        },
      }
      return { ...stores, grants }
    }
    const after = await s.server(NEW, OLD, { grace: 30, storage: interrupted })
    const { status, body } = await refresh(after, refresh_token)
    expect([status, body.refresh_token]).toEqual([200, next])
    expect((await refresh(before, next ?? '')).status).toBe(200)
  })

  it('seals the keys again: afterwards the new secret is sufficient', async () => {
    const s = await servers()
    const before = await s.server(OLD)
    const { access_token } = await granted(before)
    await (await before.provider.manage()).keys.rotate()
    const known = await kids(s)
    const { keys } = await (await s.server(NEW, OLD)).provider.manage()
    expect(await keys.reseal()).toBe(2)
    expect(await keys.reseal()).toBe(0)
    expect(await kids(s)).toEqual(known)
    expect(await userinfo(await s.server(NEW), access_token)).toBe(200)
    await expect((await (await s.server(OLD)).provider.manage()).keys.ready()).rejects.toThrow(
      'cannot be decrypted',
    )
  })

  it('does not bring back a key that is revoked while the keys are sealed again', async () => {
    const s = await servers()
    await granted(await s.server(OLD))
    const [leaked = ''] = await kids(s)
    const interrupted: Storage = (realm) => {
      const stores = s.storage(realm)
      const list = async () => {
        const keys = await stores.keys.list()
        await stores.keys.drop(leaked)
        return keys
      }
      return { ...stores, keys: { ...stores.keys, list } }
    }
    const { keys } = await (await s.server(NEW, OLD, { storage: interrupted })).provider.manage()
    expect(await keys.reseal()).toBe(0)
    expect(await kids(s)).toEqual([])
  })

  it('refuses a weak previous secret at creation', async () => {
    const s = await servers()
    await expect(s.server(NEW, 'short')).rejects.toThrow('previous_secret')
  })
})
