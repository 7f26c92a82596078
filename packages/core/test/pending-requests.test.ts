/** Authorization requests that wait for a login or a consent: where they are stored, and that each has one answer. */

import type { RealmStorage, Storage } from '@ostiary/core'
import { memoryStorage } from '@ostiary/core/memory'
import { describe, expect, it } from 'vitest'
import {
  answer,
  authorizeUrl,
  type Browser,
  client,
  type World,
  type WorldOptions,
  world,
} from './support.js'

const MAX_STATE = 's'.repeat(8192)

/** A storage that records the kind of each pending record that is written. */
function watched() {
  const inner = memoryStorage()
  const written: string[] = []
  const storage: Storage = (realm) => {
    const stores: RealmStorage = inner(realm)
    const put: RealmStorage['pending']['put'] = (record) => {
      written.push(record.kind)
      return stores.pending.put(record)
    }
    return { ...stores, pending: { ...stores.pending, put } }
  }
  return { storage, written }
}

const TRUSTED = await client({ trusted: true })
const start = (options: WorldOptions = {}) => world({ clients: [TRUSTED], ...options })

const resumeOf = (w: World, token = w.logins.at(-1)?.return_to ?? '') =>
  `${w.issuer}/oauth/authorize/resume?id=${encodeURIComponent(token)}`
const posted = async (browser: Browser, w: World, changes: Record<string, string> = {}) => {
  const [endpoint = '', form = ''] = authorizeUrl(w.issuer, changes).split('?')
  return browser.post(endpoint, form)
}

describe.each(['single', 'path'] as const)('realms by %s', (routing) => {
  describe('a request without a session', () => {
    it.each(['GET', 'POST'])('stores nothing, by %s', async (method) => {
      const { storage, written } = watched()
      const w = await start({ routing, storage })
      for (let requests = 0; requests < 20; requests += 1) {
        const browser = w.browser()
        const response = method === 'GET' ? await browser.authorize() : await posted(browser, w)
        if (method === 'POST') await browser.get(response.headers.get('location') ?? '')
      }
      expect(w.logins).toHaveLength(20)
      expect(written).toEqual([])
    })

    it('is sealed in its token, and valid only in its own realm', async () => {
      const w = await start({ routing })
      await w.browser().authorize({ state: 'a-recognisable-state' })
      const token = w.logins[0]?.return_to ?? ''
      expect(token).toMatch(/^sealed\.[\w-]+$/)
      expect(Buffer.from(token.slice(7), 'base64url').toString('latin1')).not.toContain('recognisable')
      const request = new Request(`${w.issuer}/login`)
      expect(await w.provider.loginPrompt(request, token)).toMatchObject({ return_to: token })
      const elsewhere = await start({ routing, secret: 'another-secret-another-secret-another-secret' })
      expect(await elsewhere.provider.loginPrompt(request, token)).toBeNull()
      if (routing === 'path') {
        await w.storage('other').clients.create(TRUSTED)
        const other = new Request('https://id.example.com/realms/other/login')
        expect(await w.provider.loginPrompt(other, token)).toBeNull()
      }
    })

    it('is unknown when any character of its token was changed', async () => {
      const w = await start({ routing })
      await w.browser().authorize()
      const token = w.logins[0]?.return_to ?? ''
      const request = new Request(`${w.issuer}/login`)
      for (const at of [0, 7, 20, 40, 60, Math.floor(token.length / 2), token.length - 2]) {
        const other = token[at] === 'A' ? 'B' : 'A'
        const changed = token.slice(0, at) + other + token.slice(at + 1)
        expect(await w.provider.loginPrompt(request, changed), `${at}`).toBeNull()
      }
      for (const wrong of ['sealed.', 'sealed.AAAA', 'sealed.%', `${token}A`, token.slice(0, -8)])
        expect(await w.provider.loginPrompt(request, wrong), wrong).toBeNull()
    })

    it('ends with oidc.tokens.pending_authorization', async () => {
      const w = await start({ routing, oidc: { tokens: { pending_authorization: 60 } } })
      await w.browser().authorize()
      const token = w.logins[0]?.return_to ?? ''
      const request = new Request(`${w.issuer}/login`)
      w.clock.now += 59
      expect(await w.provider.loginPrompt(request, token)).not.toBeNull()
      w.clock.now += 1
      expect(await w.provider.loginPrompt(request, token)).toBeNull()
    })
  })

  describe('a request allows one answer', () => {
    it('is answered by a code, and stays marked as answered until it expires', async () => {
      const { storage, written } = watched()
      const w = await start({ routing, storage })
      const browser = w.browser()
      await browser.authorize()
      expect(answer(await browser.signIn())).toHaveProperty('code')
      expect(written).toEqual(['answered'])
      expect((await browser.get(resumeOf(w))).status).toBe(400)
      expect(
        await w.provider.loginPrompt(new Request(`${w.issuer}/login`), w.logins[0]?.return_to ?? ''),
      ).toBeNull()
    })

    it('and all tokens of one POSTed request share this answer', async () => {
      const w = await start({ routing })
      const browser = w.browser()
      const first = (await posted(browser, w)).headers.get('location') ?? ''
      await browser.get(first)
      await browser.get(first)
      expect(new Set(w.logins.map(({ return_to }) => return_to)).size).toBe(2)
      expect(answer(await browser.signIn())).toHaveProperty('code')
      for (const url of [first, ...w.logins.map(({ return_to }) => resumeOf(w, return_to))])
        expect((await browser.get(url)).status).toBe(400)
    })

    it('a consent view that was shown twice can be answered once', async () => {
      const w = await world({ routing })
      const browser = w.browser()
      await browser.authorize()
      await browser.signIn()
      await browser.get(resumeOf(w))
      const tokens = w.consents.map(({ auth_token }) => auth_token)
      expect(new Set(tokens).size).toBe(2)
      const answers = []
      for (const auth_token of tokens)
        answers.push((await browser.post(`${w.issuer}/oauth/authorize/consent`, { auth_token })).status)
      expect(answers).toEqual([303, 403])
    })
  })

  describe('a request too long for a URL', () => {
    const long = (browser: Browser, w: World) => posted(browser, w, { state: MAX_STATE })

    it('is stored, and continues like any other', async () => {
      const { storage, written } = watched()
      const w = await start({ routing, storage })
      const browser = w.browser()
      const resume = (await long(browser, w)).headers.get('location') ?? ''
      await browser.get(resume)
      expect(answer(await browser.signIn())).toMatchObject({ state: MAX_STATE, code: expect.any(String) })
      expect(written).toEqual(['authorization', 'authorization'])
      expect((await browser.get(resume)).status).toBe(400)
    })

    it('is refused after oidc.throttle.authorize requests of one address; other addresses are not affected', async () => {
      const w = await start({ routing, oidc: { throttle: { authorize: 3 } } })
      const at = (address: string, state: string) =>
        w.provider.fetch(new Request(authorizeUrl(w.issuer, { state })), { address })
      for (let n = 0; n < 3; n += 1)
        expect(answer(await at('192.0.2.1', MAX_STATE)).to).toBe(`${w.issuer}/login`)
      expect(answer(await at('192.0.2.1', MAX_STATE))).toMatchObject({
        error: 'temporarily_unavailable',
        state: MAX_STATE,
      })
      expect(answer(await at('192.0.2.1', 'short')).to).toBe(`${w.issuer}/login`)
      expect(answer(await at('192.0.2.2', MAX_STATE)).to).toBe(`${w.issuer}/login`)
      w.clock.now += 60
      expect(answer(await at('192.0.2.1', MAX_STATE)).to).toBe(`${w.issuer}/login`)
    })

    it('an IPv6 /48 has four times the limit of a /64', async () => {
      const w = await start({ routing, oidc: { throttle: { authorize: 2 } } })
      const at = async (address: string) =>
        answer(await w.provider.fetch(new Request(authorizeUrl(w.issuer, { state: MAX_STATE })), { address }))
          .to === `${w.issuer}/login`
      const passed = []
      for (let net = 0; net < 10; net += 1) passed.push(await at(`2001:db8:7:${net}::1`))
      expect(passed.filter(Boolean)).toHaveLength(8)
      expect(await at('2001:db8:8::1')).toBe(true)
      const counted = await w.storage(w.realm).throttle.list('authorize:2001:db8:7:', w.clock.now)
      expect(counted.map(({ key }) => key)).toContain('authorize:2001:db8:7::/48;')
      expect(counted).toHaveLength(9)
    })

    it('is refused when 4,000 of the realm are stored, from all addresses together; short requests are not', async () => {
      const w = await start({ routing, oidc: { throttle: { authorize: 1_000_000 } } })
      const { throttle } = w.storage(w.realm)
      for (let hits = 0; hits < 4000; hits += 1) await throttle.hit('authorize', 600, w.clock.now)
      const browser = w.browser()
      expect(answer(await browser.authorize({ state: MAX_STATE }))).toMatchObject({
        error: 'temporarily_unavailable',
      })
      await browser.authorize()
      expect(answer(await browser.signIn())).toHaveProperty('code')
    })
  })

  it.each([
    ['state', 8192],
    ['nonce', 2048],
    ['acr_values', 2048],
  ])('%s has at most %i characters', async (name, limit) => {
    const w = await start({ routing })
    expect((await posted(w.browser(), w, { [name]: 'x'.repeat(limit) })).headers.get('location')).toMatch(
      /resume/,
    )
    const refused = answer(await posted(w.browser(), w, { [name]: 'x'.repeat(limit + 1) }))
    expect(refused).toMatchObject({ error: 'invalid_request', iss: w.issuer })
    // A state that is too long is not sent back.
    expect(refused.state).toBe(name === 'state' ? undefined : 'the state')
  })

  it.each(['consent', 'logout'])('a session may have 60 open questions a minute (%s)', async (kind) => {
    const w = await world({ routing, clients: [await client()] })
    const browser = w.browser()
    await browser.code()
    const ask = () =>
      kind === 'consent' ? browser.authorize({ prompt: 'consent' }) : browser.get(`${w.issuer}/oauth/logout`)
    const before = kind === 'consent' ? 1 : 0
    for (let asked = before; asked < 60; asked += 1) expect((await ask()).status).toBe(200)
    const refused = await ask()
    if (kind === 'consent') expect(answer(refused).error).toBe('temporarily_unavailable')
    else expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, expect.any(String)])
    w.clock.now += 60
    expect((await ask()).status).toBe(200)
  })
})
