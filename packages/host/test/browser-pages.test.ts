/**
 * Where a person navigates, a browser gets each error as a page, with the status and the headers that every other request gets.
 * At every other address all requests get JSON.
 */

import { NAVIGATION_HEADERS, PROGRAM_HEADERS } from '@ostiary/test-kit/client-headers'
import { describe, expect, it } from 'vitest'
import { FILE, type RunningApp, startApp } from './support.ts'

const NAVIGATION = { accept: 'text/html,*/*;q=0.8', 'sec-fetch-mode': 'navigate' }
const BY_PATH = { app: FILE.app, oidc: { routes: { realms: 'path' }, realms: { acme: {} } } }
const AUTHORIZE = '/oauth/authorize?response_type=code&redirect_uri=https://x.example'
const LARGE = { method: 'POST', body: 'x'.repeat(200_000) }

const CASES: [string, string, RequestInit, number][] = [
  ['an unknown client', `${AUTHORIZE}&client_id=x`, {}, 400],
  ['an unregistered redirect_uri', `${AUTHORIZE}&client_id=app`, {}, 400],
  ['a wrong method', '/oauth/authorize', { method: 'PUT' }, 405],
  ['a body over the limit of the server', '/oauth/authorize', LARGE, 413],
  ['a request that has expired', '/oauth/authorize/resume?token=old', {}, 400],
]

async function both(app: RunningApp, path: string, init: RequestInit) {
  const json = await app.get(path, init)
  const page = await app.get(path, { ...init, headers: NAVIGATION })
  return { json, page }
}

const OWN_HEADERS = new Set([
  'content-type',
  'content-security-policy',
  'cross-origin-opener-policy',
  'referrer-policy',
  'x-frame-options',
  'x-request-id',
])
const commonHeaders = ({ headers }: Response) => [...headers].filter(([name]) => !OWN_HEADERS.has(name))

describe('in a realm', () => {
  it.each(CASES)('%s is a page of the built-in sign-in', async (...[_, path, init, status]) => {
    const { json, page } = await both(await startApp(), path, init)
    expect([json.status, page.status]).toEqual([status, status])
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'; style-src 'self'")
    expect(commonHeaders(page)).toEqual(commonHeaders(json))
    expect(await page.text()).toContain('<link rel="stylesheet" href="/login/style.css')
  })

  it('a path that was sent in a form that parsing changes is JSON', async () => {
    const { app, config } = await startApp()
    const request = new Request(`${config.issuer}/oauth/authorize`, { headers: NAVIGATION })
    const answer = await app.fetch(request, { ambiguous_path: true })
    expect([answer.status, (await answer.json()).error]).toEqual([404, 'not_found'])
  })

  it('a script gets the JSON of the contract', async () => {
    const headers = { ...NAVIGATION, 'sec-fetch-mode': 'cors' }
    const answer = await (await startApp()).get('/oauth/authorize', { ...LARGE, headers })
    expect([answer.status, (await answer.json()).error]).toEqual([413, 'invalid_request'])
  })
})

describe('outside of the realms', () => {
  it.each<[string, string, RequestInit, number]>([
    ['an unknown realm', '/realms/other/oauth/authorize', {}, 404],
    ['a body over the limit of the server', '/realms/other/login', LARGE, 413],
  ])('%s is a page of the server', async (...[_, path, init, status]) => {
    const { json, page } = await both(await startApp(BY_PATH), path, init)
    expect([json.status, json.headers.get('content-type')]).toEqual([status, 'application/json'])
    expect([page.status, page.headers.get('content-type')]).toEqual([status, 'text/html; charset=utf-8'])
    expect(page.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/]+=';/,
    )
    expect(commonHeaders(page)).toEqual(commonHeaders(json))
    const html = await page.text()
    expect(html).toContain('<p>localhost:4000</p>')
    expect(html).not.toContain('acme')
  })

  it('the root has a landing page, which names no realm', async () => {
    const app = await startApp({ ...BY_PATH, theme: { name: '<b>Example</b>' } })
    const page = await app.get('/', { headers: NAVIGATION })
    const html = await page.text()
    expect([page.status, html.match(/<a |acme|<b>/g)]).toEqual([200, null])
    expect(html).toContain('&#60;b&#62;Example')
    const head = await app.get('/', { method: 'HEAD', headers: NAVIGATION })
    expect([head.status, await head.text()]).toEqual([200, ''])
    for (const init of [{}, { method: 'POST', headers: NAVIGATION }])
      expect((await app.get('/', init)).status).toBe(404)
  })

  it('the root of a realm has its own', async () => {
    const app = await startApp(BY_PATH)
    const page = await app.get('/realms/acme', { headers: NAVIGATION })
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('/realms/acme/account')])
  })
})

describe('what the server refuses itself is JSON where no person navigates', () => {
  const PATHS = [
    '/oauth/token',
    '/oauth/introspect',
    '/oauth/revoke',
    '/oauth/userinfo',
    '/oauth/register',
    '/.well-known/jwks.json',
    '/nothing',
    '/realms/other/nothing',
    '/readyz',
  ]
  it.each(Object.entries({ ...PROGRAM_HEADERS, 'a browser that navigates': NAVIGATION_HEADERS }))(
    '%s',
    async (_, headers) => {
      for (const file of [FILE, BY_PATH]) {
        const { get } = await startApp(file)
        const at = file === BY_PATH ? (path: string) => `/realms/acme${path}` : (path: string) => path
        for (const path of PATHS.map(at)) {
          const large = await get(path, { ...LARGE, headers })
          expect([path, large.status, (await large.json()).error]).toEqual([path, 413, 'invalid_request'])
          const wrong = await get(path, { method: 'PATCH', headers })
          expect([path, wrong.headers.get('content-type')]).toEqual([path, 'application/json'])
        }
      }
    },
  )
})

it('health answers stay JSON', async () => {
  const { app, get } = await startApp()
  app.drain()
  const answer = await get('/readyz', { headers: NAVIGATION })
  expect([answer.status, answer.headers.get('content-type')]).toEqual([503, 'application/json'])
})
