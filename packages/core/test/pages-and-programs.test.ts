/**
 * A page instead of the JSON of an error exists only where a person navigates, and only for a browser that navigates. Every
 * other endpoint answers JSON or a challenge, for every `Accept`. A route without a row here fails.
 */

import { NAVIGATION_HEADERS, PROGRAM_HEADERS } from '@ostiary/test-kit/client-headers'
import { describe, expect, it } from 'vitest'
import type { RouteName } from '../src/http/route-name.js'
import { isPagePath, ROUTES } from '../src/provider/routes.js'
import { memoryStorage } from '../src/storage/memory/memory-storage.js'
import { authorizeUrl, CLIENT_SECRET, client, REDIRECT_URI, type World, world } from './support.js'

const PAGE = '<h1>The page of an error</h1>'

interface Refusal {
  path: string
  init?: RequestInit
  status: number
  /** Null: a challenge without a body. */
  error: string | null
}

const form = (fields: Record<string, string>, method = 'POST'): RequestInit => ({
  method,
  body: new URLSearchParams(fields),
})
const secret = { client_id: 'web', client_secret: CLIENT_SECRET }
const wrong = { client_id: 'web', client_secret: 'wrong' }

/** Whether a person navigates to the route, and refusals of it. */
const ROWS: Record<RouteName, { page: boolean; path: string; refusals: Refusal[] }> = {
  'oidc.discovery': { page: false, path: '/.well-known/openid-configuration', refusals: [] },
  'oidc.authorization-server': { page: false, path: '/.well-known/oauth-authorization-server', refusals: [] },
  'oidc.protected-resource': {
    page: false,
    path: '/.well-known/oauth-protected-resource/api',
    refusals: [{ path: '/.well-known/oauth-protected-resource/unknown', status: 404, error: 'not_found' }],
  },
  'oidc.jwks': { page: false, path: '/.well-known/jwks.json', refusals: [] },
  'oidc.authorize': {
    page: true,
    path: '/oauth/authorize',
    refusals: [
      { path: authorizeUrl('', { client_id: 'nobody' }), status: 400, error: 'invalid_request' },
      {
        path: authorizeUrl('', { redirect_uri: 'https://x.example' }),
        status: 400,
        error: 'invalid_request',
      },
      { path: `/oauth/authorize?${'x'.repeat(65_600)}`, status: 414, error: 'invalid_request' },
    ],
  },
  'oidc.resume': {
    page: true,
    path: '/oauth/authorize/resume',
    refusals: [{ path: '/oauth/authorize/resume?id=old', status: 400, error: 'invalid_request' }],
  },
  'oidc.approve': {
    page: true,
    path: '/oauth/authorize/consent',
    refusals: [
      {
        path: '/oauth/authorize/consent',
        init: form({ auth_token: 'used' }),
        status: 403,
        error: 'access_denied',
      },
    ],
  },
  'oidc.deny': {
    page: true,
    path: '/oauth/authorize/consent',
    refusals: [
      {
        path: '/oauth/authorize/consent',
        init: form({ auth_token: 'used' }, 'DELETE'),
        status: 403,
        error: 'access_denied',
      },
    ],
  },
  'oidc.par': {
    page: false,
    path: '/oauth/par',
    refusals: [
      { path: '/oauth/par', init: form(wrong), status: 401, error: 'invalid_client' },
      {
        path: '/oauth/par',
        init: form({ ...secret, redirect_uri: REDIRECT_URI, response_type: 'token' }),
        status: 400,
        error: 'unsupported_response_type',
      },
    ],
  },
  'oidc.token': {
    page: false,
    path: '/oauth/token',
    refusals: [
      { path: '/oauth/token', init: form({}), status: 400, error: 'invalid_request' },
      {
        path: '/oauth/token',
        init: form({ ...wrong, grant_type: 'client_credentials' }),
        status: 401,
        error: 'invalid_client',
      },
    ],
  },
  'oidc.register': {
    page: false,
    path: '/oauth/register',
    refusals: [
      {
        path: '/oauth/register',
        init: { method: 'POST', body: '{}' },
        status: 400,
        error: 'invalid_client_metadata',
      },
    ],
  },
  'oidc.userinfo': {
    page: false,
    path: '/oauth/userinfo',
    refusals: [
      { path: '/oauth/userinfo', status: 401, error: null },
      {
        path: '/oauth/userinfo',
        init: { headers: { authorization: 'Bearer x' } },
        status: 401,
        error: 'invalid_token',
      },
    ],
  },
  'oidc.logout': {
    page: true,
    path: '/oauth/logout',
    refusals: [
      { path: '/oauth/logout?state=1&state=2', status: 400, error: 'invalid_request' },
      {
        path: '/oauth/logout',
        init: form({ confirmation_token: 'used' }),
        status: 403,
        error: 'access_denied',
      },
    ],
  },
  'oidc.introspect': {
    page: false,
    path: '/oauth/introspect',
    refusals: [
      { path: '/oauth/introspect', init: form(wrong), status: 401, error: 'invalid_client' },
      { path: '/oauth/introspect', init: form(secret), status: 400, error: 'invalid_request' },
    ],
  },
  'oidc.device-authorization': {
    page: false,
    path: '/oauth/device_authorization',
    refusals: [
      { path: '/oauth/device_authorization', init: form(wrong), status: 401, error: 'invalid_client' },
    ],
  },
  'oidc.device': {
    page: true,
    path: '/device',
    refusals: [
      {
        path: '/device',
        init: form({ confirmation_token: 'used', answer: 'neither' }),
        status: 400,
        error: 'invalid_request',
      },
      { path: `/device?${'x'.repeat(65_600)}`, status: 414, error: 'invalid_request' },
    ],
  },
  'oidc.revoke': {
    page: false,
    path: '/oauth/revoke',
    refusals: [
      { path: '/oauth/revoke', init: form(wrong), status: 401, error: 'invalid_client' },
      { path: '/oauth/revoke', init: form(secret), status: 400, error: 'invalid_request' },
    ],
  },
}

/** Refusals that every route has. */
const wrongMethod = (path: string): Refusal => ({
  path,
  init: { method: 'PATCH' },
  status: 405,
  error: 'invalid_request',
})

const UNKNOWN: Refusal[] = ['/nothing', '/oauth', '/oauth/token/', '/oauth/authorize/x', '/'].map((path) => ({
  path,
  status: 404,
  error: 'not_found',
}))

async function start(options: { routing?: 'single' | 'path'; broken?: boolean } = {}): Promise<World> {
  const { routing = 'single', broken = false } = options
  const stores = memoryStorage()
  const w = await world({
    routing,
    storage: stores,
    clients: [await client(), await client({ client_id: 'web', client_secret: CLIENT_SECRET })],
    oidc: {
      par: 'allowed',
      clients: { registration: { enabled: true }, device_authorization: 'operator' },
      resources: { api: { scopes: [] } },
    },
    unavailable: () => true,
    interactions: {
      login: async () => new Response('sign in'),
      consent: async () => new Response('consent'),
      error: async ({ status }) => new Response(PAGE, { status, headers: { 'content-type': 'text/html' } }),
    },
  })
  if (broken) breakStores(stores(w.realm))
  return w
}

/** Every operation fails, as those of a database that is down. */
function breakStores(stores: object): void {
  for (const store of Object.values(stores))
    if (typeof store === 'object' && store !== null)
      for (const name of Object.keys(store))
        Object.assign(store, { [name]: async () => Promise.reject(new Error('The database is down')) })
}

/** With realms by path, the realm follows the well-known segment of these documents (RFC 8414 §3.1, RFC 9728 §3.1). */
function address({ issuer }: World, path: string): string {
  const { origin, pathname } = new URL(issuer)
  const [document] = /^\/\.well-known\/oauth-[a-z-]+/.exec(path) ?? []
  if (document === undefined || pathname === '/') return issuer + path
  return origin + document + pathname + path.slice(document.length)
}

const send = (w: World, { path, init = {} }: Refusal, headers: Record<string, string>): Promise<Response> =>
  w.provider.fetch(
    new Request(address(w, path), { ...init, headers: { ...headers, ...(init.headers as object) } }),
  )

async function expectJson(answer: Response, { status, error, path }: Refusal): Promise<void> {
  const body = await answer.text()
  expect([path.slice(0, 60), answer.status]).toEqual([path.slice(0, 60), status])
  expect(body).not.toContain('<')
  if (error === null) {
    expect([body, answer.headers.get('www-authenticate')]).toEqual(['', expect.stringMatching(/^Bearer /)])
    return
  }
  expect([answer.headers.get('content-type'), JSON.parse(body).error]).toEqual(['application/json', error])
}

async function expectPage(answer: Response, { status, path }: Refusal): Promise<void> {
  expect([path.slice(0, 60), answer.status, await answer.text()]).toEqual([path.slice(0, 60), status, PAGE])
}

const ALL_HEADERS = Object.entries<Record<string, string>>({
  ...PROGRAM_HEADERS,
  'a browser that navigates': NAVIGATION_HEADERS,
})
const listsHtml = (headers: Record<string, string>) => headers.accept?.includes('text/html') === true

it('every route of the table has a row here, with the same path', () => {
  expect(Object.keys(ROWS).sort()).toEqual(ROUTES.map(({ name }) => name).sort())
  for (const { name, path, page = false } of ROUTES) {
    const row = ROWS[name]
    expect([name, row.page, row.path === path || row.path.startsWith(`${path}/`)]).toEqual([name, page, true])
  }
})

describe.each(['single', 'path'] as const)('realms by %s', (routing) => {
  describe.each(ALL_HEADERS)('%s', (_, headers) => {
    it.each(ROUTES.map(({ name }) => name))('%s', async (name) => {
      const { page, path, refusals } = ROWS[name]
      const w = await start({ routing })
      const expectAnswer = page && listsHtml(headers) ? expectPage : expectJson
      for (const refusal of [...refusals, wrongMethod(path)])
        await expectAnswer(await send(w, refusal, headers), refusal)
    })

    it('JSON where there is nothing', async () => {
      const w = await start({ routing })
      for (const refusal of UNKNOWN) await expectJson(await send(w, refusal, headers), refusal)
    })
  })
})

describe.each(ALL_HEADERS)('while the database is down: %s', (_, headers) => {
  it.each(ROUTES.filter(({ name }) => ROWS[name].refusals.length > 0).map(({ name }) => name))(
    '%s',
    async (name) => {
      const { page, refusals } = ROWS[name]
      const w = await start({ broken: true })
      for (const refusal of refusals) {
        const { path } = refusal
        const answer = await send(w, refusal, headers)
        const type = answer.headers.get('content-type')
        const is_page = type === 'text/html'
        expect([path.slice(0, 60), is_page]).toEqual([path.slice(0, 60), page && listsHtml(headers)])
      }
    },
  )
})

it('a route that the application calls by its name is treated the same', async () => {
  const w = await start()
  const java = PROGRAM_HEADERS['HttpURLConnection of Java']
  const ask = (name: RouteName) => w.provider.handle(name, new Request(`${w.issuer}/own`, { headers: java }))
  expect((await ask('oidc.token')).headers.get('content-type')).toBe('application/json')
  expect((await ask('oidc.logout')).status).toBe(200)
  expect(await (await ask('oidc.authorize')).text()).toBe(PAGE)
})

it('the paths where persons navigate', () => {
  const paths = ['/oauth/authorize', '/oauth/authorize/resume', '/oauth/authorize/consent', '/oauth/logout']
  for (const path of paths) expect([path, isPagePath(path)]).toEqual([path, true])
  for (const path of ['/oauth/token', '/oauth/authorize/', '/', '/oauth/userinfo'])
    expect([path, isPagePath(path)]).toEqual([path, false])
})

it('provider.routes has every route: where persons navigate, and which has a document for all requests', async () => {
  const { provider, issuer } = await start()
  expect(provider.routes.map(({ name }) => name)).toEqual(ROUTES.map(({ name }) => name))
  for (const { name, path, page } of provider.routes) {
    expect([path, page]).toEqual([path, isPagePath(path)])
    // The URL of a resource's document is that of the resource.
    if (name !== 'oidc.protected-resource') expect(provider.url(name)).toBe(issuer + path)
  }
  const documents = provider.routes.filter(({ document }) => document)
  expect(documents.map(({ name }) => name)).toEqual([
    'oidc.discovery',
    'oidc.authorization-server',
    'oidc.protected-resource',
    'oidc.jwks',
  ])
})
