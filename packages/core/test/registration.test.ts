/** `POST /oauth/register`: RFC 7591. */

import type { OidcConfig } from '@ostiary/core'
import { describe, expect, it } from 'vitest'
import { redeem, type World, type WorldOptions, world } from './support.js'

type Registration = NonNullable<NonNullable<OidcConfig['clients']>['registration']>

const start = ({ oidc, ...options }: WorldOptions = {}, registration: Registration = {}) =>
  world({
    ...options,
    oidc: { ...oidc, clients: { ...oidc?.clients, registration: { enabled: true, ...registration } } },
  })

async function register(w: World, body: unknown, address?: string) {
  const request = new Request(`${w.issuer}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' || body instanceof Uint8Array ? (body as BodyInit) : JSON.stringify(body),
  })
  const response = await w.provider.fetch(request, address === undefined ? {} : { address })
  return { status: response.status, headers: response.headers, body: await response.json() }
}
const CALLBACK = 'https://app.example.org/callback'
const minimal = { redirect_uris: [CALLBACK] }

describe.each(['single', 'path'] as const)('Client registration response (realms by %s)', (routing) => {
  it('201 with every stored value, defaults included, for a public client', async () => {
    const w = await start({ routing })
    const { status, headers, body } = await register(w, minimal)
    expect(status).toBe(201)
    expect(headers.get('content-type')).toBe('application/json')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(body).toEqual({
      client_id: expect.stringMatching(/^[\w-]{16,}$/),
      client_id_issued_at: w.clock.now,
      client_name: 'app.example.org',
      redirect_uris: [CALLBACK],
      post_logout_redirect_uris: [],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    })
  })

  it('201 with every field that was sent, for a confidential client', async () => {
    const w = await start({ routing })
    const sent = {
      redirect_uris: [CALLBACK, 'http://localhost/cb'],
      client_name: '  The App  ',
      token_endpoint_auth_method: 'client_secret_basic',
      grant_types: ['authorization_code'],
      response_types: ['code'],
      post_logout_redirect_uris: ['https://app.example.org/bye'],
      backchannel_logout_uri: 'https://app.example.org/backchannel',
      backchannel_logout_session_required: true,
    }
    const { body } = await register(w, sent)
    expect(body).toEqual({
      ...sent,
      client_name: 'The App',
      client_id: expect.any(String),
      client_id_issued_at: w.clock.now,
      client_secret: expect.stringMatching(/^[\w-]{43}$/),
      client_secret_expires_at: 0,
    })
    expect(Number.isInteger(body.client_id_issued_at)).toBe(true)
  })

  it.each([
    ['none', false],
    ['client_secret_basic', true],
    ['client_secret_post', true],
  ])(
    'token_endpoint_auth_method %s: client_secret and client_secret_expires_at present: %s',
    async (method, present) => {
      const w = await start({ routing })
      const { body } = await register(w, { ...minimal, token_endpoint_auth_method: method })
      expect(body.token_endpoint_auth_method).toBe(method)
      expect(['client_secret' in body, 'client_secret_expires_at' in body]).toEqual([present, present])
    },
  )

  it('backchannel_logout_session_required: present only when a back-channel URI was registered', async () => {
    const w = await start({ routing })
    const without = await register(w, { ...minimal, backchannel_logout_session_required: true })
    expect(without.body).not.toHaveProperty('backchannel_logout_session_required')
    expect(without.body).not.toHaveProperty('backchannel_logout_uri')
    const uri = { backchannel_logout_uri: 'https://app.example.org/bc' }
    expect((await register(w, { ...minimal, ...uri })).body).toMatchObject({
      ...uri,
      backchannel_logout_session_required: false,
    })
  })

  it.each<[string, string[], string[], string | undefined]>([
    ['omitted when that assignment contains *', [], ['*'], undefined],
    ['the default plus the optional scopes', ['openid'], ['email', 'openid'], 'openid email'],
    ['a scope of a resource by its value', ['openid'], ['mcp tools'], 'openid tools'],
  ])("scope is the realm's scope assignment: %s", async (...[_, default_scopes, optional_scopes, scope]) => {
    const resources = { mcp: { scopes: ['tools'] } }
    const w = await start({ routing, oidc: { resources, clients: { default_scopes, optional_scopes } } })
    const { body } = await register(w, { ...minimal, scope: 'phone' })
    expect(body.scope).toBe(scope)
    expect('scope' in body).toBe(scope !== undefined)
  })

  it('a registered client completes the connect flow', async () => {
    const w = await start({ routing })
    const secret = { token_endpoint_auth_method: 'client_secret_post' }
    const { body } = await register(w, { ...minimal, ...secret, client_name: 'Self' })
    const { client_id, client_secret } = body
    const request = { client_id, redirect_uri: CALLBACK }
    const { code } = await w.browser().code(request)
    expect((await redeem(w, code, { ...request, client_secret })).status).toBe(200)
    expect(w.consents[0]?.client).toMatchObject({ client_name: 'Self', origin: 'registered' })
  })

  it('every registration makes a new client, stored without its secret', async () => {
    const w = await start({ routing })
    const sent = { ...minimal, token_endpoint_auth_method: 'client_secret_post' }
    const one = await register(w, sent)
    const other = await register(w, sent)
    expect(one.body.client_id).not.toBe(other.body.client_id)
    expect(one.body.client_secret).not.toBe(other.body.client_secret)
    const stored = await w.storage(w.realm).clients.find(one.body.client_id)
    expect(JSON.stringify(stored)).not.toContain(one.body.client_secret)
  })
})

describe('Client registration request', () => {
  it('with a member twice is invalid_client_metadata, in an inner object too', async () => {
    const w = await start()
    const text = JSON.stringify(minimal)
    for (const twice of ['"client_name":"a","client_name":"b"', '"jwks":{"keys":[],"keys":[]}']) {
      const request = new Request(`${w.issuer}/oauth/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: text.replace('{', `{${twice},`),
      })
      const response = await w.provider.fetch(request)
      expect([response.status, await response.json()]).toEqual([
        400,
        { error: 'invalid_client_metadata', error_description: 'A member is in the body twice' },
      ])
    }
  })

  it('every other field is ignored, also fields of the record that registration cannot set', async () => {
    const w = await start()
    const { status, body } = await register(w, {
      ...minimal,
      application_type: 'web',
      software_id: 'x',
      scope: 'phone',
      jwks_uri: 7,
      contacts: 'nobody',
      client_id: 'mine',
      client_secret: 'mine',
      trusted: true,
      allowed_groups: ['staff'],
      required_acr: '2',
      consent_required: false,
      allowed_exchange_audiences: ['*'],
      default_scopes: ['phone'],
      optional_scopes: [],
      revoked_at: 1,
      not_before: 1_900_000_000,
      token_endpoint_auth_methods: ['client_secret_basic', 'client_secret_post'],
      require_pkce: false,
      default_resource: 'https://id.example.com/mcp',
      logo_uri: 'https://app.example.org/logo.png',
      client_uri: 'https://app.example.org/',
      policy_uri: 'https://app.example.org/privacy',
      tos_uri: 'https://app.example.org/terms',
      access_token_lifetime: 99_999_999,
      refresh_token_lifetime: 99_999_999,
      refresh_token_grace: 60,
    })
    expect(status).toBe(201)
    expect(Object.keys(body).sort()).toEqual(Object.keys((await register(w, minimal)).body).sort())
    expect(body.client_id).not.toBe('mine')
    expect(await w.storage(w.realm).clients.find(body.client_id)).toMatchObject({
      trusted: false,
      allowed_groups: null,
      required_acr: null,
      consent_required: true,
      allowed_exchange_audiences: [],
      origin: 'registered',
      default_scopes: null,
      optional_scopes: null,
      token_endpoint_auth_methods: null,
      require_pkce: null,
      default_resource: null,
      logo_uri: null,
      client_uri: null,
      policy_uri: null,
      tos_uri: null,
      access_token_lifetime: null,
      refresh_token_lifetime: null,
      refresh_token_grace: null,
      revoked_at: null,
      not_before: null,
      client_secret_hash: null,
    })
  })

  it.each([
    [
      'the host of the first redirect URI',
      { redirect_uris: ['https://first.example', CALLBACK] },
      'first.example',
    ],
    ['the same when it is blank', { client_name: '   ' }, 'app.example.org'],
    ['trimmed', { client_name: ' \n My App\t' }, 'My App'],
    ['up to 255 characters', { client_name: 'x'.repeat(255) }, 'x'.repeat(255)],
    ['in any script', { client_name: 'Träger \u{1f511}' }, 'Träger \u{1f511}'],
  ])('client_name is %s', async (_, fields, client_name) => {
    const { status, body } = await register(await start(), { ...minimal, ...fields })
    expect([status, body.client_name]).toEqual([201, client_name])
  })

  it('a client has up to 100 redirect_uris, and as many post_logout_redirect_uris', async () => {
    const uris = Array.from({ length: 100 }, (_, n) => `${CALLBACK}/${n}`)
    const fields = { redirect_uris: uris, post_logout_redirect_uris: uris }
    expect(await register(await start(), fields)).toMatchObject({ status: 201, body: fields })
  })

  it('grant_types may be authorization_code alone', async () => {
    const { body } = await register(await start(), { ...minimal, grant_types: ['authorization_code'] })
    expect(body.grant_types).toEqual(['authorization_code'])
  })

  it.each<[string, unknown]>([
    ['redirect_uris missing', {}],
    ['redirect_uris empty', { redirect_uris: [] }],
    ['redirect_uris null', { redirect_uris: null }],
    ['redirect_uris a string', { redirect_uris: CALLBACK }],
    ['redirect_uris a map', { redirect_uris: { 0: CALLBACK } }],
    ['101 redirect_uris', { redirect_uris: Array(101).fill(CALLBACK) }],
    ['101 post_logout_redirect_uris', { ...minimal, post_logout_redirect_uris: Array(101).fill(CALLBACK) }],
    ['client_name no string', { ...minimal, client_name: 7 }],
    ['client_name of 256 characters', { ...minimal, client_name: 'x'.repeat(256) }],
    ['auth method: unknown', { ...minimal, token_endpoint_auth_method: 'private_key_jwt' }],
    ['auth method: no string', { ...minimal, token_endpoint_auth_method: ['none'] }],
    ['auth method: empty', { ...minimal, token_endpoint_auth_method: '' }],
    ['grant types: without authorization_code', { ...minimal, grant_types: ['refresh_token'] }],
    ['grant types: with another', { ...minimal, grant_types: ['authorization_code', 'client_credentials'] }],
    ['grant types: implicit', { ...minimal, grant_types: ['authorization_code', 'implicit'] }],
    ['grant types: empty', { ...minimal, grant_types: [] }],
    ['grant types: a string', { ...minimal, grant_types: 'authorization_code' }],
    ['response types: token', { ...minimal, response_types: ['token'] }],
    ['response types: code and more', { ...minimal, response_types: ['code', 'id_token'] }],
    ['response types: code twice', { ...minimal, response_types: ['code', 'code'] }],
    ['response types: empty', { ...minimal, response_types: [] }],
    ['response types: a string', { ...minimal, response_types: 'code' }],
    ['logout URI: post-logout with a fragment', { ...minimal, post_logout_redirect_uris: [`${CALLBACK}#x`] }],
    ['logout URI: post-logout no string', { ...minimal, post_logout_redirect_uris: [null] }],
    ['logout URI: post-logout no list', { ...minimal, post_logout_redirect_uris: CALLBACK }],
    [
      'logout URI: post-logout dangerous',
      { ...minimal, post_logout_redirect_uris: ['javascript://h/%0aalert(1)'] },
    ],
    ['logout URI: back-channel by http', { ...minimal, backchannel_logout_uri: 'http://app.example.org/bc' }],
    [
      'logout URI: back-channel to loopback by http',
      { ...minimal, backchannel_logout_uri: 'http://localhost/bc' },
    ],
    [
      'logout URI: back-channel with a fragment',
      { ...minimal, backchannel_logout_uri: 'https://app.example.org/#' },
    ],
    ['logout URI: back-channel relative', { ...minimal, backchannel_logout_uri: '/bc' }],
    [
      'logout URI: back-channel with user-info',
      { ...minimal, backchannel_logout_uri: 'https://u@app.example.org/' },
    ],
    ['logout URI: back-channel no string', { ...minimal, backchannel_logout_uri: 7 }],
    ['session required no boolean', { ...minimal, backchannel_logout_session_required: 'true' }],
    ['no object: a list', [minimal]],
    ['no object: null', 'null'],
    ['no object: a string', '"x"'],
    ['no JSON', 'redirect_uris=x'],
    ['no body', ''],
    ['no UTF-8', Uint8Array.of(0x7b, 0xff, 0x7d)],
    ['__proto__ in the place of the fields', '{"__proto__":{"redirect_uris":["https://app.example.org/"]}}'],
  ])('any other metadata failure is 400 invalid_client_metadata: %s', async (_, body) => {
    const w = await start()
    const answer = await register(w, body)
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_client_metadata'])
    expect(answer.body.error_description).toMatch(/^[\x20-\x7e]+$/)
    expect(await w.storage(w.realm).clients.list({ limit: 10 })).toHaveLength(1)
  })

  it('a body over 64 KiB is 413', async () => {
    const { status, body } = await register(await start(), { ...minimal, pad: 'x'.repeat(64 * 1024) })
    expect([status, body.error]).toEqual([413, 'invalid_client_metadata'])
  })
})
