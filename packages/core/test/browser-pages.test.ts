/**
 * Where a person navigates, a browser gets a page where a program gets JSON, with the same status and headers.
 * pages-and-programs.test.ts has every route.
 */

import type { ErrorPrompt } from '@ostiary/core'
import { describe, expect, it } from 'vitest'
import { authorizeUrl, client, type World, world } from './support.js'

const NAVIGATION = { accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8', 'sec-fetch-mode': 'navigate' }

async function start(routing: 'single' | 'path') {
  const prompts: ErrorPrompt[] = []
  const w = await world({
    routing,
    clients: [await client({ client_id: 'app' })],
    interactions: {
      login: async () => new Response('sign in'),
      consent: async () => new Response('consent'),
      async error(prompt) {
        prompts.push(prompt)
        const headers = {
          'content-type': 'text/html; charset=utf-8',
          'content-security-policy': "default-src 'none'",
        }
        return new Response('<h1>page</h1>', { status: 200, headers })
      },
    },
  })
  return { w, prompts }
}

const CASES: [string, (w: World) => [url: string, init?: RequestInit], number, string][] = [
  ['an unknown client', (w) => [authorizeUrl(w.issuer, { client_id: 'x' })], 400, 'invalid_request'],
  [
    'an unregistered redirect_uri',
    (w) => [authorizeUrl(w.issuer, { redirect_uri: 'https://x.example' })],
    400,
    'invalid_request',
  ],
  [
    'an auth_token that was used',
    (w) => [
      `${w.issuer}/oauth/authorize/consent`,
      { method: 'POST', body: new URLSearchParams({ auth_token: 'x' }) },
    ],
    403,
    'access_denied',
  ],
  ['a wrong method', (w) => [`${w.issuer}/oauth/logout`, { method: 'PUT' }], 405, 'invalid_request'],
  [
    'a query over 64 KiB',
    (w) => [`${w.issuer}/oauth/authorize?${'x'.repeat(65_600)}`],
    414,
    'invalid_request',
  ],
]

describe.each(['single', 'path'] as const)('realms by %s', (routing) => {
  it.each(CASES)('%s', async (...[_, request, status, code]) => {
    const { w, prompts } = await start(routing)
    const [url, init = {}] = request(w)
    const ask = (headers: Record<string, string>) => w.provider.fetch(new Request(url, { ...init, headers }))
    const json = await ask({})
    const page = await ask(NAVIGATION)
    const body = (await json.json()) as { error: string; error_description: string }
    expect([json.status, body.error]).toEqual([status, code])
    expect([page.status, await page.text()]).toEqual([status, '<h1>page</h1>'])
    expect(prompts).toMatchObject([
      { status, code, description: body.error_description, realm: { id: w.realm } },
    ])
    // The page's own headers, and every other one of the answer.
    for (const [name, value] of json.headers)
      if (name !== 'content-type') expect([name, page.headers.get(name)]).toEqual([name, value])
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(page.headers.get('content-security-policy')).toBe("default-src 'none'")
  })

  it.each<[string, Record<string, string>]>([
    ['a client', {}],
    ['a client that takes anything', { accept: '*/*' }],
    ['a client that takes JSON', { accept: 'application/json' }],
    ['a script of a page', { ...NAVIGATION, 'sec-fetch-mode': 'cors' }],
    ['an image', { ...NAVIGATION, 'sec-fetch-mode': 'no-cors' }],
    ['a media type that only begins like it', { accept: 'text/html+x, text/htmlx' }],
  ])('%s gets JSON', async (_, headers) => {
    const { w, prompts } = await start(routing)
    const response = await w.provider.fetch(new Request(`${w.issuer}/oauth/authorize`, { headers }))
    expect([response.status, response.headers.get('content-type')]).toEqual([400, 'application/json'])
    expect(prompts).toEqual([])
  })

  it('an older browser, which sends no Fetch Metadata, gets the page', async () => {
    const { w } = await start(routing)
    const headers = { accept: 'TEXT/HTML;q=1' }
    const response = await w.provider.fetch(new Request(`${w.issuer}/oauth/authorize`, { headers }))
    expect(await response.text()).toBe('<h1>page</h1>')
  })

  it.each(['/oauth/userinfo', '/nothing', '/oauth/authorize'])(
    'HEAD %s has no body, and the same status',
    async (path) => {
      const { w } = await start(routing)
      const headers = { ...NAVIGATION, authorization: 'Bearer x' }
      const head = await w.provider.fetch(new Request(w.issuer + path, { method: 'HEAD', headers }))
      const json = await w.provider.fetch(
        new Request(w.issuer + path, { method: 'HEAD', headers: { authorization: 'Bearer x' } }),
      )
      expect([head.status, await head.text()]).toEqual([json.status, ''])
    },
  )

  it('without an error page of the application, everything is JSON', async () => {
    const w = await world({ routing })
    const response = await w.provider.fetch(
      new Request(`${w.issuer}/oauth/authorize`, { headers: NAVIGATION }),
    )
    expect(response.headers.get('content-type')).toBe('application/json')
  })
})

it('405 of a CORS endpoint is readable for pages of any origin, 405 of another endpoint is not', async () => {
  const w = await world({ oidc: { clients: { registration: { enabled: true } } } })
  const cors = [
    '/.well-known/openid-configuration',
    '/.well-known/jwks.json',
    '/oauth/token',
    '/oauth/register',
    '/oauth/userinfo',
    '/oauth/revoke',
  ]
  for (const path of [...cors, '/oauth/authorize', '/oauth/logout', '/oauth/introspect']) {
    const response = await w.provider.fetch(new Request(w.issuer + path, { method: 'PATCH' }))
    const allowed = cors.includes(path) ? '*' : null
    expect([path, response.status, response.headers.get('access-control-allow-origin')]).toEqual([
      path,
      405,
      allowed,
    ])
  }
})

it('If-None-Match: * is answered with 304 where there is a document', async () => {
  const w = await world()
  const ask = (etag: string) =>
    w.provider.fetch(
      new Request(`${w.issuer}/.well-known/openid-configuration`, { headers: { 'if-none-match': etag } }),
    )
  const etag = (await ask('"x"')).headers.get('etag') ?? ''
  for (const fresh of ['*', ' * ', etag, `W/${etag}`, `"x", W/${etag}`])
    expect((await ask(fresh)).status).toBe(304)
  for (const stale of ['"x"', '"*"', '', `w/${etag}`]) expect((await ask(stale)).status).toBe(200)
})
