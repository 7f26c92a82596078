/** `manage(realm).users.delete`: nothing of the user is left, also when a request is under way. */

import type { RealmStorage, Storage } from '@ostiary/core'
import { memoryStorage } from '@ostiary/core/memory'
import { type Gate, gate } from '@ostiary/test-kit/races/gate'
import { describe, expect, it } from 'vitest'
import { type Browser, bearer, client, redeem, tokens, type World, world } from './support.js'

const OFFLINE = { scope: 'openid offline_access' }

async function left(w: World, sub = 'alice') {
  const { sessions, grants, consents } = w.storage(w.realm)
  return {
    sessions: (await sessions.list(sub)).length,
    grants: (await grants.list(sub, w.clock.now)).length,
    consents: (await consents.list(sub)).length,
  }
}
const NOTHING = { sessions: 0, grants: 0, consents: 0 }

/** As an application does it: its own record first. */
async function deleteAlice(w: World) {
  w.accounts.delete('alice')
  return (await w.provider.manage(w.realm)).users.delete('alice')
}

describe.each(['single', 'path'] as const)('realms by %s', (routing) => {
  it('sessions end, their clients are notified, grants are revoked and consents deleted; other users keep theirs', async () => {
    const sent: string[] = []
    const w = await world({
      routing,
      clients: [await client({ backchannel_logout_uri: 'https://client.example.com/logout' })],
      fetch: async (url) => {
        sent.push(String(url))
        return new Response()
      },
    })
    const granted = (await redeem(w, (await w.browser().code(OFFLINE)).code)).body
    await w.browser().code()
    await w.browser().code({}, 'bob')
    expect(await deleteAlice(w)).toEqual({ sessions: 2, grants: 2, consents: 1 })
    expect([await left(w), await left(w, 'bob')]).toEqual([NOTHING, { sessions: 1, grants: 1, consents: 1 }])
    await w.provider.tick()
    await w.provider.settled()
    expect(sent).toHaveLength(2)
    // Even if the application had a user with this `sub` again.
    w.accounts.set('alice', { sub: 'alice', claims: {} })
    const request = new Request(w.issuer, { headers: bearer(granted.access_token) })
    expect(await w.provider.guard({ realm: w.realm }).authenticate(request)).toBeInstanceOf(Response)
    const { refresh_token } = granted
    expect(await tokens(w, { grant_type: 'refresh_token', client_id: 'app', refresh_token })).toMatchObject({
      body: { error: 'invalid_grant' },
    })
    expect(w.events).toContainEqual({
      type: 'user.deleted',
      sub: 'alice',
      sessions: 2,
      grants: 2,
      consents: 1,
      realm: w.realm,
      time: w.clock.now,
    })
    const { users } = await w.provider.manage(w.realm)
    expect(await users.delete('none')).toEqual(NOTHING)
  })
})

/** A storage with one operation that can be held, before or after its work. */
function gated(store: 'consents' | 'grants' | 'sessions', operation: string, when: 'before' | 'after') {
  const inner = memoryStorage()
  let next: Gate | null = null
  const pass = async () => {
    const held = next
    next = null
    await held?.pass()
  }
  const storage: Storage = (realm) => {
    const stores = inner(realm)
    const run = Reflect.get(stores[store], operation) as (...args: unknown[]) => Promise<unknown>
    const held = async (...args: unknown[]) => {
      if (when === 'before') await pass()
      const result = await run(...args)
      if (when === 'after') await pass()
      return result
    }
    return { ...stores, [store]: { ...stores[store], [operation]: held } } as RealmStorage
  }
  const hold = (): Gate => {
    next = gate()
    return next
  }
  return { storage, hold }
}

const signIn = async (w: World, browser: Browser) => {
  const { return_to = '' } = w.logins.at(-1) ?? {}
  const headers = { cookie: browser.jar.header() }
  const request = new Request(`${w.issuer}/login`, { method: 'POST', headers })
  const still_valid = async () => w.accounts.has('alice')
  return w.provider.login(request, { sub: 'alice', amr: ['pwd'], return_to, still_valid })
}

const WHEN = ['before', 'after'] as const

describe('a request that is held open while the user is deleted leaves nothing', () => {
  it.each(WHEN)('a sign-in, %s its session is stored', async (when) => {
    const { storage, hold } = gated('sessions', 'create', when)
    const w = await world({ storage })
    const browser = w.browser()
    await browser.authorize()
    const gate = hold()
    const work = signIn(w, browser)
    await gate.reached
    await deleteAlice(w)
    gate.open()
    await work
    expect(await left(w)).toEqual(NOTHING)
  })

  it.each(WHEN.flatMap((when) => [['merge', when] as const, ['grant', when] as const]))(
    'an approval, at its %s, %s it is stored',
    async (at, when) => {
      const { storage, hold } =
        at === 'merge' ? gated('consents', 'merge', when) : gated('grants', 'create', when)
      const w = await world({ storage })
      const browser = w.browser()
      await browser.authorize()
      await browser.signIn()
      const gate = hold()
      const work = browser.approve()
      await gate.reached
      await deleteAlice(w)
      gate.open()
      expect((await work).headers.get('location')).toContain('error=login_required')
      expect(await left(w)).toEqual(NOTHING)
    },
  )

  it.each(WHEN)('a refresh, %s its rotation', async (when) => {
    const { storage, hold } = gated('grants', 'rotateRefreshToken', when)
    const w = await world({ storage })
    const granted = (await redeem(w, (await w.browser().code(OFFLINE)).code)).body
    const gate = hold()
    const refresh = (refresh_token: string) =>
      tokens(w, { grant_type: 'refresh_token', client_id: 'app', refresh_token })
    const work = refresh(granted.refresh_token)
    await gate.reached
    await deleteAlice(w)
    gate.open()
    const { body } = await work
    expect(await left(w)).toEqual(NOTHING)
    w.accounts.set('alice', { sub: 'alice', claims: {} })
    const request = new Request(w.issuer, { headers: bearer(body.access_token) })
    expect(await w.provider.guard({ realm: w.realm }).authenticate(request)).toBeInstanceOf(Response)
    expect(await refresh(body.refresh_token)).toMatchObject({ body: { error: 'invalid_grant' } })
  })
})
