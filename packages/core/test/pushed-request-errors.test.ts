/** `POST /oauth/par` (RFC 9126 §2): client authentication, refusals, and the switches of pushed requests. */

import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { asserted, type ClientKey, clientKey, signed } from './assertions.js'
import { ON, parameters, post, push, pushed, pushedUrl, REQUEST_URI, REQUIRED } from './par.js'
import {
  answer,
  CLIENT_SECRET,
  client,
  formRequest,
  REDIRECT_URI,
  type World,
  type WorldOptions,
  world,
} from './support.js'

const OIDC = {
  ...ON,
  clients: { private_key_jwt: true },
  resources: { mcp: { scopes: ['tools'] } },
}
const SECRET = { client_secret: CLIENT_SECRET }
const basic = (client_id: string, secret = CLIENT_SECRET) => ({
  authorization: `Basic ${Buffer.from(`${client_id}:${secret}`).toString('base64')}`,
})

let w: World
let key: ClientKey
let assertions = 0

const assertion = (aud: unknown, at: World = w) =>
  signed({
    key: key.private_key,
    header: {},
    claims: { iss: 'keys', sub: 'keys', aud, jti: `${++assertions}`, exp: at.clock.now + 60 },
  })

const start = async (options: WorldOptions = {}) =>
  world({
    oidc: OIDC,
    clients: [
      await client({ trusted: true }),
      await client({ client_id: 'two', redirect_uris: [REDIRECT_URI, 'https://client.example.com/2'] }),
      await client({ client_id: 'machine', ...SECRET, grant_types: ['client_credentials'] }),
      await client({ client_id: 'post', ...SECRET }),
      await client({
        client_id: 'basic',
        ...SECRET,
        token_endpoint_auth_method: 'client_secret_basic',
      }),
      await client({
        client_id: 'keys',
        token_endpoint_auth_method: 'private_key_jwt',
        jwks: { keys: [key.public_jwk] },
      }),
      await client({ client_id: 'revoked', revoked_at: 1 }),
      await client({ client_id: 'strict', require_pushed_authorization_requests: true }),
    ],
    ...options,
  })

beforeAll(async () => {
  key = await clientKey('ES256')
  w = await start()
})
beforeEach(() => {
  w.events.length = 0
})

describe('A client authenticates as at the token endpoint', () => {
  const only_key = { client_id: null }

  it.each<[string, () => Promise<Response> | Response]>([
    ['none', () => post(w, parameters(w))],
    [
      'client_secret_post',
      () => post(w, [...parameters(w, { client_id: 'post' }), ...Object.entries(SECRET)]),
    ],
    ['client_secret_basic', () => post(w, parameters(w, { client_id: 'basic' }), basic('basic'))],
    ['client_secret_basic without client_id', () => post(w, parameters(w, only_key), basic('basic'))],
    [
      'private_key_jwt without client_id',
      async () =>
        post(w, [...parameters(w, only_key), ...Object.entries(asserted(await assertion(w.issuer)))]),
    ],
    ...['', '/oauth/par', '/oauth/token'].map((path): [string, () => Promise<Response>] => [
      `private_key_jwt with the aud ${path || 'of the issuer'} (RFC 9126 §2)`,
      async () =>
        post(w, [
          ...parameters(w, { client_id: 'keys' }),
          ...Object.entries(asserted(await assertion(w.issuer + path))),
        ]),
    ]),
  ])('%s', async (_, send) => {
    const response = await send()
    expect([response.status, await response.json()]).toEqual([
      201,
      { request_uri: expect.stringMatching(REQUEST_URI), expires_in: 90 },
    ])
  })

  it('and the request is its own', async () => {
    const response = await post(w, parameters(w, only_key), basic('basic'))
    const { request_uri } = await response.json()
    const login = await w.browser().get(pushedUrl(w, request_uri, { client_id: 'basic' }))
    expect(answer(login).to).toBe(`${w.issuer}/login`)
  })

  it.each<[string, string, () => Promise<Response>]>([
    ['no client', 'unknown_client', () => post(w, parameters(w, { client_id: null }))],
    ['an unknown client', 'unknown_client', () => post(w, parameters(w, { client_id: 'nobody' }))],
    ['a revoked client', 'revoked_client', () => post(w, parameters(w, { client_id: 'revoked' }))],
    [
      'a public client for a confidential id',
      'wrong_method',
      () => post(w, parameters(w, { client_id: 'post' })),
    ],
    [
      'a public client for one with keys',
      'wrong_method',
      () => post(w, parameters(w, { client_id: 'keys' })),
    ],
    [
      'a wrong secret in the body',
      'wrong_secret',
      () => post(w, [...parameters(w, { client_id: 'post' }), ['client_secret', 'wrong']]),
    ],
    [
      'a wrong secret in the header',
      'wrong_secret',
      () => post(w, parameters(w, only_key), basic('basic', 'x')),
    ],
    [
      'a secret of a public client',
      'wrong_method',
      () => post(w, [...parameters(w), ...Object.entries(SECRET)]),
    ],
    [
      'the aud of another endpoint',
      'assertion_audience',
      async () =>
        post(w, [
          ...parameters(w, only_key),
          ...Object.entries(asserted(await assertion(`${w.issuer}/oauth/introspect`))),
        ]),
    ],
  ])('%s: 401 invalid_client', async (_, reason, send) => {
    const response = await send()
    expect([response.status, await response.json()]).toEqual([
      401,
      { error: 'invalid_client', error_description: 'Client authentication failed' },
    ])
    expect(response.headers.get('www-authenticate')).toBe('Basic realm="default"')
    expect(w.events.find(({ type }) => type === 'client.authentication_failed')).toMatchObject({ reason })
  })

  it.each<[string, () => Promise<Response>]>([
    ['another client_id than in the header', () => post(w, parameters(w), basic('basic'))],
    [
      'another client_id than in the assertion',
      async () => post(w, [...parameters(w), ...Object.entries(asserted(await assertion(w.issuer)))]),
    ],
  ])('%s: 400 invalid_request', async (_, send) => {
    const response = await send()
    expect([response.status, (await response.json()).error]).toEqual([400, 'invalid_request'])
  })

  it('an assertion works once, and not again at the token endpoint', async () => {
    const fields = asserted(await assertion(`${w.issuer}/oauth/token`))
    const form = [...parameters(w, only_key), ...Object.entries(fields)] as [string, string][]
    expect((await post(w, form)).status).toBe(201)
    expect((await post(w, form)).status).toBe(401)
    const grant = { grant_type: 'authorization_code', code: 'x', ...fields }
    expect((await w.post('/oauth/token', grant)).status).toBe(401)
  })
})

describe('A request that the authorization endpoint would refuse is refused with the same code', () => {
  it.each<[string, Record<string, string | null>]>([
    ['unauthorized_client', { client_id: 'machine' }],
    ['unsupported_response_type', { response_type: 'token' }],
    ['unsupported_response_type', { response_type: null }],
    ['invalid_request', { response_mode: 'form_post' }],
    ['request_not_supported', { request: 'x.y.z' }],
    ['invalid_request', { code_challenge: null }],
    ['invalid_request', { code_challenge_method: 'plain' }],
    ['invalid_request', { code_challenge: 'short' }],
    ['invalid_scope', { scope: 'openid unknown' }],
    ['invalid_scope', { scope: 'tools' }],
    ['invalid_target', { resource: 'https://unknown.example' }],
    ['invalid_request', { prompt: 'unknown' }],
    ['invalid_request', { prompt: 'none login' }],
    ['invalid_request', { max_age: '-1' }],
    ['invalid_request', { id_token_hint: 'x.y.z' }],
    ['invalid_request', { state: 's'.repeat(8193) }],
    ['invalid_request', { nonce: 'n'.repeat(2049) }],
    ['invalid_request', { acr_values: 'a'.repeat(2049) }],
    ['invalid_request', { nonce: 'a\0b' }],
  ])('%s: %j', async (error, changes) => {
    const redirect = answer(await w.browser().authorize(changes))
    w.events.length = 0
    const secret = changes.client_id === 'machine' ? Object.entries(SECRET) : []
    const response = await post(w, [...parameters(w, changes), ...secret])
    expect(response.status).toBe(400)
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(await response.json()).toEqual({ error, error_description: redirect.error_description })
    expect(redirect.error).toBe(error)
    expect(w.events).toMatchObject([{ type: 'request.refused', route: 'oidc.par', error }])
  })

  it.each<[string, Record<string, string | null>]>([
    ['unregistered_redirect_uri', { redirect_uri: 'https://evil.example/' }],
    ['missing_redirect_uri', { client_id: 'two', redirect_uri: null }],
  ])('where that has no URI to redirect to: %s', async (reason, changes) => {
    const { status, body } = await push(w, changes)
    expect([status, body.error]).toEqual([400, 'invalid_request'])
    expect((await w.browser().authorize(changes)).status).toBe(400)
    expect(w.events).toMatchObject([
      { route: 'oidc.par', reason },
      { route: 'oidc.authorize', reason },
    ])
  })
})

describe('Only at this endpoint', () => {
  it.each([
    ['request_uri', 'invalid_request', 'https://x.example/1'],
    ['authorization_details', 'invalid_authorization_details', '[]'],
  ])('%s is refused', async (name, error, value) => {
    const refused = await push(w, { [name]: value })
    expect([refused.status, refused.body.error]).toEqual([400, error])
  })

  it('the request_uri of a pushed request is refused too', async () => {
    const { status, body } = await push(w, { request_uri: await pushed(w) })
    expect([status, body.error]).toEqual([400, 'invalid_request'])
  })

  it.each([
    ['state', [['state', 'other']]],
    [
      'client_secret',
      [
        ['client_secret', 'a'],
        ['client_secret', 'b'],
      ],
    ],
  ] as [string, [string, string][]][])('a repeated parameter is refused: %s', async (_, more) => {
    const response = await post(w, [...parameters(w), ...more])
    expect([response.status, (await response.json()).error]).toEqual([400, 'invalid_request'])
  })

  it('the parameters are a form: neither the query nor JSON counts', async () => {
    const query = new URLSearchParams(parameters(w))
    const url = `${w.issuer}/oauth/par?${query}`
    expect((await w.provider.fetch(formRequest(url, { client_id: 'app' }))).status).toBe(400)
    const json = new Request(`${w.issuer}/oauth/par`, {
      method: 'POST',
      body: JSON.stringify(Object.fromEntries(query)),
      headers: { 'content-type': 'application/json' },
    })
    expect((await w.provider.fetch(json)).status).toBe(400)
  })

  it('a form over 64 KiB is refused with 413, and GET with 405', async () => {
    const { status, body } = await push(w, { unknown: 'x'.repeat(65_536) })
    expect([status, body.error]).toEqual([413, 'invalid_request'])
    const got = await w.provider.fetch(new Request(`${w.issuer}/oauth/par`))
    expect([got.status, got.headers.get('allow')]).toEqual([405, 'POST'])
  })

  it('pages of any origin may ask, as at the token endpoint', async () => {
    const asked = (path: string) =>
      w.provider.fetch(
        new Request(w.issuer + path, { method: 'OPTIONS', headers: { origin: 'https://x.example' } }),
      )
    const [par, token] = [await asked('/oauth/par'), await asked('/oauth/token')]
    expect([par.status, Object.fromEntries(par.headers)]).toEqual([204, Object.fromEntries(token.headers)])
  })

  it('no session and no prompt is looked at', async () => {
    expect((await push(w, { prompt: 'none' })).status).toBe(201)
    expect((await push(w, { prompt: 'login', max_age: '0', login_hint: 'x' })).status).toBe(201)
  })
})

describe('The switches', () => {
  const metadata = async (at: World) =>
    (await at.provider.fetch(new Request(`${at.issuer}/.well-known/openid-configuration`))).json()

  it('oidc.par "off": no endpoint, and a request_uri is not supported', async () => {
    const off = await start({ oidc: { ...OIDC, par: 'off' } })
    for (const method of ['POST', 'GET', 'OPTIONS']) {
      const [par, unknown] = await Promise.all(
        ['/oauth/par', '/oauth/nothing'].map((path) =>
          off.provider.fetch(new Request(off.issuer + path, { method })),
        ),
      )
      expect([par?.status, await par?.text()]).toEqual([404, await unknown?.text()])
      expect([...(par?.headers ?? [])]).toEqual([...(unknown?.headers ?? [])])
    }
    const document = await metadata(off)
    expect(document).not.toHaveProperty('pushed_authorization_request_endpoint')
    const request_uri = await pushed(w)
    expect(answer(await off.browser().authorize({ request_uri }))).toMatchObject({
      error: 'request_uri_not_supported',
    })
    expect(answer(await off.browser().authorize({ client_id: 'strict' })).to).toBe(`${off.issuer}/login`)
    expect(answer(await off.browser().authorize({ authorization_details: '[]' })).to).toBe(
      `${off.issuer}/login`,
    )
  })

  it('"allowed": discovery names the endpoint, and a request_uri that is not pushed stays unsupported', async () => {
    const document = await metadata(w)
    expect(document).toMatchObject({
      pushed_authorization_request_endpoint: `${w.issuer}/oauth/par`,
      request_uri_parameter_supported: false,
    })
    expect(document).not.toHaveProperty('require_pushed_authorization_requests')
    expect(answer(await w.browser().authorize()).to).toBe(`${w.issuer}/login`)
  })

  it('oidc.par "required": only pushed requests', async () => {
    const required = await start({ oidc: { ...OIDC, ...REQUIRED } })
    expect(await metadata(required)).toMatchObject({ require_pushed_authorization_requests: true })
    const browser = required.browser()
    expect(answer(await browser.authorize())).toMatchObject({
      to: REDIRECT_URI,
      error: 'invalid_request',
      error_description: expect.stringContaining('Push the parameters'),
      state: 'the state',
    })
    expect(required.events.at(-1)).toMatchObject({ type: 'authorization.refused', reason: 'push_required' })
    for (const [error, changes] of [
      ['request_not_supported', { request: 'x' }],
      ['request_uri_not_supported', { request_uri: 'https://x.example/1' }],
    ] as const)
      expect(answer(await browser.authorize(changes))).toMatchObject({ error })
    await browser.get(pushedUrl(required, await pushed(required)))
    expect(answer(await browser.signIn())).toHaveProperty('code')
  })

  it('require_pushed_authorization_requests of a client: only its own requests', async () => {
    const browser = w.browser()
    expect(answer(await browser.authorize({ client_id: 'strict' }))).toMatchObject({
      error: 'invalid_request',
    })
    const request_uri = await pushed(w, { client_id: 'strict' })
    const login = await browser.get(pushedUrl(w, request_uri, { client_id: 'strict' }))
    expect(answer(login).to).toBe(`${w.issuer}/login`)
  })

  it('a pushed request is for its first use within 90 seconds', async () => {
    const late = await start({ oidc: OIDC })
    const [first, second] = [await push(late), await push(late)]
    expect([first.body.expires_in, second.body.expires_in]).toEqual([90, 90])
    const use = async ({ body }: typeof first) =>
      (await late.browser().get(pushedUrl(late, String(body.request_uri)))).status
    late.clock.now += 89
    expect(await use(first)).toBe(302)
    late.clock.now += 1
    expect(await use(second)).toBe(400)
  })
})
