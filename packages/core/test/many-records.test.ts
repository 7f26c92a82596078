/** Work on more records than one step takes, and times at their limits: none is left out. */

import type { ClientSweep, LogoutDelivery, RealmStorage, Storage } from '@ostiary/core'
import { memoryStorage } from '@ostiary/core/memory'
import { eventually } from '@ostiary/test-kit/eventually'
import { describe, expect, it } from 'vitest'
import { asserted, clientKey, signed } from './assertions.js'
import { ON, open, pushed } from './par.js'
import { CLIENT_SECRET, client, tokens, type World, world } from './support.js'

/** A storage whose stores are changed. */
const changed =
  (storage: Storage, change: (stores: RealmStorage) => Partial<RealmStorage>): Storage =>
  (realm) => {
    const stores = storage(realm)
    return { ...stores, ...change(stores) }
  }

describe('the deletion of a client', () => {
  it('makes every step of the sweeps through grants and consents', async () => {
    // The first two steps find nothing, as when other clients have thousands of records before this one's.
    const inSteps =
      <R>(run: (sweep: ClientSweep, ...rest: number[]) => Promise<R>) =>
      async ({ after, ...sweep }: ClientSweep, ...rest: number[]) => {
        if (after === undefined) return { count: 0, next: 'second' }
        return after === 'second' ? { count: 0, next: 'third' } : run(sweep, ...rest)
      }
    const storage = changed(memoryStorage(), ({ grants, consents }) => ({
      grants: { ...grants, revokeOfClient: inSteps(grants.revokeOfClient) as typeof grants.revokeOfClient },
      consents: { ...consents, deleteOfClient: inSteps(consents.deleteOfClient) },
    }))
    const w = await world({ storage })
    await w.browser().code()
    const { clients } = await w.provider.manage()
    expect(await clients.delete('app')).toMatchObject({ grants: 1, consents: 1 })
    const { grants, consents } = w.storage('default')
    expect([await grants.list('alice', w.clock.now), await consents.list('alice')]).toEqual([[], []])
  })
})

describe('25 sessions of one user', () => {
  async function sessions() {
    const w = await world()
    for (let n = 0; n < 25; n += 1) await w.browser().code()
    await w.browser().code({}, 'bob')
    const { list } = w.storage('default').sessions
    const left = async () => [(await list('alice')).length, (await list('bob')).length]
    expect(await left()).toEqual([25, 1])
    return { w, left, management: await w.provider.manage() }
  }

  it('end with the access of the user', async () => {
    const { left, management } = await sessions()
    expect(await management.users.endAccess('alice')).toMatchObject({ sessions: 25 })
    expect(await left()).toEqual([0, 1])
  })

  it('end ten at a time', async () => {
    let under_way = 0
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const storage = changed(memoryStorage(), ({ sessions }) => ({
      sessions: {
        ...sessions,
        async end(...args) {
          under_way += 1
          await released
          return sessions.end(...args)
        },
      },
    }))
    const w = await world({ storage })
    for (let n = 0; n < 12; n += 1) await w.browser().code()
    const ending = (await w.provider.manage()).sessions.endAll('alice')
    // All that are begun without waiting for another one.
    await eventually(() => under_way >= 10)
    await new Promise((resolve) => setImmediate(resolve))
    expect(under_way).toBe(10)
    release()
    expect((await ending).sids).toHaveLength(12)
  })

  it('end together', async () => {
    const { left, management } = await sessions()
    expect((await management.sessions.endAll('alice')).sids).toHaveLength(25)
    expect(await left()).toEqual([0, 1])
  })

  it('end but for the one that is kept', async () => {
    const { w, left, management } = await sessions()
    const [kept] = await management.sessions.list('alice')
    const ended = await management.sessions.endOthers('alice', kept?.sid ?? '', 'account_page')
    expect([ended.length, ended.includes(kept?.sid ?? '')]).toEqual([24, false])
    expect([await left(), await management.sessions.list('alice')]).toEqual([[1, 1], [kept]])
    expect(w.events.filter((event) => event.type === 'session.ended')).toHaveLength(24)
  })
})

describe('a pushed request', () => {
  it('that was not opened in time is refused, also when another one was', async () => {
    const w = await world({ oidc: ON, clients: [await client({ trusted: true })] })
    const [opened, late] = [await pushed(w), await pushed(w)]
    expect((await open(w.browser(), w, opened)).status).toBe(302)
    w.clock.now += 90
    expect((await open(w.browser(), w, opened)).status).toBe(302)
    expect((await open(w.browser(), w, late)).status).toBe(400)
    expect(w.events.at(-1)).toMatchObject({ reason: 'expired_request_uri' })
  })
})

describe('an assertion', () => {
  it('with a fractional exp cannot be used again in its last second', async () => {
    const { private_key: key, public_jwk } = await clientKey('ES256')
    const w = await world({
      oidc: { clients: { private_key_jwt: true } },
      clients: [
        await client({
          token_endpoint_auth_method: 'private_key_jwt',
          jwks: { keys: [public_jwk] },
          grant_types: ['client_credentials'],
        }),
      ],
    })
    const claims = { iss: 'app', sub: 'app', aud: w.issuer, jti: 'one', exp: w.clock.now + 10.5 }
    const form = { grant_type: 'client_credentials', ...asserted(await signed({ key, header: {}, claims })) }
    expect((await tokens(w, form)).status).toBe(200)
    // It is accepted for five seconds after its exp: until 15.5 seconds from its first use.
    w.clock.now += 15
    await w.provider.tick()
    expect((await tokens(w, form)).status).toBe(401)
    expect(w.events.findLast(({ type }) => type === 'client.authentication_failed')).toMatchObject({
      reason: 'assertion_replayed',
    })
  })
})

describe('wrong secrets', () => {
  const ask = (w: World, address: string, client_secret: string) => {
    const form = new URLSearchParams({ grant_type: 'client_credentials', client_id: 'app', client_secret })
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const request = new Request(`${w.issuer}/oauth/token`, { method: 'POST', headers, body: form.toString() })
    return w.provider.fetch(request, { address }).then(({ status }) => status)
  }

  it('from the addresses of one IPv6 /64 are counted together; another /64 is not affected', async () => {
    const w = await world({
      oidc: { throttle: { client_secret: 3 } },
      clients: [await client({ client_secret: CLIENT_SECRET, grant_types: ['client_credentials'] })],
    })
    for (const host of [1, 2, 3]) expect(await ask(w, `2001:db8:1:2::${host}`, 'wrong')).toBe(401)
    expect(await ask(w, '2001:db8:1:2::4', CLIENT_SECRET)).toBe(429)
    expect(await ask(w, '2001:db8:1:3::1', CLIENT_SECRET)).toBe(200)
  })
})

describe('back-channel logout', () => {
  const silent = (): Promise<Response> => new Promise(() => {})
  const clients = async () => [
    await client({ trusted: true, backchannel_logout_uri: 'https://client.example.com/logout' }),
  ]
  async function signOut(w: World) {
    await w.browser().code()
    await (await w.provider.manage()).sessions.endAll('alice')
  }
  const claim = (w: World, limit = 10): Promise<LogoutDelivery[]> =>
    w.storage('default').logouts.claim({
      now: w.clock.now,
      lease: 0,
      limit,
      share: 10,
      except: { hosts: [], subs: [] },
    })

  it('a delivery under way is not claimed by another server while its attempt may take, ten seconds', async () => {
    let started = () => {}
    const under_way = new Promise<void>((resolve) => {
      started = resolve
    })
    const fetch = () => {
      started()
      return silent()
    }
    const w = await world({ clients: await clients(), fetch })
    await signOut(w)
    await w.provider.tick()
    await under_way
    for (const seconds of [0, 10, 19]) {
      w.clock.now += seconds
      expect(await claim(w)).toEqual([])
    }
    w.clock.now += 1
    expect(await claim(w)).toHaveLength(1)
  })

  it('the end of a session that another server finishes later makes the same delivery, not a second one', async () => {
    const survivor = memoryStorage()
    const dying = await world({
      clients: await clients(),
      storage: changed(survivor, ({ sessions }) => ({
        sessions: {
          ...sessions,
          forget: async () => {
            throw new Error('killed')
          },
        },
      })),
    })
    await dying.browser().code()
    await expect((await dying.provider.manage()).sessions.endAll('alice')).rejects.toThrow('killed')
    // The delivery is not claimed before the other server finishes the end, so that it would find a second row.
    const other = await world({ clients: [], storage: survivor, fetch: silent })
    const { list } = survivor('default').sessions
    expect(await list('alice')).toEqual([])
    const held = changed(survivor, ({ logouts }) => ({ logouts: { ...logouts, claim: async () => [] } }))
    const finishing = await world({ clients: [], storage: held, now: () => other.clock.now })
    other.clock.now += 31
    await finishing.provider.tick()
    expect(await claim(other)).toHaveLength(1)
  })
})
