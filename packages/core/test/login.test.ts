/** Login: the redirect to it, its completion, and the pending request afterwards; the session and its cookie. */

import type { CallOrigin, Interactions, Login, OidcEvent } from '@ostiary/core'
import { describe, expect, it } from 'vitest'
import {
  answer,
  authorizeUrl,
  type Browser,
  client,
  elsewhere,
  payload,
  REDIRECT_URI,
  redeem,
  type World,
  type WorldOptions,
  world,
} from './support.js'

/** A trusted client: a signed-in user needs no consent. */
const setUp = async (options: WorldOptions): Promise<World> =>
  world({ clients: [await client({ trusted: true })], ...options })

/** The application completes the login of the newest request; no redirect is followed. */
function login(
  w: World,
  more: Partial<Login> & { accept?: string } = {},
  browser: Browser = w.browser(),
): Promise<Response> {
  const { accept = '*/*', ...changes } = more
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const request = new Request(`${w.issuer}/login`, { method: 'POST', headers: { cookie, accept } })
  const return_to = w.logins.at(-1)?.return_to ?? ''
  return w.provider.login(request, { sub: 'alice', amr: ['pwd'], return_to, ...changes })
}

function cookieOf(response: Response): { name: string; value: string } {
  const [, name = '', value = ''] = /^([^=]+)=([^;]+);/.exec(response.headers.getSetCookie().join('\n')) ?? []
  return { name, value }
}

async function signedIn(w: World, sub = 'alice'): Promise<Browser> {
  const browser = w.browser()
  await browser.authorize()
  await browser.signIn(sub)
  return browser
}

const resume = (w: World, index = -1) =>
  `${w.issuer}/oauth/authorize/resume?id=${w.logins.at(index)?.return_to}`
const of = <T extends OidcEvent['type']>(w: World, type: T) => w.events.filter((event) => event.type === type)
const silent = { prompt: 'none' }

async function expectStale(response: Response): Promise<void> {
  expect([response.status, response.headers.get('location')]).toEqual([400, null])
  expect(response.headers.getSetCookie()).toEqual([])
  expect(await response.json()).toEqual({ error: 'invalid_request', error_description: expect.any(String) })
}

describe.each(['single', 'path'] as const)('realms by %s', (routing) => {
  it('an unauthenticated user is redirected to login; after it the pending request continues', async () => {
    const w = await setUp({ routing })
    const browser = w.browser()
    expect(answer(await browser.authorize()).to).toBe(`${w.issuer}/login`)
    const response = await login(w)
    expect([response.status, response.headers.get('location')]).toEqual([303, resume(w)])
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(answer(await browser.signIn())).toMatchObject({ to: REDIRECT_URI, state: 'the state' })
  })

  describe('the event of a login says who, at which client, and from where', () => {
    const started = async (headers: Record<string, string>, origin: CallOrigin, username?: string) => {
      const w = await setUp({ routing })
      await w.browser().authorize()
      const request = new Request(`${w.issuer}/login`, { method: 'POST', headers })
      const return_to = w.logins.at(-1)?.return_to ?? ''
      const login = { sub: 'alice', amr: ['pwd'], return_to, ...(username !== undefined && { username }) }
      await w.provider.login(request, login, origin)
      return of(w, 'session.started')
    }
    const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0'

    it('with an address that is certain', async () => {
      const event = {
        sub: 'alice',
        client_id: 'app',
        username: 'Al',
        address: '192.0.2.7',
        user_agent: agent,
      }
      expect(await started({ 'user-agent': agent }, { address: '192.0.2.7' }, 'Al')).toMatchObject([event])
    })

    it('without the address that a peer claims', async () => {
      const [event] = await started({}, { address: '192.0.2.7', peer: '198.51.100.1' })
      expect(event).toMatchObject({ client_id: 'app', username: null, address: null, user_agent: null })
    })

    it.each([255, 256])('with 255 characters of a username of %d', async (length) => {
      const [event] = await started({}, {}, 'u'.repeat(length))
      expect(event).toMatchObject({ username: 'u'.repeat(255) })
    })

    it.each([
      ['of 255 characters', 'Mozilla '.repeat(40).slice(0, 255), 255],
      ['of 256 characters, cut', `${'Mozilla '.repeat(40).slice(0, 255)}X`, 255],
      ['that looks like a secret, left out', 'zq7x4k9m2v8w1t5b3n6c0j7h4d2f', undefined],
    ])('a User-Agent %s', async (_, sent, length) => {
      const [event] = await started({ 'user-agent': sent }, {})
      expect(event).toMatchObject({ type: 'session.started' })
      expect(event && 'user_agent' in event ? event.user_agent?.length : 'no field').toBe(length)
    })
  })

  it('a login without an authorization request has no client in its event', async () => {
    const w = await setUp({ routing })
    await login(w, { return_to: { path: '/account' } })
    expect(of(w, 'session.started')).toMatchObject([{ client_id: null }])
  })

  describe('a login sets a new session id', () => {
    it('a planted cookie is not reused', async () => {
      const w = await setUp({ routing })
      const browser = w.browser()
      await browser.authorize()
      const { name } = cookieOf(await login(w))
      const planted = 'planted-planted-planted-planted-planted-pla'
      browser.cookies.set(name, planted)
      await browser.signIn()
      expect(browser.cookies.get(name)).toMatch(/^[\w-]{45}$/)
      expect(browser.cookies.get(name)).not.toBe(planted)
      browser.cookies.set(name, planted)
      expect(answer(await browser.authorize(silent))).toMatchObject({ error: 'login_required' })
    })

    it('of two users in one browser, the second gets a new session and the old cookie is not valid', async () => {
      const w = await setUp({ routing })
      const browser = w.browser()
      await browser.authorize()
      await browser.signIn('alice')
      const old = new Map(browser.cookies)
      await w.browser().authorize()
      await browser.signIn('bob')
      expect(of(w, 'session.ended')).toMatchObject([{ sub: 'alice', reason: 'new_login' }])
      expect([...browser.cookies.keys()]).toEqual([...old.keys()])
      expect([...browser.cookies.values()]).not.toEqual([...old.values()])
      const { code } = await browser.code(silent)
      expect(payload((await redeem(w, code)).body.id_token).sub).toBe('bob')
      for (const [name, value] of old) browser.cookies.set(name, value)
      expect(answer(await browser.authorize(silent))).toMatchObject({ error: 'login_required' })
    })
  })

  it('the absolute lifetime is never extended', async () => {
    const w = await setUp({ routing, oidc: { session: { absolute_lifetime: 100 } } })
    const browser = await signedIn(w)
    for (const later of [14, 40, 45]) {
      w.clock.now += later
      const response = await browser.authorize(silent)
      expect(answer(response)).toHaveProperty('code')
      expect(response.headers.getSetCookie()).toEqual([])
    }
    w.clock.now += 1
    expect(answer(await browser.authorize(silent))).toMatchObject({ error: 'login_required' })
    expect(answer(await browser.authorize()).to).toBe(`${w.issuer}/login`)
    await w.provider.tick()
    expect(of(w, 'session.ended')).toMatchObject([{ sub: 'alice', reason: 'expired' }])
  })

  describe('a login with an unknown, expired or answered return_to starts no session', () => {
    it.each<[string, (w: World) => Promise<Partial<Login>> | Partial<Login>]>([
      ['unknown', () => ({ return_to: 'x'.repeat(43) })],
      ['empty', () => ({ return_to: '' })],
      ['a URL', () => ({ return_to: 'https://evil.example' })],
      [
        'expired',
        (w) => {
          w.clock.now += 600
          return {}
        },
      ],
      [
        'answered',
        async (w) => {
          await w.browser().signIn()
          return {}
        },
      ],
    ])('%s', async (_, make) => {
      const w = await setUp({ routing })
      await w.browser().authorize()
      const more = await make(w)
      const before = of(w, 'session.started').length
      await expectStale(await login(w, more))
      expect(of(w, 'session.started')).toHaveLength(before)
    })

    it("the application's error page is shown to a browser if there is one; a program gets JSON", async () => {
      const interactions: Interactions = {
        login: async () => new Response('login'),
        error: async ({ status, code, description, realm }) =>
          new Response(`${realm.id} ${code} ${description}`, { status }),
      }
      const w = await setUp({ routing, interactions })
      const accept = 'text/html'
      const page = await w.provider.fetch(new Request(resume(w), { headers: { accept } }))
      for (const response of [await login(w, { return_to: 'x', accept }), page]) {
        expect(response.status).toBe(400)
        expect(await response.text()).toMatch(new RegExp(`^${w.realm} invalid_request .`))
      }
      for (const response of [await login(w, { return_to: 'x' }), await w.browser().get(resume(w))])
        await expectStale(response)
      expect(w.events.filter(({ type }) => type === 'session.started')).toEqual([])
    })
  })

  describe('a pending request allows one answer', () => {
    it('using the resume URL again after the code was issued is 400', async () => {
      const w = await setUp({ routing })
      const browser = await signedIn(w)
      await expectStale(await browser.get(resume(w)))
      expect(of(w, 'code.issued')).toHaveLength(1)
    })

    it('after the approval too', async () => {
      const w = await world({ routing })
      const browser = w.browser()
      await browser.code()
      await expectStale(await browser.get(resume(w)))
    })

    it('for a POSTed request, the first resume URL is used up too', async () => {
      const w = await setUp({ routing })
      const browser = w.browser()
      const [endpoint = '', form = ''] = authorizeUrl(w.issuer).split('?')
      const posted = (await browser.post(endpoint, form)).headers.get('location') ?? ''
      await browser.get(posted)
      expect(answer(await browser.signIn())).toHaveProperty('code')
      await expectStale(await browser.get(posted))
    })

    it.each(['', '?id=', '?id=unknown', '?other=1'])('resume%s is 400', async (query) => {
      const w = await setUp({ routing })
      await expectStale(await (await signedIn(w)).get(`${w.issuer}/oauth/authorize/resume${query}`))
    })

    it('a client revoked while the user signs in: 400 JSON, no redirect', async () => {
      const w = await setUp({ routing })
      const browser = w.browser()
      await browser.authorize()
      await elsewhere(w, (clients) => clients.revoke('app', w.clock.now))
      await expectStale(await browser.signIn())
    })
  })

  describe('a renewed login belongs to the pending request, at any time', () => {
    it.each([{ prompt: 'login' }, { max_age: '0' }, { prompt: 'login select_account', max_age: '0' }])(
      '%j: one login satisfies it, even when the clock does not move',
      async (changes) => {
        const w = await setUp({ routing })
        const browser = await signedIn(w)
        for (let round = 2; round < 5; round++) {
          await browser.authorize(changes)
          expect(answer(await browser.signIn())).toMatchObject({ to: REDIRECT_URI, code: expect.any(String) })
          expect(w.logins).toHaveLength(round)
        }
      },
    )

    it('a login long after the request satisfies it, and so does a login for another request', async () => {
      const w = await setUp({ routing })
      const browser = await signedIn(w)
      await browser.authorize({ prompt: 'login', max_age: '0' })
      w.clock.now += 500
      await browser.authorize({ state: 'another tab' })
      await browser.signIn()
      w.clock.now += 50
      expect(answer(await browser.get(resume(w, 1)))).toMatchObject({ state: 'the state', to: REDIRECT_URI })
      expect(w.logins).toHaveLength(3)
    })

    it.each([{ prompt: 'login' }, { prompt: 'select_account' }, { max_age: '0' }])(
      '%j: reloading with an older session of another browser does not satisfy it',
      async (changes) => {
        const w = await setUp({ routing })
        const older = await signedIn(w, 'bob')
        w.clock.now += 1
        await w.browser().authorize(changes)
        expect(answer(await older.get(resume(w))).to).toBe(`${w.issuer}/login`)
        expect(w.logins.at(-1)?.return_to).toBe(w.logins.at(-2)?.return_to)
        expect(answer(await older.signIn('bob'))).toMatchObject({ to: REDIRECT_URI })
      },
    )
  })

  it('a request that asks for no new login ends no session: an older session satisfies it', async () => {
    const w = await setUp({ routing })
    const older = await signedIn(w)
    w.clock.now += 1
    await w.browser().authorize()
    expect(answer(await older.get(resume(w)))).toMatchObject({ to: REDIRECT_URI, state: 'the state' })
    expect(of(w, 'session.ended')).toEqual([])
  })

  it('the user was deleted while signed in: login again, and prompt=none is login_required', async () => {
    const w = await setUp({ routing })
    const browser = await signedIn(w)
    w.accounts.delete('alice')
    expect(answer(await browser.authorize(silent))).toMatchObject({ error: 'login_required' })
    expect(answer(await browser.authorize()).to).toBe(`${w.issuer}/login`)
    expect(w.logins.at(-1)?.reason).toBe('signed_out')
    expect(answer(await browser.signIn('bob'))).toHaveProperty('code')
  })

  it('a login for an unknown user gets no code, and nothing fails', async () => {
    const w = await setUp({ routing })
    const browser = w.browser()
    await browser.authorize()
    expect(answer(await browser.signIn('nobody')).to).toBe(`${w.issuer}/login`)
    expect(of(w, 'code.issued')).toEqual([])
  })

  describe('provider.loginPrompt: the prompt of a return_to', () => {
    it('while the request waits', async () => {
      const w = await setUp({ routing })
      await w.browser().authorize({ acr_values: 'gold' })
      const [prompt] = w.logins
      const request = new Request(`${w.issuer}/login`)
      expect(await w.provider.loginPrompt(request, prompt?.return_to ?? '')).toEqual({ ...prompt, request })
      expect(prompt).toMatchObject({
        redirect_uri: REDIRECT_URI,
        client: { client_id: 'app' },
        reason: 'signed_out',
      })
    })

    it('null when it is unknown, expired or answered', async () => {
      const w = await setUp({ routing })
      const ask = () =>
        w.provider.loginPrompt(new Request(`${w.issuer}/login`), w.logins.at(-1)?.return_to ?? '')
      expect(await ask()).toBeNull()
      await signedIn(w)
      expect(await ask()).toBeNull()
      await w.browser().authorize()
      expect(await ask()).not.toBeNull()
      w.clock.now += 600
      expect(await ask()).toBeNull()
    })
  })
})
