/** Protected resource metadata (RFC 9728), and which answers pages of another origin may read (CORS). */

import { describe, expect, it } from 'vitest'
import { bearer, formRequest, redeem, type World, type WorldOptions, world } from './support.js'

const resources = {
  '': { scopes: ['root'] },
  mcp: { scopes: ['tools', 'prompts'] },
  '/files/v1/': {},
  'deep/ly/nested': { scopes: ['dig'] },
  'https://api.example.net/v1': { scopes: ['read'] },
}
const start = ({ oidc, ...options }: WorldOptions = {}) => world({ ...options, oidc: { resources, ...oidc } })
const get = (w: World, url: string) => w.provider.fetch(new Request(url))

describe.each(['single', 'path'] as const)('Protected resource metadata (realms by %s)', (routing) => {
  const issuer = routing === 'path' ? 'https://id.example.com/realms/acme' : 'https://id.example.com'
  const root = `https://id.example.com/.well-known/oauth-protected-resource${routing === 'path' ? '/realms/acme' : ''}`

  it.each([
    ['', '', ['root']],
    ['/mcp', '/mcp', ['tools', 'prompts']],
    ['/files/v1', '/files/v1', []],
    ['/deep/ly/nested', '/deep/ly/nested', ['dig']],
    ['/mcp/', '/mcp', ['tools', 'prompts']],
    ['///mcp//', '/mcp', ['tools', 'prompts']],
    ['//', '', ['root']],
  ])(
    '%j: resource, authorization_servers, scopes_supported, bearer_methods_supported',
    async (path, at, scopes) => {
      const response = await get(await start({ routing }), root + path)
      expect(response.status).toBe(200)
      expect(response.headers.get('content-type')).toBe('application/json')
      expect(await response.json()).toEqual({
        resource: issuer + at,
        authorization_servers: [issuer],
        scopes_supported: scopes,
        bearer_methods_supported: ['header'],
      })
    },
  )

  it.each([
    '/other',
    '/mcp/more',
    '/MCP',
    '/files',
    '/deep/ly',
    '/__proto__',
    '/mcp//more',
    '//deep//ly/nested/',
    '/https://api.example.net/v1',
    '/v1',
  ])('a path that is not configured returns 404: %s', async (path) => {
    expect((await get(await start({ routing }), root + path)).status).toBe(404)
  })

  it('without the empty key the root is 404', async () => {
    const w = await start({ routing, oidc: { resources: { mcp: {} } } })
    expect((await get(w, root)).status).toBe(404)
    expect((await get(w, `${root}/`)).status).toBe(404)
  })

  it('resource is the exact value that a client may send, and the audience of the token', async () => {
    const w = await start({ routing })
    const { resource } = await (await get(w, `${root}/mcp`)).json()
    const answer = await w.browser().code({ resource, scope: 'tools' })
    expect(answer.code).toEqual(expect.any(String))
  })

  it('an application may alias the handler under a route of its own', async () => {
    const w = await start({ routing })
    const request = new Request('https://id.example.com/my/own/route')
    const realm = { realm: w.realm }
    const aliased = await w.provider.handle('oidc.protected-resource', request, { ...realm, path: 'mcp' })
    expect(await aliased.text()).toBe(await (await get(w, `${root}/mcp`)).text())
    const nothing = await w.provider.handle('oidc.protected-resource', request, { ...realm, path: 'other' })
    expect(nothing.status).toBe(404)
  })

  it('url() gives the address of every document by its route name', async () => {
    const w = await start({ routing })
    const url = (path?: string) =>
      w.provider.url('oidc.protected-resource', { realm: w.realm, ...(path !== undefined && { path }) })
    expect([url(), url('mcp'), url('/deep/ly/nested')]).toEqual([
      root,
      `${root}/mcp`,
      `${root}/deep/ly/nested`,
    ])
    for (const address of [url(), url('mcp')]) expect((await get(w, address)).status).toBe(200)
  })

  it('connect flow: the challenge of a resource leads to the authorization server and its endpoints', async () => {
    const w = await start({ routing, oidc: { clients: { registration: { enabled: true } } } })
    const guard = w.provider.guard({ realm: w.realm, resource: 'mcp' })
    const refused = await guard.authenticate(new Request(`${issuer}/mcp`))
    if (!(refused instanceof Response)) throw new Error('accepted')
    const [, document = ''] =
      /resource_metadata="([^"]+)"/.exec(refused.headers.get('www-authenticate') ?? '') ?? []
    const { authorization_servers, resource } = await (await get(w, document)).json()
    expect(resource).toBe(`${issuer}/mcp`)
    const { origin, pathname } = new URL(authorization_servers[0])
    const inserted = `${origin}/.well-known/oauth-authorization-server${pathname === '/' ? '' : pathname}`
    const metadata = await (await get(w, inserted)).json()
    expect(metadata).toMatchObject({
      issuer: authorization_servers[0],
      authorization_endpoint: `${issuer}/oauth/authorize`,
      token_endpoint: `${issuer}/oauth/token`,
      registration_endpoint: `${issuer}/oauth/register`,
    })
  })
})

describe.each(['single', 'path'] as const)('CORS (realms by %s)', (routing) => {
  const suffix = routing === 'path' ? '/realms/acme' : ''
  const origin = 'https://id.example.com'
  const registration = { clients: { registration: { enabled: true } } }
  const form = (url: string) => formRequest(url, {}, { headers: { origin: 'https://spa.example.org' } })

  it.each([
    ['discovery', `${suffix}/.well-known/openid-configuration`, 'GET'],
    ['AS metadata', `/.well-known/oauth-authorization-server${suffix}`, 'GET'],
    ['protected resource', `/.well-known/oauth-protected-resource${suffix}/mcp`, 'GET'],
    ['protected resource that is not configured', `/.well-known/oauth-protected-resource${suffix}/no`, 'GET'],
    ['JWKS', `${suffix}/.well-known/jwks.json`, 'GET'],
    ['token', `${suffix}/oauth/token`, 'POST'],
    ['register', `${suffix}/oauth/register`, 'POST'],
    ['userinfo by GET', `${suffix}/oauth/userinfo`, 'GET'],
    ['userinfo by POST', `${suffix}/oauth/userinfo`, 'POST'],
    ['revoke', `${suffix}/oauth/revoke`, 'POST'],
  ])('%s is readable from any origin, without credentials; OPTIONS is 204', async (_, path, method) => {
    const w = await start({ routing, oidc: registration })
    const url = origin + path
    const answer = await w.provider.fetch(method === 'GET' ? new Request(url) : form(url))
    const preflight = await w.provider.fetch(new Request(url, { method: 'OPTIONS' }))
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-methods')).toContain(method)
    expect(preflight.headers.get('access-control-allow-headers')).toMatch(/authorization/i)
    expect(preflight.headers.get('access-control-allow-headers')).toMatch(/content-type/i)
    for (const { headers } of [answer, preflight]) {
      expect(headers.get('access-control-allow-origin')).toBe('*')
      expect(headers.get('access-control-expose-headers')).toBe('WWW-Authenticate')
      expect(headers.has('access-control-allow-credentials')).toBe(false)
    }
  })

  it('successful answers are readable too: token, userinfo, register, revoke, 304', async () => {
    const w = await start({ routing, oidc: registration })
    const { body, headers } = await redeem(w, (await w.browser().code()).code)
    const userinfo = { headers: bearer(body.access_token) }
    const metadata = { redirect_uris: ['https://client.example.com/callback'] }
    const keys = await w.provider.fetch(new Request(`${w.issuer}/.well-known/jwks.json`))
    const conditional = { headers: { 'if-none-match': keys.headers.get('etag') ?? '' } }
    const answers = [
      await w.provider.fetch(new Request(`${w.issuer}/oauth/userinfo`, userinfo)),
      await w.provider.fetch(
        new Request(`${w.issuer}/oauth/register`, {
          method: 'POST',
          body: JSON.stringify(metadata),
          headers: { 'content-type': 'application/json' },
        }),
      ),
      await w.provider.fetch(new Request(`${w.issuer}/.well-known/jwks.json`, conditional)),
      await w.post('/oauth/revoke', { client_id: 'app', token: body.refresh_token }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 201, 304, 200])
    for (const each of [headers, ...answers.map((answer) => answer.headers)])
      expect(each.get('access-control-allow-origin')).toBe('*')
  })

  it('a refusal of userinfo is readable too', async () => {
    const w = await start({ routing })
    const request = new Request(`${w.issuer}/oauth/userinfo`, { headers: bearer('rubbish') })
    const { status, headers } = await w.provider.fetch(request)
    expect([status, headers.get('access-control-allow-origin')]).toEqual([401, '*'])
  })

  it.each([
    ['authorize', '/oauth/authorize'],
    ['resume', '/oauth/authorize/resume'],
    ['consent', '/oauth/authorize/consent'],
    ['logout', '/oauth/logout'],
    ['introspect', '/oauth/introspect'],
  ])('never on %s', async (_, path) => {
    const w = await start({ routing })
    const url = w.issuer + path
    const headers = { origin: 'https://spa.example.org' }
    const requests = ['GET', 'OPTIONS', 'DELETE'].map((method) => new Request(url, { method, headers }))
    for (const request of [...requests, form(url)]) {
      const answer = await w.provider.fetch(request)
      if (request.method === 'OPTIONS') expect(answer.status).toBe(405)
      expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
    }
  })
})
