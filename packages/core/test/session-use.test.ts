/** What a session remembers of its browser: the `User-Agent` of the sign-in, and when it was last used. */

import { memoryStorage } from '@ostiary/core/memory'
import { eventually } from '@ostiary/test-kit/eventually'
import { describe, expect, it } from 'vitest'
import { answer, authorizeUrl, client, type World, type WorldOptions, world } from './support.js'

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

const setUp = async (options: WorldOptions = {}): Promise<World> =>
  world({ clients: [await client({ trusted: true })], ...options })

async function storedSession(w: World) {
  const [session] = await w.storage(w.realm).sessions.list('alice')
  return session
}

describe('user_agent', () => {
  it.each([
    ['as the browser sends it', FIREFOX, FIREFOX],
    ['cut to 255 characters', 'x'.repeat(300), 'x'.repeat(255)],
    ['without what is not printable ASCII', ' A\u0080\u00a0\u00e9B\tC\u00ff ', 'ABC'],
    ['null when nothing printable is left', '\u0085\u00ad', null],
    ['null when there is none', null, null],
  ])('%s', async (...[_, sent, stored]) => {
    const w = await setUp()
    await w.browser().authorize()
    const headers = new Headers(sent === null ? {} : { 'user-agent': sent })
    const request = new Request(`${w.issuer}/login`, { method: 'POST', headers })
    const return_to = w.logins.at(-1)?.return_to ?? ''
    await w.provider.login(request, { sub: 'alice', amr: ['pwd'], return_to })
    expect((await storedSession(w))?.user_agent).toBe(stored)
  })
})

describe('last_used_at', () => {
  it('is null for a new session, and set by its browser at most every 15 minutes', async () => {
    const w = await setUp()
    const b = w.browser()
    await b.code()
    const start = w.clock.now
    expect((await storedSession(w))?.last_used_at).toBeNull()
    for (const [seconds, used] of [
      [899, null],
      [900, 900],
      [1799, 900],
      [1800, 1800],
    ] as const) {
      w.clock.now = start + seconds
      expect(answer(await b.authorize())).toHaveProperty('code')
      // The answer does not wait for the write.
      const expected = used === null ? null : start + used
      await eventually(async () => expect((await storedSession(w))?.last_used_at ?? null).toBe(expected))
    }
    w.clock.now = start + 5000
    await w.provider.session(new Request(w.issuer, { headers: { cookie: b.jar.header() } }))
    await eventually(async () => expect((await storedSession(w))?.last_used_at).toBe(start + 5000))
    const managed = (await (await w.provider.manage(w.realm)).sessions.list('alice'))[0]
    expect(managed?.last_used_at).toBe(start + 5000)
  })

  it('a request with another cookie, or for a user who is gone, writes nothing', async () => {
    const storage = memoryStorage()
    const touched: string[] = []
    const w = await setUp({
      storage: (realm) => {
        const stores = storage(realm)
        const touch: typeof stores.sessions.touch = (sid, at) => {
          touched.push(sid)
          return stores.sessions.touch(sid, at)
        }
        return { ...stores, sessions: { ...stores.sessions, touch } }
      },
    })
    const b = w.browser()
    await b.code()
    w.clock.now += 5000
    const [pair = ''] = b.jar.header().split('; ')
    for (const cookie of ['', `${pair}x`, `${pair}; ${pair}`])
      await w.provider.fetch(new Request(authorizeUrl(w.issuer), { headers: { cookie } }))
    const request = new Request(w.issuer, { headers: { cookie: b.jar.header() } })
    const accounts = [...w.accounts]
    w.accounts.clear()
    expect(await w.provider.session(request)).toBeNull()
    expect(touched).toEqual([])
    // With its cookie and its user, the write begins with the request.
    for (const [sub, account] of accounts) w.accounts.set(sub, account)
    expect(await w.provider.session(request)).not.toBeNull()
    expect(touched).toHaveLength(1)
  })

  it('the request neither waits for the write nor fails with it', async () => {
    const storage = memoryStorage()
    const writes: PromiseWithResolvers<void>[] = []
    const w = await setUp({
      storage: (realm) => {
        const stores = storage(realm)
        const touch = () => {
          const write = withResolvers()
          writes.push(write)
          return write.promise
        }
        return { ...stores, sessions: { ...stores.sessions, touch } }
      },
    })
    const b = w.browser()
    await b.code()
    w.clock.now += 900
    expect(answer(await b.authorize())).toHaveProperty('code')
    expect(writes).toHaveLength(1)
    writes[0]?.reject(new Error('The storage is unavailable'))
    expect(answer(await b.authorize())).toHaveProperty('code')
    expect(w.events.map(({ type }) => type)).not.toContain('server.error')
  })
})

interface PromiseWithResolvers<T> {
  promise: Promise<T>
  reject: (cause: Error) => void
}

function withResolvers(): PromiseWithResolvers<void> {
  let reject: (cause: Error) => void = () => {}
  const promise = new Promise<void>((_, rejected) => {
    reject = rejected
  })
  return { promise, reject }
}
