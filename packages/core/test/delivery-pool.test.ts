/** Back-channel logouts are delivered in parallel, with limits by host and by user. */

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { client, payload, type World, world } from './support.js'

/** A `fetch` that the test answers; `waiting` holds the requests without an answer. */
function receivers() {
  const asked: string[] = []
  const waiting = new Map<string, (response: Response) => void>()
  let onAsked: (host: string) => void = () => {}
  const fetch: typeof globalThis.fetch = (url) => {
    const { host } = new URL(String(url))
    asked.push(host)
    onAsked(host)
    // The signal is ignored, as by a name resolution that never ends.
    return new Promise((resolve) => waiting.set(String(url), resolve))
  }
  return {
    asked,
    fetch,
    waiting,
    answerAll(status = 200) {
      for (const [url, resolve] of waiting) {
        waiting.delete(url)
        resolve(new Response(null, { status }))
      }
    },
    /** Resolves when the host is asked. */
    asks: (wanted: string) =>
      new Promise<void>((resolve) => {
        if (asked.includes(wanted)) resolve()
        onAsked = (host) => host === wanted && resolve()
      }),
  }
}

/** Clients by number; `host` returns the host of each. */
async function start(clients: number, host: (n: number) => string) {
  const at = receivers()
  const records = Array.from({ length: clients }, (_, n) =>
    client({ client_id: `c${n}`, trusted: true, backchannel_logout_uri: `https://${host(n)}/bc/${n}` }),
  )
  const w = await world({ fetch: at.fetch, clients: await Promise.all(records) })
  return { w, ...at }
}

/** A user signs in at these clients and out again. */
async function signOut(w: World, sub: string, client_ids: string[]) {
  const browser = w.browser()
  for (const client_id of client_ids) expect((await browser.code({ client_id }, sub)).code).toBeDefined()
  const { sessions } = await w.provider.manage()
  await sessions.endAll(sub)
}
const ids = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => `c${from + n}`)

/** Waits until `count` hosts were asked, and then some turns, in which surplus requests would have been sent. */
async function reaches(asked: string[], count: number): Promise<void> {
  while (asked.length < count) await new Promise((resolve) => setTimeout(resolve, 1))
  for (let turns = 0; turns < 50; turns += 1) await new Promise((resolve) => setImmediate(resolve))
}

/** After this time without an answer, a delivery makes room for another one. */
const SLOW_MS = 1000
/** Timers with this delay are held until `passSlowTime`, so that a slow machine does not look like a slow receiver. */
const held = new Map<unknown, () => void>()
function passSlowTime(): void {
  for (const [timer, run] of held) if (held.delete(timer)) run()
}
beforeEach(() => {
  const { setTimeout, clearTimeout } = globalThis
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, ms?: number) => {
    if (ms !== SLOW_MS) return setTimeout(run, ms)
    const timer = setTimeout(() => {}, 0)
    held.set(timer, run)
    return timer
  }) as typeof setTimeout)
  vi.spyOn(globalThis, 'clearTimeout').mockImplementation((timer) => {
    held.delete(timer)
    clearTimeout(timer)
  })
})
afterEach(() => {
  vi.restoreAllMocks()
  held.clear()
})

describe('the delivery pool', () => {
  it('a hundred silent receivers for one user do not delay the logout of another user', async () => {
    const { w, asked, asks, answerAll } = await start(101, (n) =>
      n < 100 ? `silent-${n}.example` : 'good.example',
    )
    await signOut(w, 'alice', ids(0, 100))
    await w.provider.tick()
    await reaches(asked, 5)
    expect(asked).toHaveLength(5)
    await signOut(w, 'bob', ['c100'])
    await w.provider.tick()
    await asks('good.example')
    answerAll()
    await w.provider.stop()
  })

  it('one silent host has at most five deliveries under way, and other hosts are not delayed', async () => {
    const { w, asked } = await start(12, (n) => (n < 10 ? 'slow.example' : `good-${n}.example`))
    for (const [n, sub] of Array.from({ length: 10 }, (_, at) => [at, `user-${at}`] as const)) {
      w.accounts.set(sub, { sub, claims: {} })
      await signOut(w, sub, [`c${n}`])
    }
    await signOut(w, 'alice', ['c10'])
    await signOut(w, 'bob', ['c11'])
    await w.provider.tick()
    await reaches(asked, 7)
    expect(asked.filter((host) => host === 'slow.example')).toHaveLength(5)
    expect(asked.filter((host) => host.startsWith('good-')).sort()).toEqual([
      'good-10.example',
      'good-11.example',
    ])
    await w.provider.stop()
  })

  it('never more than 25 of a realm are under way at first, and all are delivered in the end', async () => {
    const { w, asked, waiting, answerAll } = await start(60, (n) => `host-${n}.example`)
    for (let n = 0; n < 60; n += 1) {
      w.accounts.set(`user-${n}`, { sub: `user-${n}`, claims: {} })
      await signOut(w, `user-${n}`, [`c${n}`])
    }
    await w.provider.tick()
    for (const count of [25, 50]) {
      await reaches(asked, count)
      expect([asked.length, waiting.size]).toEqual([count, 25])
      answerAll()
    }
    await reaches(asked, 60)
    answerAll()
    await w.provider.settled()
    expect(w.events.filter(({ type }) => type === 'logout.delivered')).toHaveLength(60)
  })

  it('after a second, receivers that do not answer make room for others of the realm', async () => {
    const { w, asked } = await start(30, (n) => (n < 29 ? `silent-${n}.example` : 'good.example'))
    for (let n = 0; n < 30; n += 1) {
      w.accounts.set(`user-${n}`, { sub: `user-${n}`, claims: {} })
      await signOut(w, `user-${n}`, [`c${n}`])
      if (n === 28) {
        await w.provider.tick()
        await reaches(asked, 25)
      }
    }
    expect(asked).toHaveLength(25)
    passSlowTime()
    await w.provider.tick()
    await reaches(asked, 30)
    expect(asked).toContain('good.example')
    await w.provider.stop()
  })

  it('the next delivery starts when one ends, without another tick', async () => {
    const { w, asked, answerAll } = await start(12, (n) => `host-${n}.example`)
    await signOut(w, 'alice', ids(0, 12))
    await w.provider.tick()
    for (const count of [5, 10, 12]) {
      await reaches(asked, count)
      expect(asked).toHaveLength(count)
      answerAll()
    }
    await w.provider.settled()
  })

  it('first attempts come before repeated ones', async () => {
    const { w, asked, answerAll } = await start(6, (n) => `host-${n}.example`)
    await signOut(w, 'alice', ids(0, 5))
    await w.provider.tick()
    await reaches(asked, 5)
    answerAll(500)
    await w.provider.settled()
    asked.length = 0
    w.clock.now += 10
    await signOut(w, 'alice', ['c5'])
    await w.provider.tick()
    await reaches(asked, 5)
    // One claim takes five deliveries of the user, in any order. Sorted by time alone, this one would be the sixth.
    expect(asked).toHaveLength(5)
    expect(asked).toContain('host-5.example')
    await w.provider.stop()
  })

  it('a tick does not wait for a receiver, and the other work is done', async () => {
    const { w } = await start(1, () => 'silent.example')
    await signOut(w, 'alice', ['c0'])
    await w.storage('default').revoked_tokens.add('jti', w.clock.now)
    expect(await w.provider.tick()).toEqual({ sessions_ended: 0, keys_retired: 0, records_purged: 1 })
    expect(await w.provider.tick()).toEqual({ sessions_ended: 0, keys_retired: 0, records_purged: 0 })
    await w.provider.stop()
  })

  it('stop ends the deliveries under way, which are due again', async () => {
    const { w, asked } = await start(1, () => 'silent.example')
    await signOut(w, 'alice', ['c0'])
    await w.provider.tick()
    await reaches(asked, 1)
    await w.provider.stop()
    expect(w.events.at(-1)).toMatchObject({
      type: 'logout.failed',
      reason: 'stopped',
      next_attempt_at: w.clock.now + 10,
    })
    await w.provider.tick()
    await w.provider.settled()
    expect(asked).toHaveLength(1)
  })

  it.each<[string, unknown, string]>([
    [
      'an error of the system',
      Object.assign(new Error('connect ECONNREFUSED 10.0.0.1'), { code: 'ECONNREFUSED' }),
      'ECONNREFUSED',
    ],
    [
      'a cause within',
      new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { code: 'ENOTFOUND' }) }),
      'ENOTFOUND',
    ],
    ['a word of the host', new Error('forbidden_address'), 'forbidden_address'],
    ['a sentence that repeats the receiver', new Error('the server said: hello <script>'), 'unreachable'],
    ['no error at all', 'text', 'unreachable'],
  ])('the event has the reason in one word: %s', async (_, thrown, reason) => {
    const w = await world({
      fetch: () => Promise.reject(thrown),
      clients: [await client({ trusted: true, backchannel_logout_uri: 'https://app.example.com/bc' })],
    })
    await signOut(w, 'alice', ['app'])
    await w.provider.tick()
    await w.provider.settled()
    expect(w.events.at(-1)).toMatchObject({ type: 'logout.failed', reason })
  })

  it('a logout token goes out by POST, as a form, and no redirect is followed', async () => {
    const sent: [string, RequestInit | undefined][] = []
    const w = await world({
      fetch: async (url, init) => {
        sent.push([String(url), init])
        return new Response()
      },
      clients: [await client({ trusted: true, backchannel_logout_uri: 'https://app.example.com/bc' })],
    })
    await signOut(w, 'alice', ['app'])
    await w.provider.tick()
    await w.provider.settled()
    const [[url, init] = ['', undefined]] = sent
    expect([url, init?.method, init?.redirect]).toEqual(['https://app.example.com/bc', 'POST', 'manual'])
    expect(init?.headers).toEqual({ 'content-type': 'application/x-www-form-urlencoded' })
    const token = new URLSearchParams(String(init?.body)).get('logout_token') ?? ''
    expect(payload(token)).toEqual({
      iss: w.issuer,
      aud: 'app',
      iat: w.clock.now,
      exp: w.clock.now + 120,
      jti: expect.stringMatching(/^[\w-]{22}$/),
      sub: 'alice',
      sid: expect.any(String),
      events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
    })
    const header = JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString())
    expect(header).toMatchObject({ alg: 'RS256', typ: 'logout+jwt' })
  })
})
