/** Where a user comes without an application's request: the landing page, `/login` from a bookmark, the signed-out page. */

import { describe, expect, it } from 'vitest'
import { signedIn } from './_account.js'
import { browser, type Setup, type SetupOptions, setup } from './_setup.js'

const NAVIGATION = { accept: 'text/html,*/*;q=0.8', 'sec-fetch-mode': 'navigate' }

const ask = (s: Setup, path: string, init: RequestInit = { headers: NAVIGATION }) =>
  s.handle(new Request(s.base('default') + path, init))

const linksIn = (html: string): string[] =>
  [...html.matchAll(/<a href="([^"]*)"/g)].map(([, url = '']) => url)

describe('the landing page', () => {
  const withLanding = (more: SetupOptions = {}) =>
    setup({ ...more, identity: { landing: true, ...more.identity } })

  it('names the product and leads to the account page, and to nothing else', async () => {
    const s = await withLanding({ identity: { theme: { name: 'Example ID' } } })
    const page = await ask(s, '/')
    const html = await page.text()
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(html).toContain('Example ID')
    expect(linksIn(html)).toEqual(['/account'])
    expect(html).not.toMatch(/ostiary \d|version|\/oauth|\.well-known/i)
  })

  it('has no link when the account page is disabled', async () => {
    const s = await withLanding({ identity: { account: false } })
    expect(linksIn(await (await ask(s, '/')).text())).toEqual([])
  })

  it('is at the root of each realm', async () => {
    const s = await withLanding({ oidc: { routes: { realms: 'path' }, realms: { acme: {} } } })
    for (const url of ['/realms/acme', '/realms/acme/']) {
      const page = await s.handle(new Request(`https://id.example${url}`, { headers: NAVIGATION }))
      expect([page.status, linksIn(await page.text())]).toEqual([200, ['/realms/acme/account']])
    }
  })

  it.each<[string, RequestInit]>([
    ['a client', {}],
    ['a script of a page', { headers: { ...NAVIGATION, 'sec-fetch-mode': 'cors' } }],
    ['another method', { method: 'POST', headers: NAVIGATION }],
  ])('%s gets 404 as at every unknown address', async (_, init) => {
    const s = await withLanding()
    const other = await ask(s, '/nothing', init)
    const root = await ask(s, '/', init)
    expect([root.status, await root.text()]).toEqual([404, await other.text()])
  })

  it('HEAD has the same headers and no body', async () => {
    const s = await withLanding()
    const head = await ask(s, '/', { method: 'HEAD', headers: NAVIGATION })
    expect([head.status, await head.text()]).toEqual([200, ''])
    expect([...head.headers]).toEqual([...(await ask(s, '/')).headers])
  })

  it('leaves the root to the application, unless it is enabled', async () => {
    const s = await setup()
    expect(
      await s.identity.fetch(s.provider, new Request('https://id.example/', { headers: NAVIGATION })),
    ).toBe(null)
  })
})

describe('/login without a request, as from a bookmark', () => {
  it.each(['/login', '/login?', '/login?return_to=', '/login?other=1'])(
    '%s leads to the account page',
    async (path) => {
      const s = await setup()
      const answer = await ask(s, path)
      expect([answer.status, answer.headers.get('location')]).toEqual([303, 'https://id.example/account'])
      const signIn = await s.handle(new Request(answer.headers.get('location') ?? ''))
      expect(signIn.headers.get('location')).toBe('https://id.example/login?return_to=%2Faccount')
    },
  )

  it('shows a page that says what to do when the account page is disabled', async () => {
    const s = await setup({ identity: { account: false } })
    const page = await ask(s, '/login')
    const html = await page.text()
    expect([page.status, linksIn(html)]).toEqual([200, []])
    expect(html).toContain('Open the application that you want to use')
  })

  it('a token that has expired says what to do', async () => {
    const page = await ask(await setup(), '/login?return_to=old')
    expect(page.status).toBe(400)
    expect(await page.text()).toContain('Go back to the application and start again.')
  })
})

describe('the signed-out page', () => {
  const HOME = 'https://app.example/home'
  /** Signs out at a client, without a redirect that works. */
  async function signedOutLinks(options: SetupOptions, query = '?client_id=app'): Promise<string[]> {
    const s = await setup(options)
    const page = await browser(s).get(`https://id.example/oauth/logout${query}`)
    expect(page.status).toBe(200)
    return linksIn(await page.text())
  }

  it('leads to the client that asked, and to a new sign-in', async () => {
    const client = { client_uri: HOME, post_logout_redirect_uris: ['https://app.example/bye'] }
    expect(await signedOutLinks({ client })).toEqual([HOME, '/account'])
  })

  it.each([
    [
      ['com.example.app:/bye', 'https://app.example/bye'],
      ['https://app.example/bye', '/account'],
    ],
    [['com.example.app:/bye'], ['/account']],
    [[], ['/account']],
  ])('a client without client_uri that registered %j', async (post_logout_redirect_uris, links) => {
    expect(await signedOutLinks({ client: { post_logout_redirect_uris } })).toEqual(links)
  })

  it('never leads to a client that registered itself, is revoked or unknown', async () => {
    const urls = { client_uri: HOME, post_logout_redirect_uris: [HOME] }
    expect(await signedOutLinks({ client: { ...urls, origin: 'registered' } })).toEqual(['/account'])
    expect(await signedOutLinks({ client: { ...urls, revoked_at: 1 } })).toEqual(['/account'])
    expect(await signedOutLinks({ client: urls }, '?client_id=other')).toEqual(['/account'])
    expect(await signedOutLinks({ client: urls }, '')).toEqual(['/account'])
  })

  it('has no link to a sign-in when the account page is disabled', async () => {
    expect(await signedOutLinks({ identity: { account: false }, client: { client_uri: HOME } })).toEqual([
      HOME,
    ])
  })

  it.each([true, false])(
    'says that access may stay where offline_access is advertised: %j',
    async (is_on) => {
      const s = await setup({ oidc: { scopes: { offline_access: { hidden: !is_on } } } })
      const b = await signedIn(s)
      const asked = await (await b.get('https://id.example/oauth/logout')).text()
      const confirmation_token = /name="confirmation_token" value="([^"]*)"/.exec(asked)?.[1] ?? ''
      const html = await (await b.post('https://id.example/oauth/logout', { confirmation_token })).text()
      expect(html).toContain('You are signed out')
      const kept = 'may keep their access. <a href="/account">See and end it on your account page</a>'
      expect(html.includes(kept)).toBe(is_on)
    },
  )

  it('names a hostile client escaped', async () => {
    const s = await setup({ client: { client_name: '<script>"', client_uri: HOME } })
    await signedIn(s)
    const html = await (await browser(s).get('https://id.example/oauth/logout?client_id=app')).text()
    expect(html).toContain('Back to <bdi>&lt;script&gt;')
  })
})

describe('the page of a sign-out says what has happened', () => {
  const REFUSED = { post_logout_redirect_uri: 'https://elsewhere.example/' }
  const TEXTS = {
    en: [
      'Nobody is signed in in this browser',
      'You are signed out',
      'an address that is not registered for it',
    ],
    de: [
      'In diesem Browser ist niemand angemeldet',
      'Sie sind abgemeldet',
      'die nicht für sie registriert ist',
    ],
    fr: [
      'Personne n’est connecté dans ce navigateur',
      'Vous êtes déconnecté',
      'qui n’est pas enregistrée pour elle',
    ],
  }

  it.each(Object.entries(TEXTS))('in %s', async (language, [nobody = '', ended = '', refused = '']) => {
    const s = await setup()
    const url = (query: Record<string, string>) =>
      `https://id.example/oauth/logout?${new URLSearchParams({ client_id: 'app', ui_locales: language, ...query })}`
    const stranger = await (await browser(s).get(url(REFUSED))).text()
    expect(stranger).toContain(`<h1>${nobody}</h1>`)
    expect(stranger).toContain(`<title>${nobody} ·`)
    expect(stranger).toContain(refused)
    expect(stranger).not.toContain('elsewhere.example')

    const b = await signedIn(s)
    const asked = await (await b.get(url({}))).text()
    const confirmation_token = /name="confirmation_token" value="([^"]+)"/.exec(asked)?.[1] ?? ''
    const page = await (await b.post('https://id.example/oauth/logout', { confirmation_token })).text()
    expect(page).toContain(`<h1>${ended}</h1>`)
    expect(page).not.toContain(refused)
  })
})
