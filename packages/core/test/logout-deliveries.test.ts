/** Back-channel logout: which clients are notified that a session has ended. */

import type { Client, LogoutDelivery, RealmStorage, Storage } from '@ostiary/core'
import { memoryStorage } from '@ostiary/core/memory'
import { describe, expect, it } from 'vitest'
import { bearer, client, elsewhere, redeem, type World, type WorldOptions, world } from './support.js'

const withLogoutUri = (client_id: string) => ({
  client_id,
  backchannel_logout_uri: `https://${client_id}.example.com/bc`,
})
const start = async (options: WorldOptions = {}) =>
  world({
    clients: [
      await client({ ...withLogoutUri('app'), trusted: true, backchannel_logout_session_required: true }),
      await client({ ...withLogoutUri('second'), trusted: true }),
      await client({ client_id: 'silent', trusted: true }),
      await client({ ...withLogoutUri('absent'), trusted: true }),
    ],
    fetch: async () => new Response(null, { status: 503 }),
    ...options,
  })

/** Alice signs in at these clients, in one browser. */
async function signedInAt(w: World, ...client_ids: string[]) {
  const browser = w.browser()
  for (const client_id of client_ids) expect((await browser.code({ client_id })).code).toBeDefined()
  const [session] = await w.storage(w.realm).sessions.list('alice')
  return { browser, sid: session?.sid ?? '' }
}
const claimAt = (now: number) => ({
  now,
  lease: 60,
  limit: 100,
  share: 100,
  except: { hosts: [], subs: [] },
})
async function deliveries(w: World): Promise<LogoutDelivery[]> {
  const found = await w.storage(w.realm).logouts.claim(claimAt(w.clock.now + 86_400))
  return found.toSorted((a, b) => a.client_id.localeCompare(b.client_id))
}
async function logOut(w: World, browser: Awaited<ReturnType<typeof signedInAt>>['browser']) {
  const page = await (await browser.get(`${w.issuer}/oauth/logout`)).text()
  const confirmation_token = /name="confirmation_token" value="([^"]+)"/.exec(page)?.[1] ?? ''
  expect((await browser.post(`${w.issuer}/oauth/logout`, { confirmation_token })).status).toBe(200)
}

/** The storage of a server that is killed at one operation. */
const dyingAt =
  (storage: Storage, broken: (stores: RealmStorage, die: () => never) => Partial<RealmStorage>): Storage =>
  (realm) => {
    const die = () => {
      throw new Error('killed')
    }
    return { ...storage(realm), ...broken(storage(realm), die) }
  }

describe.each(['single', 'path'] as const)('Back-channel logout (realms by %s)', (routing) => {
  it('every client that took part in the session and registered a URI: sub, sid and URI, due at once', async () => {
    const w = await start({ routing })
    const { browser, sid } = await signedInAt(w, 'app', 'second', 'silent', 'app')
    await logOut(w, browser)
    const common = { delivery_id: expect.any(String), sub: 'alice', sid, created_at: w.clock.now }
    expect(await w.storage(w.realm).logouts.claim(claimAt(w.clock.now - 1))).toEqual([])
    const due = { attempts: 1, next_attempt_at: w.clock.now + 86_460 }
    expect(await deliveries(w)).toEqual([
      {
        ...common,
        ...due,
        client_id: 'app',
        uri: 'https://app.example.com/bc',
        host: 'app.example.com',
        session_required: true,
      },
      {
        ...common,
        ...due,
        client_id: 'second',
        uri: 'https://second.example.com/bc',
        host: 'second.example.com',
        session_required: false,
      },
    ])
  })

  it.each<[string, string, (w: World, at: Awaited<ReturnType<typeof signedInAt>>) => Promise<unknown>]>([
    ['logout', 'logout', (w, { browser }) => logOut(w, browser)],
    ['a forced re-login', 'login_required', (_, { browser }) => browser.authorize({ prompt: 'login' })],
    [
      'another login in the same browser',
      'new_login',
      async (w, { browser }) => {
        await w.browser().authorize()
        await browser.signIn('bob')
      },
    ],
    [
      'the absolute lifetime',
      'expired',
      async (w) => {
        w.clock.now += 2_592_000
        await w.provider.tick()
        await w.provider.settled()
      },
    ],
  ])('on any end of the session: %s', async (_, reason, end) => {
    const w = await start({ routing })
    const at = await signedInAt(w, 'app')
    await end(w, at)
    expect(await deliveries(w)).toMatchObject([{ client_id: 'app', sid: at.sid, sub: 'alice' }])
    const ended = w.events.filter(({ type }) => type === 'session.ended')
    expect(ended).toMatchObject([{ sub: 'alice', sid: at.sid, reason }])
  })

  it('no client is notified twice, however many requests end the session at once', async () => {
    const w = await start({ routing })
    const { browser } = await signedInAt(w, 'app', 'second')
    await Promise.all(Array.from({ length: 20 }, () => browser.authorize({ prompt: 'login' })))
    expect(await deliveries(w)).toHaveLength(2)
  })

  it.each<[string, (stores: RealmStorage, die: () => never) => Partial<RealmStorage>]>([
    ['revoking the tokens', ({ grants }, revoke) => ({ grants: { ...grants, revoke } })],
    ['storing what to tell', ({ logouts }, add) => ({ logouts: { ...logouts, add } })],
    ['forgetting the session', ({ sessions }, forget) => ({ sessions: { ...sessions, forget } })],
  ])('if a server dies before %s, another server finishes the end of the session', async (before, broken) => {
    const fetched: unknown[] = []
    const fetch: typeof globalThis.fetch = async (url) => {
      fetched.push(url)
      return new Response()
    }
    const survivor = memoryStorage()
    const w = await start({ routing, storage: survivor, fetch })
    const { browser } = await signedInAt(w, 'app', 'second')
    const { body } = await redeem(w, (await browser.code()).code)
    const dying = await start({ routing, storage: dyingAt(survivor, broken), clients: [] })
    const headers = { cookie: [...browser.cookies].map((pair) => pair.join('=')).join('; ') }
    const logout = `${w.issuer}/oauth/logout?${new URLSearchParams({ id_token_hint: body.id_token })}`
    expect((await dying.provider.fetch(new Request(logout, { headers }))).status).toBe(500)

    expect((await browser.authorize({ prompt: 'none' })).headers.get('location')).toContain('login_required')
    for (const seconds of [0, 29, 30, 60]) {
      w.clock.now = dying.clock.now + seconds
      await w.provider.tick()
      await w.provider.settled()
      // The dying server has 30 seconds. What it has stored is sent at once.
      const is_sent = seconds >= 30 || before === 'forgetting the session'
      expect(fetched).toHaveLength(is_sent ? 2 : 0)
    }
    expect(
      (
        await w.provider.fetch(
          new Request(`${w.issuer}/oauth/userinfo`, { headers: bearer(body.access_token) }),
        )
      ).status,
    ).toBe(401)
    expect(fetched.sort()).toEqual(['https://app.example.com/bc', 'https://second.example.com/bc'])
  })

  it('a revoked client is not notified', async () => {
    const w = await start({ routing })
    const { browser } = await signedInAt(w, 'app', 'second')
    await elsewhere(w, (clients) => clients.revoke('app', w.clock.now))
    await logOut(w, browser)
    expect((await deliveries(w)).map(({ client_id }) => client_id)).toEqual(['second'])
  })

  it('the receivers of an operator have a fetch of their own', async () => {
    const sent: string[] = []
    const sender =
      (name: string): typeof globalThis.fetch =>
      async (url) => {
        sent.push(`${name} ${url}`)
        return new Response()
      }
    const clients = [
      await client({ ...withLogoutUri('app'), trusted: true }),
      await client({ ...withLogoutUri('second'), trusted: true, origin: 'registered' }),
    ]
    const options = { routing, clients, fetch: sender('fetch'), fetch_of_operator: sender('operator') }
    const w = await start(options)
    const { browser } = await signedInAt(w, 'app', 'second')
    await logOut(w, browser)
    await w.provider.tick()
    await w.provider.settled()
    expect(sent.sort()).toEqual([
      'fetch https://second.example.com/bc',
      'operator https://app.example.com/bc',
    ])
  })

  describe('the client has changed while a delivery waits', () => {
    const MOVED = { backchannel_logout_uri: 'https://moved.example.net/bc' }

    /** The first attempt has failed; then `change`, and the next attempt. */
    async function nextAttempt(change: (w: World) => Promise<unknown>) {
      const fetched: string[] = []
      const fetch: typeof globalThis.fetch = async (url) => {
        fetched.push(String(url))
        return new Response(null, { status: fetched.length < 3 ? 503 : 200 })
      }
      const w = await start({ routing, fetch })
      const { browser } = await signedInAt(w, 'app', 'second')
      await logOut(w, browser)
      const attempt = async () => {
        await w.provider.tick()
        await w.provider.settled()
      }
      await attempt()
      expect(fetched.splice(0).sort()).toEqual([
        'https://app.example.com/bc',
        'https://second.example.com/bc',
      ])
      fetched.push('counted', 'counted')
      await change(w)
      w.clock.now += 10
      await attempt()
      return { fetched: fetched.slice(2).sort(), events: w.events.slice(-2), left: await deliveries(w) }
    }
    const changed = (fields: Partial<Client>) => (w: World) =>
      elsewhere(w, async (clients) => {
        const found = await clients.find('app')
        if (found) await clients.update({ ...found, ...fields }, found)
      })

    it('another address: the attempt goes there', async () => {
      const { fetched, left } = await nextAttempt(changed(MOVED))
      expect(fetched).toEqual(['https://moved.example.net/bc', 'https://second.example.com/bc'])
      expect(left).toEqual([])
    })

    it.each<[string, string, (w: World) => Promise<unknown>]>([
      ['no address', 'no_logout_uri', changed({ backchannel_logout_uri: null })],
      ['revoked', 'revoked_client', (w) => elsewhere(w, (clients) => clients.revoke('app', w.clock.now))],
      ['deleted', 'revoked_client', async (w) => (await w.provider.manage(w.realm)).clients.delete('app')],
    ])('%s: the delivery ends, and the other one goes on', async (_, reason, change) => {
      const { fetched, events, left } = await nextAttempt(change)
      expect(fetched).toEqual(['https://second.example.com/bc'])
      expect(events).toContainEqual(
        expect.objectContaining({ type: 'logout.failed', client_id: 'app', reason, next_attempt_at: null }),
      )
      expect(events).toContainEqual(
        expect.objectContaining({ type: 'logout.delivered', client_id: 'second' }),
      )
      expect(left).toEqual([])
    })
  })

  it('the sessions of other browsers and other users stay valid, and nothing is sent for them', async () => {
    const w = await start({ routing })
    const { browser } = await signedInAt(w, 'app')
    const other = w.browser()
    expect((await other.code({ client_id: 'second' })).code).toBeDefined()
    await logOut(w, browser)
    expect((await deliveries(w)).map(({ client_id }) => client_id)).toEqual(['app'])
    expect((await other.authorize({ prompt: 'none' })).headers.get('location')).toContain('code=')
  })

  it('a login without a code notifies no client', async () => {
    const w = await start({ routing, clients: [await client(withLogoutUri('app'))] })
    const browser = w.browser()
    await browser.authorize()
    await browser.signIn()
    await logOut(w, browser)
    expect(await deliveries(w)).toEqual([])
  })
})
