/** The development pages: a first token without a password, on this machine only. */

import { ConfigError, createProvider } from '@ostiary/core'
import { type DevelopmentOptions, developmentPages } from '@ostiary/core/development'
import { memoryStorage } from '@ostiary/core/memory'
import { browser } from '@ostiary/test-kit/browser'
import { expect, it } from 'vitest'
import { authorizeUrl, CODE_VERIFIER, payload, REDIRECT_URI } from './support.js'

const LOCAL = 'http://localhost:3000'

async function start(options?: DevelopmentOptions) {
  const pages = developmentPages(options)
  const provider = createProvider({
    oidc: { issuer: LOCAL, scopes: { 'notes.read': { description: 'Read <your> notes' } } },
    secret: crypto.randomUUID(),
    storage: memoryStorage(),
    accounts: pages.accounts,
    interactions: pages.interactions,
    on_event: () => {},
  })
  await (await provider.manage()).clients.create({
    client_id: 'app',
    client_name: 'Notes <b>',
    redirect_uris: [REDIRECT_URI],
  })
  const answer = pages.handler(provider)
  return { answer, ...browser(answer) }
}

const location = (response: Response) => response.headers.get('location') ?? ''
const field = (html: string, name: string) =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? ''

/** Up to the consent page, which is returned. */
async function signedIn({ get, post }: Awaited<ReturnType<typeof start>>, sub: string) {
  const login = location(await get(authorizeUrl(LOCAL, { scope: 'openid profile notes.read' })))
  expect(login).toMatch(/^http:\/\/localhost:3000\/login\?return_to=/)
  const page = await get(login)
  expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  const html = await page.text()
  const response = await post(login, { return_to: field(html, 'return_to'), sub })
  return { login, html, response }
}

it('a user is chosen, consents, and the client gets a token', async () => {
  const world = await start()
  const { html, response } = await signedIn(world, 'ben')
  expect(html).toContain('Sign in as Ann Example')
  expect(html).toContain('to continue to Notes &#60;b&#62;')
  const consent = await (await world.get(location(response))).text()
  expect(consent).toContain('Notes &#60;b&#62; asks Ben Example for access:')
  expect(consent).toContain('Read &#60;your&#62; notes')
  const [, action = ''] = /action="([^"]+)"/.exec(consent) ?? []
  const answer = await world.post(action, { auth_token: field(consent, 'auth_token') })
  const code = new URL(location(answer)).searchParams.get('code') ?? ''
  const form = { grant_type: 'authorization_code', client_id: 'app', redirect_uri: REDIRECT_URI }
  const token = await world.post(`${LOCAL}/oauth/token`, { ...form, code, code_verifier: CODE_VERIFIER })
  expect(payload((await token.json()).id_token)).toMatchObject({ sub: 'ben', name: 'Ben Example' })
})

it('has the users that were given, with their claims', async () => {
  const world = await start({ users: [{ sub: 'user"1', name: 'Cyd', locale: 'de' }] })
  const { html } = await signedIn(world, 'user"1')
  expect(html).toContain('value="user&#34;1">Sign in as Cyd')
  // With the words before it: the hidden field has letters by chance.
  expect(html).not.toContain('Sign in as Ann')
})

it('a form of another site starts no session', async () => {
  const world = await start()
  const headers = { 'sec-fetch-site': 'cross-site', 'content-type': 'application/x-www-form-urlencoded' }
  const body = new URLSearchParams({ return_to: 'x', sub: 'ann' })
  const response = await world.answer(new Request(`${LOCAL}/login`, { method: 'POST', headers, body }))
  expect([response.status, response.headers.get('set-cookie')]).toEqual([403, null])
})

it('an expired request and an unknown user get a page, and no session', async () => {
  const world = await start()
  for (const query of ['', '?return_to=old']) {
    const response = await world.get(`${LOCAL}/login${query}`)
    expect(response.status).toBe(400)
    expect(await response.text()).toContain('No sign-in waits here. Start it in your application.')
  }
  const { response } = await signedIn(world, 'eve')
  const next = await world.get(location(response))
  expect(location(next)).not.toContain('code=')
})

it('the provider answers every other path', async () => {
  const world = await start()
  expect((await world.get(`${LOCAL}/.well-known/openid-configuration`)).status).toBe(200)
  expect((await world.get(`${LOCAL}/other`)).status).toBe(404)
})

const withIssuer = (issuer: string, options?: DevelopmentOptions) => {
  const pages = developmentPages(options)
  const provider = createProvider({
    oidc: { issuer },
    secret: crypto.randomUUID(),
    storage: memoryStorage(),
    accounts: pages.accounts,
    interactions: pages.interactions,
    on_event: () => {},
  })
  return { pages, provider, start: () => pages.handler(provider) }
}

it('an issuer that others can reach is refused when the handler is made', () => {
  const { start } = withIssuer('https://id.example.com')
  expect(start).toThrow(ConfigError)
  expect(start).toThrow(/^developmentPages: everyone who opens these pages may sign in as each of the users/)
  expect(withIssuer('http://127.0.0.1:3000').start).not.toThrow()
  expect(withIssuer('https://id.example.com', { allow_public_issuer: true }).start).not.toThrow()
})

it('nor do its accounts and its sign-in work for such an issuer without the handler', async () => {
  const { pages, provider } = withIssuer('https://id.example.com')
  const located = await provider.locate(new Request('https://id.example.com/oauth/token'))
  if (!located) throw new Error('no realm')
  await expect(pages.accounts.find('ann', located.realm)).rejects.toThrow(ConfigError)
  await expect(pages.interactions.login({ realm: located.realm } as never)).rejects.toThrow(ConfigError)
})

it.each<[string, object, string]>([
  ['users without sub', { users: [{ name: 'Ann' }] }, 'users: give a list of users, each with a sub'],
  ['an unknown option', { user: [] }, 'user: there is no such option; did you mean users?'],
])('refuses %s', (_fault, options, message) => {
  expect(() => developmentPages(options as DevelopmentOptions)).toThrow(message)
})
