/** Discovery document and AS metadata (OpenID Connect Discovery §3, RFC 8414) and the signing keys (RFC 7517). */

import { calculateJwkThumbprint } from 'jose'
import { describe, expect, it } from 'vitest'
import { header, redeem, type World, world } from './support.js'

const get = (w: World, url: string, headers: Record<string, string> = {}) =>
  w.provider.fetch(new Request(url, { headers }))
const discovery = async (w: World) => (await get(w, `${w.issuer}/.well-known/openid-configuration`)).json()

describe.each(['single', 'path'] as const)('Discovery document (realms by %s)', (routing) => {
  const issuer = routing === 'path' ? 'https://id.example.com/realms/acme' : 'https://id.example.com'
  const suffix = routing === 'path' ? '/realms/acme' : ''
  const root = 'https://id.example.com/.well-known'

  it.each<[string, unknown]>([
    ['issuer', issuer],
    ['authorization_endpoint', `${issuer}/oauth/authorize`],
    ['token_endpoint', `${issuer}/oauth/token`],
    ['jwks_uri', `${issuer}/.well-known/jwks.json`],
    ['response_types_supported', ['code']],
    ['response_modes_supported', ['query']],
    ['grant_types_supported', ['authorization_code', 'refresh_token', 'client_credentials']],
    ['subject_types_supported', ['public']],
    ['id_token_signing_alg_values_supported', ['RS256']],
    ['code_challenge_methods_supported', ['S256']],
    ['claims_parameter_supported', false],
    ['request_parameter_supported', false],
    ['request_uri_parameter_supported', false],
    ['authorization_response_iss_parameter_supported', true],
    ['backchannel_logout_supported', true],
    ['backchannel_logout_session_supported', true],
    ['token_endpoint_auth_methods_supported', ['client_secret_basic', 'client_secret_post', 'none']],
    ['introspection_endpoint_auth_methods_supported', ['client_secret_basic', 'client_secret_post']],
    ['revocation_endpoint_auth_methods_supported', ['client_secret_basic', 'client_secret_post', 'none']],
    ['acr_values_supported', ['1', '2']],
    ['userinfo_endpoint', `${issuer}/oauth/userinfo`],
    ['end_session_endpoint', `${issuer}/oauth/logout`],
    ['introspection_endpoint', `${issuer}/oauth/introspect`],
    ['revocation_endpoint', `${issuer}/oauth/revoke`],
  ])('%s', async (field, value) => {
    expect((await discovery(await world({ routing })))[field]).toEqual(value)
  })

  it('grant_types_supported: plus token exchange when it is enabled', async () => {
    const w = await world({ routing, oidc: { clients: { token_exchange: true } } })
    expect((await discovery(w)).grant_types_supported).toEqual([
      'authorization_code',
      'refresh_token',
      'client_credentials',
      'urn:ietf:params:oauth:grant-type:token-exchange',
    ])
  })

  it('private_key_jwt: in the methods of each endpoint with its algorithms, and none stays', async () => {
    const off = await discovery(await world({ routing }))
    expect(Object.keys(off).filter((name) => name.includes('signing_alg'))).toEqual([
      'id_token_signing_alg_values_supported',
    ])
    const on = await discovery(await world({ routing, oidc: { clients: { private_key_jwt: true } } }))
    const confidential = ['client_secret_basic', 'client_secret_post', 'private_key_jwt']
    const algorithms = ['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519']
    const added = {
      introspection_endpoint_auth_methods_supported: confidential,
      introspection_endpoint_auth_signing_alg_values_supported: algorithms,
      revocation_endpoint_auth_methods_supported: [...confidential, 'none'],
      revocation_endpoint_auth_signing_alg_values_supported: algorithms,
      token_endpoint_auth_methods_supported: [...confidential, 'none'],
      token_endpoint_auth_signing_alg_values_supported: algorithms,
    }
    expect(on).toEqual({ ...off, ...added })
    const handlers = { introspect: false, revoke: false }
    const few = await discovery(
      await world({ routing, oidc: { clients: { private_key_jwt: true }, handlers } }),
    )
    expect(Object.keys(few).filter((name) => /^(introspection|revocation)_/.test(name))).toEqual([])
  })

  it('scopes_supported: the non-hidden scope catalog across the realm and every registered resource', async () => {
    const scopes = { reports: {}, internal: { hidden: true }, secret: { hidden: true } }
    const resources = {
      mcp: { scopes: ['tools', 'reports', 'secret'] },
      'https://api.example.net': { scopes: ['read'] },
    }
    const { scopes_supported } = await discovery(await world({ routing, oidc: { scopes, resources } }))
    expect(scopes_supported.toSorted()).toEqual(
      ['openid', 'profile', 'email', 'address', 'phone', 'reports', 'tools', 'read'].toSorted(),
    )
  })

  it('claims_supported: taken from oidc.claims_supported', async () => {
    const w = await world({ routing, oidc: { claims_supported: ['sub', 'team'] } })
    expect((await discovery(w)).claims_supported).toEqual(['sub', 'team'])
    expect((await discovery(await world({ routing }))).claims_supported).toContain('email_verified')
  })

  it('registration_endpoint: present only when registration is enabled, also in the AS metadata', async () => {
    const off = await world({ routing })
    const on = await world({ routing, oidc: { clients: { registration: { enabled: true } } } })
    const metadata = `${root}/oauth-authorization-server${suffix}`
    expect(await discovery(off)).not.toHaveProperty('registration_endpoint')
    expect(await (await get(off, metadata)).json()).not.toHaveProperty('registration_endpoint')
    expect(await discovery(on)).toMatchObject({ registration_endpoint: `${issuer}/oauth/register` })
    expect(await (await get(on, metadata)).json()).toMatchObject({
      registration_endpoint: `${issuer}/oauth/register`,
    })
  })

  it.each([
    ['userinfo', 'userinfo_endpoint', '/oauth/userinfo'],
    ['logout', 'end_session_endpoint', '/oauth/logout'],
    ['introspect', 'introspection_endpoint', '/oauth/introspect'],
    ['revoke', 'revocation_endpoint', '/oauth/revoke'],
  ])('the handler %s switched off: %s is absent, the path is 404', async (handler, field, path) => {
    const w = await world({ routing, oidc: { handlers: { [handler]: false } } })
    expect(await discovery(w)).not.toHaveProperty(field)
    for (const method of ['GET', 'POST', 'OPTIONS'])
      expect((await w.provider.fetch(new Request(w.issuer + path, { method }))).status).toBe(404)
    const on = await world({ routing })
    expect((await on.provider.fetch(new Request(on.issuer + path, { method: 'PUT' }))).status).toBe(405)
  })

  it('both documents are the same, with any path after the AS metadata', async () => {
    const w = await world({ routing })
    const document = await (await get(w, `${issuer}/.well-known/openid-configuration`)).text()
    for (const path of ['', '/', '/anything', '/any/thing']) {
      const response = await get(w, `${root}/oauth-authorization-server${suffix}${path}`)
      expect([path, response.status, await response.text()]).toEqual([path, 200, document])
    }
  })

  it.each(['openid-configuration', 'jwks.json'])(
    '%s is sent with Cache-Control: max-age=3600, public',
    async (name) => {
      const response = await get(await world({ routing }), `${issuer}/.well-known/${name}`)
      expect(response.headers.get('cache-control')).toBe('max-age=3600, public')
      expect(response.headers.get('content-type')).toBe('application/json')
    },
  )

  it.each([
    ['discovery', `${issuer}/.well-known/openid-configuration`],
    ['AS metadata', `${root}/oauth-authorization-server${suffix}`],
    ['JWKS', `${issuer}/.well-known/jwks.json`],
    ['protected resource', `${root}/oauth-protected-resource${suffix}/mcp`],
  ])('%s: 304 for its ETag, headers alone for HEAD, 405 for POST', async (_, url) => {
    const w = await world({ routing, oidc: { resources: { mcp: {} } } })
    const full = await get(w, url)
    const etag = full.headers.get('etag') ?? ''
    expect(etag).toMatch(/^"[^"]+"$/)
    for (const etags of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const fresh = await get(w, url, { 'if-none-match': etags })
      expect([fresh.status, await fresh.text(), fresh.headers.get('etag')]).toEqual([304, '', etag])
      expect(fresh.headers.get('cache-control')).toBe('max-age=3600, public')
    }
    expect((await get(w, url, { 'if-none-match': '"other"' })).status).toBe(200)
    const head = await w.provider.fetch(new Request(url, { method: 'HEAD' }))
    expect([head.status, await head.text()]).toEqual([200, ''])
    expect([...head.headers]).toEqual([...full.headers])
    const post = await w.provider.fetch(new Request(url, { method: 'POST' }))
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })

  it('the ETag changes with the document', async () => {
    const url = `${issuer}/.well-known/openid-configuration`
    const [one, other] = await Promise.all([
      get(await world({ routing }), url),
      get(await world({ routing, oidc: { claims_supported: ['sub'] } }), url),
    ])
    expect(one.headers.get('etag')).not.toBe(other.headers.get('etag'))
  })

  it('all endpoint URLs derive from the configured issuer, never from the request', async () => {
    const w = await world({ routing, oidc: { resources: { mcp: {} } } })
    const forwarded = {
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'http',
      'x-forwarded-prefix': '/evil',
      forwarded: 'host=evil.example;proto=http',
    }
    for (const path of [
      `${issuer}/.well-known/openid-configuration`,
      `${root}/oauth-authorization-server${suffix}`,
      `${root}/oauth-protected-resource${suffix}/mcp`,
    ]) {
      const evil = await get(w, path.replace('https://id.example.com', 'http://evil.example:81'), forwarded)
      const text = await evil.text()
      expect(text).toBe(await (await get(w, path)).text())
      expect(text).not.toContain('evil')
      for (const [url] of text.matchAll(/https?:[^"]+/g))
        expect(url).toMatch(/^https:\/\/id\.example\.com(\/|$)/)
    }
  })

  it('app.url stands in for oidc.issuer', async () => {
    const w = await world({
      routing,
      app_url: 'https://app.example.org',
      oidc: { issuer: undefined as never },
    })
    const url = `https://app.example.org${suffix}/.well-known/openid-configuration`
    expect((await (await get(w, url)).json()).issuer).toBe(`https://app.example.org${suffix}`)
  })
})

describe.each(['single', 'path'] as const)('JWKS (realms by %s)', (routing) => {
  const jwks = async (w: World) => (await get(w, `${w.issuer}/.well-known/jwks.json`)).json()

  it('shows the public members of RS256 keys only', async () => {
    const { keys: published, ...rest } = await jwks(await world({ routing }))
    expect(rest).toEqual({})
    expect(published).toHaveLength(1)
    const [key] = published
    expect(Object.keys(key).toSorted()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use'])
    expect(key).toMatchObject({ kty: 'RSA', alg: 'RS256', use: 'sig' })
    expect(Buffer.from(key.n, 'base64url')).toHaveLength(256)
  })

  it('kid is the RFC 7638 thumbprint, and the one that tokens name', async () => {
    const w = await world({ routing })
    const { keys: published } = await jwks(w)
    expect(published[0].kid).toBe(await calculateJwkThumbprint(published[0], 'sha256'))
    const { body } = await redeem(w, (await w.browser().code()).code)
    expect(header(body.access_token).kid).toBe(published[0].kid)
  })

  it('a fresh realm makes its first key by itself, once for 20 parallel requests', async () => {
    const w = await world({ routing, own_key: true })
    const answers = await Promise.all(Array.from({ length: 20 }, () => jwks(w)))
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(await w.storage(w.realm).keys.list()).toHaveLength(1)
    expect(w.events.filter(({ type }) => type === 'key.created')).toHaveLength(1)
  })
})

describe('Realm routing of the well-known documents', () => {
  const origin = 'https://id.example.com'
  it.each([
    ['/realms/acme/.well-known/openid-configuration', 200],
    ['/.well-known/openid-configuration/realms/acme', 200],
    ['/.well-known/oauth-authorization-server/realms/acme', 200],
    ['/.well-known/oauth-protected-resource/realms/acme', 200],
    ['/realms/acme/.well-known/jwks.json', 200],
    ['/realms/acme/.well-known/oauth-authorization-server', 404],
    ['/realms/acme/.well-known/oauth-protected-resource', 404],
    ['/.well-known/openid-configuration', 404],
    ['/.well-known/oauth-authorization-server', 404],
    ['/.well-known/oauth-protected-resource', 404],
    ['/.well-known/jwks.json', 404],
    ['/oauth/token', 404],
    ['/realms/unknown/.well-known/openid-configuration', 404],
    ['/.well-known/oauth-authorization-server/realms/unknown', 404],
    ['/realms/__proto__/.well-known/openid-configuration', 404],
    ['/realms/acme', 404],
    ['/realms', 404],
  ])('GET %s: %i', async (path, status) => {
    const w = await world({ routing: 'path', oidc: { resources: { '': {} } } })
    expect((await get(w, origin + path)).status).toBe(status)
  })

  it('each realm has documents and keys of its own', async () => {
    const w = await world({ routing: 'path' })
    const other = { ...w, issuer: `${origin}/realms/other` }
    expect((await discovery(other)).issuer).toBe(`${origin}/realms/other`)
    const kids = await Promise.all(
      [w, other].map(
        async ({ issuer }) => (await (await get(w, `${issuer}/.well-known/jwks.json`)).json()).keys[0].kid,
      ),
    )
    expect(new Set(kids).size).toBe(2)
  })
})
