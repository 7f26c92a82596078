/** `GET|POST /oauth/logout`: OpenID Connect RP-Initiated Logout, and which clients are notified (Back-Channel Logout). */

import type { Client, Interactions, LogoutPrompt } from '@ostiary/core'
import { NAVIGATION_HEADERS } from '@ostiary/test-kit/client-headers'
import { describe, expect, it } from 'vitest'
import { shownUri } from '../src/util/shown-uri.js'
import {
  answer,
  type Browser,
  client,
  elsewhere,
  formRequest,
  redeem,
  type World,
  type WorldOptions,
  world,
} from './support.js'

const BYE = 'https://client.example.com/bye'
const start = async (options: WorldOptions = {}) =>
  world({
    clients: [
      await client({ post_logout_redirect_uris: [BYE, `${BYE}?kept=1`] }),
      await client({ client_id: 'second', post_logout_redirect_uris: ['https://second.example.com/'] }),
    ],
    ...options,
  })

/** Alice in a browser, with the ID token that `app` has got. */
async function signedIn(w: World) {
  const browser = w.browser()
  const { body } = await redeem(w, (await browser.code()).code)
  return { browser, id_token_hint: body.id_token, access_token: body.access_token }
}
type Signed = Awaited<ReturnType<typeof signedIn>>
const url = (w: World, query: Record<string, string> = {}) =>
  `${w.issuer}/oauth/logout?${new URLSearchParams(query)}`
const sessions = (w: World) => w.storage(w.realm).sessions.list('alice')
const confirmationToken = (html: string) => /name="confirmation_token" value="([^"]+)"/.exec(html)?.[1] ?? ''

async function expectEnded(w: World, response: Response) {
  expect(await sessions(w)).toEqual([])
  expect(response.headers.getSetCookie().join()).toMatch(/ostiary_session(\.acme)?=; Path=\/; Max-Age=0/)
}
/** Expects the confirmation page while nothing has ended. Returns the page. */
async function expectAsked(w: World, response: Response): Promise<string> {
  expect([response.status, response.headers.get('location')]).toEqual([200, null])
  expect(await sessions(w)).toHaveLength(1)
  const html = await response.text()
  expect(confirmationToken(html)).not.toBe('')
  return html
}

/** The same bytes of the signature: the last character has four bits that a decoder ignores. */
const respelled = (jws: string): string => {
  const next: Record<string, string> = { A: 'B', Q: 'R', g: 'h', w: 'x' }
  const last = next[jws.slice(-1)]
  if (last === undefined) throw new Error('The signature has another length')
  return jws.slice(0, -1) + last
}

describe.each(['single', 'path'] as const)('End session (realms by %s)', (routing) => {
  it.each<[string, (w: World, b: Browser, form: Record<string, string>) => Promise<Response>]>([
    ['GET', (w, b, form) => b.get(url(w, form))],
    ['POST', (w, b, form) => b.post(`${w.issuer}/oauth/logout`, form)],
  ])('%s: a valid hint whose sub is the signed-in user ends the session at once', async (method, send) => {
    const w = await start({ routing })
    const { browser, id_token_hint } = await signedIn(w)
    const response = await send(w, browser, {
      id_token_hint,
      post_logout_redirect_uri: BYE,
      state: 'the state',
    })
    expect(answer(response)).toEqual({ status: method === 'GET' ? 302 : 303, to: BYE, state: 'the state' })
    await expectEnded(w, response)
  })

  it('the next authorization asks for a login', async () => {
    const w = await start({ routing })
    const { browser, id_token_hint } = await signedIn(w)
    await browser.get(url(w, { id_token_hint }))
    expect(answer(await browser.authorize({ prompt: 'none' })).error).toBe('login_required')
  })

  it('parameters come from the query on GET, from the body on POST, never merged', async () => {
    const w = await start({ routing })
    const { browser, id_token_hint } = await signedIn(w)
    await expectAsked(w, await browser.post(url(w, { id_token_hint }), {}))
  })

  it('POST from another site, which carries no SameSite=Lax cookie, ends the session too', async () => {
    const w = await start({ routing })
    const { browser, id_token_hint } = await signedIn(w)
    const headers = NAVIGATION_HEADERS
    const post = formRequest(`${w.issuer}/oauth/logout`, { id_token_hint }, { headers })
    const response = await w.provider.fetch(post)
    const location = response.headers.get('location')
    if (location?.startsWith(w.issuer)) await browser.get(location)
    expect(await sessions(w)).toEqual([])
  })

  it('an expired hint is accepted', async () => {
    const w = await start({ routing })
    const { browser, id_token_hint } = await signedIn(w)
    w.clock.now += 20 * 86_400
    await expectEnded(w, await browser.get(url(w, { id_token_hint })))
  })

  it.each<[string, (w: World, own: Signed) => Promise<Record<string, string>>]>([
    ['no hint', async () => ({})],
    ['no hint, but a client_id', async () => ({ client_id: 'app', post_logout_redirect_uri: BYE })],
    ['rubbish as the hint', async () => ({ id_token_hint: 'rubbish' })],
    ['an access token as the hint', async (_, own) => ({ id_token_hint: own.access_token })],
    ["another user's hint", async (w) => ({ id_token_hint: (await signedInBob(w)).id_token })],
    ['a changed hint', async (_, own) => ({ id_token_hint: `${own.id_token_hint.slice(0, -8)}AAAAAAAA` })],
    [
      'a hint whose signature is spelled otherwise',
      async (_, own) => ({ id_token_hint: respelled(own.id_token_hint) }),
    ],
    [
      "another realm's hint",
      async () => {
        const elsewhere = await start({ routing: routing === 'path' ? 'single' : 'path' })
        return { id_token_hint: (await signedIn(elsewhere)).id_token_hint }
      },
    ],
  ])('%s while signed in: a confirmation page, and nothing ends', async (_, query) => {
    const w = await start({ routing })
    const own = await signedIn(w)
    await expectAsked(w, await own.browser.get(url(w, await query(w, own))))
  })

  it('the confirmation, posted, ends the session and redirects to the requested URI', async () => {
    const w = await start({ routing })
    const { browser } = await signedIn(w)
    const query = { client_id: 'app', post_logout_redirect_uri: BYE, state: 's' }
    const confirmation_token = confirmationToken(await expectAsked(w, await browser.get(url(w, query))))
    const response = await browser.post(`${w.issuer}/oauth/logout`, { confirmation_token })
    expect(answer(response)).toEqual({ status: 303, to: BYE, state: 's' })
    await expectEnded(w, response)
  })

  it('the confirmation is valid once, in the session that was asked, for ten minutes, and by POST', async () => {
    const w = await start({ routing })
    const { browser } = await signedIn(w)
    const ask = async () => confirmationToken(await expectAsked(w, await browser.get(url(w))))
    const post = (by: Browser, confirmation_token: string) =>
      by.post(`${w.issuer}/oauth/logout`, { confirmation_token })
    const stranger = w.browser()
    await stranger.authorize()
    await stranger.signIn('bob')

    const token = await ask()
    for (const refused of [
      await post(browser, 'wrong'),
      await post(stranger, token),
      await post(w.browser(), token),
    ])
      expect([refused.status, (await refused.json()).error]).toEqual([403, 'access_denied'])
    await expectAsked(w, await browser.get(url(w, { confirmation_token: token })))
    const late = await ask()
    w.clock.now += 600
    expect((await post(browser, late)).status).toBe(403)
    const last = await ask()
    expect((await post(browser, last)).status).toBe(200)
    await browser.authorize()
    await browser.signIn()
    expect((await post(browser, last)).status).toBe(403)
    expect(await sessions(w)).toHaveLength(1)
  })

  it('an auth_token is not accepted as a confirmation_token', async () => {
    const w = await start({ routing })
    const browser = w.browser()
    await browser.authorize()
    await browser.signIn()
    const confirmation_token = w.consents[0]?.auth_token ?? ''
    expect((await browser.post(`${w.issuer}/oauth/logout`, { confirmation_token })).status).toBe(403)
    expect(await sessions(w)).toHaveLength(1)
  })

  it.each([
    ['by the hint', (hint: string) => ({ id_token_hint: hint }), BYE],
    ['by the client_id', () => ({ client_id: 'app' }), BYE],
    ['by both', (hint: string) => ({ id_token_hint: hint, client_id: 'app' }), BYE],
    ['with a query of its own', () => ({ client_id: 'app' }), `${BYE}?kept=1`],
  ])(
    'signed out already: redirect to the client that is named %s',
    async (_, query, post_logout_redirect_uri) => {
      const w = await start({ routing })
      const { id_token_hint } = await signedIn(w)
      const named = { ...query(id_token_hint), post_logout_redirect_uri }
      const response = await w.browser().get(url(w, { ...named, state: 'a b' }))
      const separator = post_logout_redirect_uri.includes('?') ? '&' : '?'
      expect(response.headers.get('location')).toBe(`${post_logout_redirect_uri}${separator}state=a+b`)
      const stateless = await w.browser().get(url(w, named))
      expect(stateless.headers.get('location')).toBe(post_logout_redirect_uri)
    },
  )

  it('client_id not the audience of the hint: 400 invalid_request, and nothing ends', async () => {
    const w = await start({ routing })
    const { browser, id_token_hint } = await signedIn(w)
    for (const client_id of ['second', 'nobody']) {
      const response = await browser.get(url(w, { id_token_hint, client_id, post_logout_redirect_uri: BYE }))
      expect([response.status, (await response.json()).error]).toEqual([400, 'invalid_request'])
    }
    expect(await sessions(w)).toHaveLength(1)
  })

  it('a repeated parameter: 400 invalid_request, and nothing ends', async () => {
    const w = await start({ routing })
    const { browser, id_token_hint } = await signedIn(w)
    const response = await browser.get(`${url(w, { id_token_hint, state: 'a' })}&state=b`)
    expect([response.status, (await response.json()).error]).toEqual([400, 'invalid_request'])
    expect(await sessions(w)).toHaveLength(1)
  })

  it.each([
    ['not registered', { post_logout_redirect_uri: 'https://evil.example.org/' }],
    ["another client's", { post_logout_redirect_uri: 'https://second.example.com/' }],
    ['a redirect_uri of the client', { post_logout_redirect_uri: 'https://client.example.com/callback' }],
    ['with a slash more', { post_logout_redirect_uri: `${BYE}/` }],
    ['with a query more', { post_logout_redirect_uri: `${BYE}?a=b` }],
    ['in upper case', { post_logout_redirect_uri: BYE.replace('client', 'CLIENT') }],
    ['without a scheme', { post_logout_redirect_uri: '//client.example.com/bye' }],
    ['without a client that is known', { post_logout_redirect_uri: BYE, client_id: 'nobody' }],
  ])('a post_logout_redirect_uri %s: the signed-out page, without redirect', async (_, query) => {
    const w = await start({ routing })
    const { browser, id_token_hint } = await signedIn(w)
    const hint: Record<string, string> = 'client_id' in query ? {} : { id_token_hint }
    const by = 'client_id' in query ? w.browser() : browser
    const response = await by.get(url(w, { ...hint, ...query, state: 's' }))
    expect([response.status, response.headers.get('location')]).toEqual([200, null])
    expect(response.headers.get('content-type')).toContain('text/html')
    const known = !('client_id' in query)
    expect(w.events.filter(({ type }) => type === 'logout.redirect_refused')).toMatchObject([
      {
        client_id: known ? 'app' : null,
        reason: known ? 'unregistered_post_logout_redirect_uri' : 'no_known_client',
        post_logout_redirect_uri: shownUri(query.post_logout_redirect_uri),
      },
    ])
    if (by === browser) await expectEnded(w, response)
  })

  it('there is no such event for a redirect that works, or for a request that names no URI', async () => {
    const w = await start({ routing })
    const query = { client_id: 'app', post_logout_redirect_uri: BYE }
    expect((await w.browser().get(url(w, query))).status).toBe(302)
    await w.browser().get(url(w, { client_id: 'app' }))
    expect(w.events.map(({ type }) => type)).not.toContain('logout.redirect_refused')
  })

  it('the signed-out page gets the client, unless it is revoked', async () => {
    const clients: (string | null)[] = []
    const interactions: Interactions = {
      login: async () => new Response(),
      async signedOut({ client }) {
        clients.push(client?.client_id ?? null)
        return new Response('bye')
      },
    }
    const w = await start({ routing, interactions })
    await w.browser().get(url(w, { client_id: 'app' }))
    await elsewhere(w, (stored) => stored.revoke('app', w.clock.now))
    await w.browser().get(url(w, { client_id: 'app' }))
    await w.browser().get(url(w))
    expect(clients).toEqual(['app', null, null])
  })

  it('without a client there is no redirect, nor to a client that is revoked', async () => {
    const w = await start({ routing })
    const anonymous = await w.browser().get(url(w, { post_logout_redirect_uri: BYE }))
    expect(anonymous.headers.get('location')).toBeNull()
    await elsewhere(w, (clients) => clients.revoke('app', w.clock.now))
    const revoked = await w.browser().get(url(w, { client_id: 'app', post_logout_redirect_uri: BYE }))
    expect([revoked.status, revoked.headers.get('location')]).toEqual([200, null])
  })

  it('the pages cannot be framed, and are not cached', async () => {
    const w = await start({ routing })
    const { browser } = await signedIn(w)
    for (const response of [await browser.get(url(w)), await w.browser().get(url(w))]) {
      expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
      expect(response.headers.get('cache-control')).toBe('no-store')
      expect(response.headers.get('referrer-policy')).toBe('no-referrer')
      expect(response.headers.get('cross-origin-opener-policy')).toBe('same-origin')
    }
  })

  it('the application may supply the pages; the prompt has all that they need', async () => {
    const prompts: LogoutPrompt[] = []
    const interactions = {
      login: async () => new Response('login'),
      logout: async (prompt: LogoutPrompt) => {
        prompts.push(prompt)
        return new Response('really?')
      },
      signedOut: async () => new Response('bye'),
    }
    const w = await start({ routing })
    const { browser } = await signedIn(w)
    const branded = await start({ routing, storage: w.storage, interactions })
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const asked = await branded.provider.fetch(
      new Request(url(w, { client_id: 'app', post_logout_redirect_uri: BYE }), { headers: { cookie } }),
    )
    expect(await asked.text()).toBe('really?')
    expect(prompts[0]).toMatchObject({
      client: { client_id: 'app' },
      user: { sub: 'alice' },
      redirect_uri: BYE,
      action: `${w.issuer}/oauth/logout`,
    })
    const post = formRequest(
      prompts[0]?.action ?? '',
      { confirmation_token: prompts[0]?.confirmation_token ?? '' },
      { headers: { cookie } },
    )
    expect(answer(await branded.provider.fetch(post)).to).toBe(BYE)
    expect(await (await branded.provider.fetch(new Request(url(w)))).text()).toBe('bye')
  })
})

/** Bob in another browser, with a session of his own. */
async function signedInBob(w: World) {
  return (await redeem(w, (await w.browser().code({}, 'bob')).code)).body
}

describe('the built-in confirmation page', () => {
  it('escapes the client’s name', async () => {
    const client_name = '<b>"Notes" & \'more\'</b>'
    const w = await world({ clients: [await client({ client_name, trusted: true })] })
    const browser = w.browser()
    await browser.code()
    const page = await (await browser.get(`${w.issuer}/oauth/logout?client_id=app`)).text()
    expect(page).toContain('&#60;b&#62;&#34;Notes&#34; &#38; &#39;more&#39;&#60;/b&#62; asks you to sign out')
    expect(page).not.toContain('<b>')
  })

  it('redirects to the client only if the URI is still registered', async () => {
    const uri = 'https://client.example.com/bye'
    const w = await world({ clients: [await client({ post_logout_redirect_uris: [uri], trusted: true })] })
    for (const [change, expected] of [
      [{}, uri],
      [{ post_logout_redirect_uris: [] }, null],
    ] as const) {
      const browser = w.browser()
      await browser.code()
      const query = new URLSearchParams({ client_id: 'app', post_logout_redirect_uri: uri })
      const page = await (await browser.get(`${w.issuer}/oauth/logout?${query}`)).text()
      const confirmation_token = /name="confirmation_token" value="([^"]+)"/.exec(page)?.[1] ?? ''
      const stored = await w.storage('default').clients.find('app')
      await elsewhere(w, (clients) => clients.update({ ...stored, ...change } as Client))
      const answered = await browser.post(`${w.issuer}/oauth/logout`, { confirmation_token })
      expect(answered.headers.get('location')).toBe(expected)
    }
  })
})
