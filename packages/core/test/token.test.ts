/** `POST /oauth/token`: the request, the response table, and the client_credentials grant. */

import { describe, expect, it } from 'vitest'
import {
  CLIENT_SECRET,
  client,
  formRequest,
  payload,
  redeem,
  tokens,
  type WorldOptions,
  world,
} from './support.js'

const service = { client_id: 'service', client_secret: CLIENT_SECRET }
const asService = { grant_type: 'client_credentials', ...service }
const clients = async () => [
  await client(),
  await client({ client_id: 'short', grant_types: ['authorization_code'] }),
  await client({ ...service, grant_types: ['client_credentials'] }),
]
const start = async (options: WorldOptions = {}) => world({ clients: await clients(), ...options })

const GRANTS = ['authorization_code', 'refresh_token', 'client_credentials'] as const

describe.each(['single', 'path'] as const)('Token response (realms by %s)', (routing) => {
  async function answers(scope = 'openid profile') {
    const w = await start({ routing })
    const authorization_code = await redeem(w, (await w.browser().code({ scope })).code)
    const { refresh_token: token } = authorization_code.body
    const refresh_token = await tokens(w, {
      grant_type: 'refresh_token',
      client_id: 'app',
      refresh_token: token,
    })
    return { authorization_code, refresh_token, client_credentials: await tokens(w, { ...asService, scope }) }
  }

  it.each(GRANTS)('%s: token_type, expires_in and access_token are always present', async (grant) => {
    const { status, body, headers } = (await answers())[grant]
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('application/json')
    expect(body).toMatchObject({ token_type: 'Bearer', access_token: expect.stringMatching(/^ey/) })
    expect(body.expires_in).toBe(grant === 'client_credentials' ? 3600 : 900)
  })

  it.each(GRANTS)('%s: scope is the space-delimited set actually granted', async (grant) => {
    const { body } = (await answers('openid profile'))[grant]
    expect(body.scope).toBe('openid profile')
    expect(payload(body.access_token).scope).toBe('openid profile')
  })

  it('scope is absent when the token has none', async () => {
    const w = await start({ routing })
    const { body } = await tokens(w, asService)
    expect(body).not.toHaveProperty('scope')
    expect(payload(body.access_token)).not.toHaveProperty('scope')
  })

  it('refresh_token and id_token are present when the grant produces them', async () => {
    const { authorization_code, refresh_token, client_credentials } = await answers()
    for (const { body } of [authorization_code, refresh_token])
      expect(body).toMatchObject({ refresh_token: expect.any(String), id_token: expect.any(String) })
    expect(client_credentials.body).not.toHaveProperty('refresh_token')
    expect(client_credentials.body).not.toHaveProperty('id_token')
  })

  it('id_token is absent without openid', async () => {
    const { authorization_code, refresh_token } = await answers('profile')
    expect(authorization_code.body).not.toHaveProperty('id_token')
    expect(refresh_token.body).not.toHaveProperty('id_token')
  })

  it('refresh_token is absent for a client that is not registered for that grant', async () => {
    const w = await start({ routing })
    const { code } = await w.browser().code({ client_id: 'short' })
    const { status, body } = await redeem(w, code, { client_id: 'short' })
    expect(status).toBe(200)
    expect(body).not.toHaveProperty('refresh_token')
  })

  it.each<[string, Record<string, string>, number]>([
    ['a token', asService, 200],
    ['an error', { grant_type: 'password' }, 400],
    ['a failed client authentication', { ...asService, client_secret: 'wrong' }, 401],
    ['a body that is too large', { x: 'x'.repeat(70_000) }, 413],
  ])('%s is sent with Cache-Control: no-store and Pragma: no-cache', async (_, form, status) => {
    const w = await start({ routing })
    const answer = await tokens(w, form)
    expect(answer.status).toBe(status)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('pragma')).toBe('no-cache')
  })
})

describe('The token request', () => {
  it.each<[string, Record<string, string>, string]>([
    ['no grant_type', {}, 'invalid_request'],
    ['an empty grant_type', { grant_type: ' ' }, 'invalid_request'],
    ...['password', 'implicit', '__proto__', 'constructor', 'toString', 'CLIENT_CREDENTIALS'].map(
      (grant_type) =>
        [`grant_type ${grant_type}`, { grant_type }, 'unsupported_grant_type'] as [
          string,
          Record<string, string>,
          string,
        ],
    ),
    [
      'a grant_type that is switched off',
      { grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange' },
      'unsupported_grant_type',
    ],
  ])('grant_type is checked first: %s, even from an unknown client', async (_, form, error) => {
    const w = await start()
    const { status, body } = await tokens(w, { client_id: 'nobody', client_secret: 'wrong', ...form })
    expect([status, body.error]).toEqual([400, error])
  })

  it('then client authentication, then the grants of the client', async () => {
    const w = await start()
    const foreign = { ...service, grant_type: 'refresh_token', refresh_token: 'x' }
    expect((await tokens(w, { ...foreign, client_secret: 'wrong' })).body.error).toBe('invalid_client')
    const { status, body } = await tokens(w, foreign)
    expect([status, body.error]).toEqual([400, 'unauthorized_client'])
  })

  it.each(['grant_type', 'client_id', 'client_secret', 'scope', 'resource', 'unheard_of'])(
    'a repeated parameter is invalid_request: %s',
    async (name) => {
      const w = await start()
      const { status, body } = await tokens(w, [...Object.entries(asService), [name, 'a'], [name, 'a']])
      expect([status, body.error]).toEqual([400, 'invalid_request'])
    },
  )

  it.each([
    ['JSON', 'application/json', JSON.stringify(asService)],
    ['multipart', 'multipart/form-data; boundary=b', '--b\r\n\r\n--b--'],
    ['plain text', 'text/plain', new URLSearchParams(asService).toString()],
    ['no type', '', new URLSearchParams(asService).toString()],
  ])('a body of another kind is invalid_request: %s', async (_, type, body) => {
    const w = await start()
    const answer = await tokens(w, body, { 'content-type': type })
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request'])
  })

  it('a charset in the content type changes nothing', async () => {
    const w = await start()
    const type = 'Application/X-WWW-Form-Urlencoded; charset=UTF-8'
    expect((await tokens(w, asService, { 'content-type': type })).status).toBe(200)
  })

  it('parameters come from the body only', async () => {
    const w = await start()
    const response = await w.post(`/oauth/token?${new URLSearchParams(asService)}`, {})
    expect([response.status, (await response.json()).error]).toEqual([400, 'invalid_request'])
  })

  it.each([
    ['of known length', (text: string) => text, (size: number) => `${size}`],
    ['that says it is shorter', (text: string) => text, () => '9'],
    ['that says nothing', (text: string) => text, () => null],
    ['that is streamed', (text: string) => new Blob([text]).stream(), () => null],
  ])('a form over 64 KiB is 413: one %s', async (_, body, announced) => {
    const w = await start()
    const send = (size: number) =>
      w.provider.fetch(
        new Request(`${w.issuer}/oauth/token`, {
          method: 'POST',
          headers: {
            'content-type': 'application/x-www-form-urlencoded',
            ...(announced(size) !== null && { 'content-length': String(announced(size)) }),
          },
          body: body(`${new URLSearchParams(asService)}&pad=`.padEnd(size, 'x')),
          duplex: 'half',
        } as RequestInit),
      )
    expect((await send(64 * 1024)).status).toBe(200)
    const refused = await send(64 * 1024 + 1)
    expect([refused.status, (await refused.json()).error]).toEqual([413, 'invalid_request'])
  })

  it('a body that the host has read already counts instead of the request’s', async () => {
    const w = await start()
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const send = async (body: Uint8Array<ArrayBuffer> | null) => {
      const request = new Request(`${w.issuer}/oauth/token`, {
        method: 'POST',
        headers,
        body: 'read=already',
      })
      await request.text()
      return (await w.provider.fetch(request, { body })).status
    }
    const form = new TextEncoder().encode(`${new URLSearchParams(asService)}`)
    expect(await send(form)).toBe(200)
    expect(await send(null)).toBe(400)
    expect(await send(Uint8Array.of(0xff))).toBe(400)
    expect(await send(new Uint8Array(64 * 1024 + 1).fill(0x20))).toBe(413)
  })

  it.each(['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE'])('%s is 405 with Allow', async (method) => {
    const w = await start()
    const response = await w.provider.fetch(new Request(`${w.issuer}/oauth/token`, { method }))
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST'])
  })

  const NASTY = [
    '\0',
    'a\0b',
    '__proto__',
    'ÿ\u{1f512}',
    '%',
    '%00',
    '\ud800',
    '..',
    '[]',
    'x'.repeat(60_000),
  ]
  it.each(GRANTS)('%s: nothing a client sends produces a 500', async (grant_type) => {
    const w = await start()
    const names = ['client_id', 'client_secret', 'code', 'code_verifier', 'redirect_uri', 'refresh_token']
    const valid = {
      ...service,
      grant_type,
      client_id: grant_type === 'client_credentials' ? 'service' : 'app',
    }
    for (const name of [...names, 'scope', 'resource', '__proto__'])
      for (const value of NASTY)
        expect((await tokens(w, { ...valid, [name]: value })).status, `${name}=${value}`).toBeLessThan(500)
    const bytes = new Uint8Array([...new TextEncoder().encode(`grant_type=${grant_type}&code=`), 0xff, 0xfe])
    const request = formRequest(`${w.issuer}/oauth/token`, '')
    const invalid = await w.provider.fetch(new Request(request, { body: bytes }))
    expect([invalid.status, (await invalid.json()).error]).toEqual([400, 'invalid_request'])
    expect(w.events.filter(({ type }) => type === 'server.error')).toEqual([])
  })
})

describe.each(['single', 'path'] as const)('client_credentials (realms by %s)', (routing) => {
  const resources = { mcp: { scopes: ['tools'] }, 'https://api.example.net': { scopes: ['read'] } }
  const oidc = { resources, scopes: { reports: {}, basics: {} } }

  it('is for confidential clients only', async () => {
    const open = await client({ client_id: 'open', grant_types: ['client_credentials'] })
    const w = await start({ routing, clients: [open] })
    const { status, body } = await tokens(w, { grant_type: 'client_credentials', client_id: 'open' })
    expect([status, body.error]).toEqual([400, 'unauthorized_client'])
  })

  it('adds the default scopes', async () => {
    const w = await start({ routing, oidc: { ...oidc, clients: { default_scopes: ['basics'] } } })
    expect((await tokens(w, asService)).body.scope).toBe('basics')
    expect((await tokens(w, { ...asService, scope: 'reports' })).body.scope).toBe('reports basics')
  })

  it('gives no refresh token and no ID token for any scope; offline_access is left out', async () => {
    const w = await start({ routing })
    const { body } = await tokens(w, { ...asService, scope: 'openid offline_access profile' })
    expect(Object.keys(body).toSorted()).toEqual(['access_token', 'expires_in', 'scope', 'token_type'])
    expect(body.scope).toBe('openid profile')
  })

  it('sub is the client_id, and the audience the issuer', async () => {
    const w = await start({ routing })
    const { body } = await tokens(w, asService)
    expect(payload(body.access_token)).toMatchObject({ sub: 'service', client_id: 'service', aud: w.issuer })
  })

  it.each([
    ['a registered resource', 'tools', (issuer: string) => `${issuer}/mcp`],
    ['an external one', 'read', () => 'https://api.example.net'],
  ])('any client may request %s: the token is addressed to it', async (_, scope, resource) => {
    const w = await start({ routing, oidc })
    const { body } = await tokens(w, { ...asService, scope, resource: resource(w.issuer) })
    expect(body.scope).toBe(scope)
    expect(payload(body.access_token).aud).toBe(resource(w.issuer))
  })

  it.each([
    ['a resource that is not registered', { resource: 'https://elsewhere.example.org' }, 'invalid_target'],
    ['a resource that is no absolute URI', { resource: 'mcp' }, 'invalid_target'],
    ['an unknown scope', { scope: 'nonsense' }, 'invalid_scope'],
    ['a scope whose resource is not named', { scope: 'tools' }, 'invalid_scope'],
    [
      'the scope of another resource',
      { scope: 'tools', resource: 'https://api.example.net' },
      'invalid_scope',
    ],
    [
      'a scope that the client is not assigned',
      { ...service, client_id: 'bare', scope: 'reports' },
      'invalid_scope',
    ],
  ])('refuses %s', async (_, form, error) => {
    const bare = await client({
      ...service,
      client_id: 'bare',
      optional_scopes: [],
      grant_types: ['client_credentials'],
    })
    const w = await start({ routing, oidc, clients: [...(await clients()), bare] })
    const { status, body } = await tokens(w, { ...asService, ...form })
    expect([status, body.error]).toEqual([400, error])
  })

  it('is valid for 3600 seconds, or for oidc.tokens.client_credentials', async () => {
    const w = await start({ routing, oidc: { tokens: { client_credentials: 7 } } })
    const { body } = await tokens(w, asService)
    expect(body.expires_in).toBe(7)
    expect(payload(body.access_token)).toMatchObject({ iat: w.clock.now, exp: w.clock.now + 7 })
  })
})

it('a client of one realm is unknown in another', async () => {
  const w = await start({ routing: 'path' })
  const url = `${w.issuer.replace('acme', 'other')}/oauth/token`
  const response = await w.provider.fetch(formRequest(url, asService))
  expect([response.status, (await response.json()).error]).toEqual([401, 'invalid_client'])
})
