/** Introspection, alone and after local verification: the request, the checks of the response, and failures. */

import { exportJWK, generateKeyPair, jwtVerify } from 'jose'
import { describe, expect, it } from 'vitest'
import {
  AWAY,
  api,
  CREDENTIALS,
  NOW,
  RESOURCE,
  refused,
  request,
  seen,
  type TestIssuer,
  testIssuer,
  whenSilent,
} from './support.js'

const ACTIVE = {
  active: true,
  token_type: 'Bearer',
  scope: 'read',
  client_id: 'app',
  sub: 'alice',
  exp: NOW + 900,
  iat: NOW,
  nbf: NOW,
  jti: 'j1',
  iss: 'https://id.example.com',
  aud: [RESOURCE],
}
const ask = async (server: ReturnType<typeof api>, token: string) =>
  seen(await server.authenticate(request(token)))
const questions = (issuer: TestIssuer) => issuer.asked.filter((path) => path === '/introspect').length
const answering = (changes: object): TestIssuer => {
  const issuer = testIssuer()
  issuer.introspection = () => Response.json({ ...ACTIVE, ...changes })
  return issuer
}
const alone = (issuer: TestIssuer, more: object = {}, also: object = {}) =>
  api(issuer, { mode: 'introspection', introspection: { ...CREDENTIALS, ...more }, ...also })

describe('The request', () => {
  it.each([
    [undefined, `Basic ${btoa('https%3A%2F%2Fapi.example.com%2Fnotes:s%25%2B+cr%3At')}`, {}],
    ['client_secret_post' as const, null, CREDENTIALS],
  ])('with %s', async (token_endpoint_auth_method, authorization, fields) => {
    const issuer = testIssuer()
    const sent: [string, string, string | null, object][] = []
    issuer.introspection = (form, { method, headers }) => {
      const type = headers.get('content-type') ?? ''
      sent.push([method, type, headers.get('authorization'), Object.fromEntries(form)])
      return Response.json(ACTIVE)
    }
    const method = token_endpoint_auth_method && { token_endpoint_auth_method }
    expect(await ask(alone(issuer, method), 'opaque-token')).toBe('accepted')
    const form = { token: 'opaque-token', token_type_hint: 'access_token', ...fields }
    expect(sent).toEqual([['POST', 'application/x-www-form-urlencoded', authorization, form]])
  })

  it.each(['ES256', 'PS256', 'EdDSA'])(
    'with a private key: an assertion for the issuer, another one each time (%s)',
    async (alg) => {
      const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true })
      const private_key = { ...(await exportJWK(privateKey)), alg, kid: 'key-1' }
      const issuer = testIssuer()
      const forms: URLSearchParams[] = []
      issuer.introspection = (form, { headers }) => {
        expect(headers.get('authorization')).toBeNull()
        forms.push(form)
        return Response.json(ACTIVE)
      }
      const server = api(issuer, {
        mode: 'introspection',
        introspection: { client_id: RESOURCE, private_key },
      })
      for (let i = 0; i < 2; i++) expect(await ask(server, 'opaque-token')).toBe('accepted')
      const assertions = forms.map((form) => form.get('client_assertion') ?? '')
      expect(new Set(assertions).size).toBe(2)
      for (const form of forms) {
        const { client_assertion = '', ...others } = Object.fromEntries(form)
        expect(others).toEqual({
          token: 'opaque-token',
          token_type_hint: 'access_token',
          client_id: RESOURCE,
          client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        })
        const { payload, protectedHeader } = await jwtVerify(client_assertion, publicKey, {
          currentDate: new Date(NOW * 1000),
        })
        expect(protectedHeader).toEqual({ alg, typ: 'client-authentication+jwt', kid: 'key-1' })
        expect(payload).toEqual({
          iss: RESOURCE,
          sub: RESOURCE,
          aud: 'https://id.example.com',
          jti: expect.any(String),
          iat: NOW,
          exp: NOW + 60,
        })
      }
    },
  )

  it('is sent for a token of 16,384 characters, and not for a longer one', async () => {
    const issuer = answering({})
    const server = alone(issuer)
    expect(await ask(server, 'x'.repeat(16_384))).toBe('accepted')
    expect(questions(issuer)).toBe(1)
    expect(await ask(server, 'x'.repeat(16_385))).toEqual(refused())
    expect(questions(issuer)).toBe(1)
  })

  it('is sent for each API request, and the endpoint is looked up once', async () => {
    const issuer = answering({})
    const server = alone(issuer)
    for (let i = 0; i < 3; i++) expect(await ask(server, 'opaque')).toBe('accepted')
    expect(issuer.asked).toEqual([
      '/.well-known/openid-configuration',
      '/introspect',
      '/introspect',
      '/introspect',
    ])
  })
})

describe('A response', () => {
  it.each<[string, object]>([
    ['as Ostiary sends it', {}],
    ['with one audience as a string', { aud: RESOURCE }],
    ['without nbf', { nbf: undefined }],
    ['with a type in lower case', { token_type: 'bearer' }],
    ['without scope', { scope: undefined }],
    ['that expired within the tolerance', { exp: NOW - 4 }],
  ])('%s is accepted', async (_, changes) => {
    expect(await ask(alone(answering(changes)), 'opaque')).toBe('accepted')
  })

  it('without sub, or with the client as sub, makes a client principal', async () => {
    for (const sub of [undefined, 'app']) {
      const principal = await alone(answering({ sub })).authenticate(request('opaque'))
      expect(principal).toMatchObject({ kind: 'client', client: { client_id: 'app' } })
    }
    expect(await alone(answering({})).authenticate(request('opaque'))).toMatchObject({
      kind: 'user',
      user: { sub: 'alice' },
    })
  })

  it.each<[string, object]>([
    ['inactive', { active: false }],
    ['active as a string', { active: 'true' }],
    ['active as a number', { active: 1 }],
    ['without active', { active: undefined }],
    ['without a type: it may be a refresh token', { token_type: undefined }],
    ['of a token that is bound to a key', { token_type: 'DPoP' }],
    ['of a bearer token that is bound to a key', { cnf: { jkt: 'a thumbprint' } }],
    ['of a token that is bound to a certificate', { cnf: { 'x5t#S256': 'a thumbprint' } }],
    ['of another issuer', { iss: 'https://evil.example.org' }],
    ['without iss', { iss: undefined }],
    ['for another API', { aud: ['https://other.example.com'] }],
    ['for no API', { aud: [] }],
    ['without aud', { aud: undefined }],
    ['with an aud that is not a string', { aud: [RESOURCE, 7] }],
    ['that has expired', { exp: NOW - 5 }],
    ['without exp', { exp: undefined }],
    ['with an exp that is not a number', { exp: String(NOW + 900) }],
    ['that is not yet valid', { nbf: NOW + 6 }],
    ['with an nbf that is not a number', { nbf: 'now' }],
    ['without iat', { iat: undefined }],
    ['without client_id', { client_id: undefined }],
    ['without jti', { jti: undefined }],
    ['with a sub that is not a string', { sub: 7 }],
    ['with a scope that is a list', { scope: ['read'] }],
  ])('%s is refused', async (_, changes) => {
    expect(await ask(alone(answering(changes)), 'opaque')).toEqual(refused())
  })
})

describe('A failure is 503, never an accepted token', () => {
  it.each<[string, () => Response | Promise<Response>]>([
    ['the credentials are refused', () => Response.json({ error: 'invalid_client' }, { status: 401 })],
    ['the client may not introspect', () => Response.json(ACTIVE, { status: 403 })],
    ['bad request', () => Response.json({ error: 'invalid_request' }, { status: 400 })],
    ['too many requests', () => Response.json(ACTIVE, { status: 429 })],
    ['500 with an active answer', () => Response.json(ACTIVE, { status: 500 })],
    ['another success', () => Response.json(ACTIVE, { status: 201 })],
    ['a redirect', () => Response.redirect('https://evil.example.org/introspect', 307)],
    ['no JSON', () => new Response('active')],
    ['a list', () => Response.json([ACTIVE])],
    [
      'a signed answer',
      () =>
        new Response('e30.e30.e30', { headers: { 'content-type': 'application/token-introspection+jwt' } }),
    ],
    ['no network', () => Promise.reject(new TypeError('fetch failed'))],
    ['too much', () => Response.json({ ...ACTIVE, more: 'x'.repeat(300_000) })],
  ])('%s', async (_, answer) => {
    const issuer = testIssuer()
    const whole = issuer.fetch
    const fetch: typeof globalThis.fetch = async (url, init) =>
      String(url).endsWith('/introspect') ? answer() : whole(url, init)
    const server = alone(issuer, {}, { fetch })
    const response = await server.authenticate(request('opaque'))
    expect((response as Response).headers.get('retry-after')).toBe('5')
    expect(await seen(response)).toEqual(AWAY)
  })

  it('no response in time', async () => {
    const issuer = testIssuer()
    const { fetch: whole } = issuer
    let silent = false
    const fetch: typeof globalThis.fetch = async (url, init) => {
      if (!String(url).endsWith('/introspect')) return whole(url, init)
      silent = true
      return new Promise(() => {})
    }
    const server = alone(issuer, {}, { fetch, timeout_seconds: 3 })
    const answer = whenSilent(() => ask(server, 'opaque'), { silent: () => silent, timeout_seconds: 3 })
    expect(await answer).toEqual({ early: 'nothing', answer: AWAY })
  })

  it('the next request introspects again', async () => {
    const issuer = answering({})
    const good = issuer.introspection
    issuer.introspection = () => new Response(null, { status: 502 })
    const server = alone(issuer)
    expect(await ask(server, 'opaque')).toEqual(AWAY)
    issuer.introspection = good
    expect(await ask(server, 'opaque')).toBe('accepted')
  })

  it('an endpoint that is missing, or not https', async () => {
    for (const introspection_endpoint of [undefined, 'http://id.example.com/introspect', 'introspect', 7]) {
      const issuer = answering({})
      issuer.document = { ...issuer.document, introspection_endpoint }
      expect(await ask(alone(issuer), 'opaque')).toEqual(AWAY)
      expect(questions(issuer)).toBe(0)
    }
  })
})

describe('cache_seconds', () => {
  it('an active response is reused for this time; other tokens are introspected', async () => {
    const issuer = answering({})
    const server = alone(issuer, { cache_seconds: 10 })
    for (let i = 0; i < 3; i++) expect(await ask(server, 'opaque')).toBe('accepted')
    expect(questions(issuer)).toBe(1)
    await ask(server, 'another')
    expect(questions(issuer)).toBe(2)
    issuer.introspection = () => Response.json({ active: false })
    issuer.clock.now += 9
    expect(await ask(server, 'opaque')).toBe('accepted')
    issuer.clock.now += 1
    expect(await ask(server, 'opaque')).toEqual(refused())
  })

  it('a response is never reused after exp', async () => {
    const issuer = answering({ exp: NOW + 5 })
    const server = alone(issuer, { cache_seconds: 300 })
    await ask(server, 'opaque')
    issuer.introspection = () => Response.json({ active: false })
    issuer.clock.now += 4
    expect(await ask(server, 'opaque')).toBe('accepted')
    issuer.clock.now += 1
    expect(await ask(server, 'opaque')).toEqual(refused())
  })

  it('counts from before the request', async () => {
    const issuer = answering({})
    issuer.introspection = () => {
      issuer.clock.now += 4
      return Response.json(ACTIVE)
    }
    const server = alone(issuer, { cache_seconds: 5 })
    await ask(server, 'opaque')
    issuer.clock.now += 1
    await ask(server, 'opaque')
    expect(questions(issuer)).toBe(2)
  })

  it('neither a negative response nor a failure is cached, and the number of entries is bounded', async () => {
    const issuer = testIssuer()
    const server = alone(issuer, { cache_seconds: 300, cache_entries: 1 })
    expect(await ask(server, 'opaque')).toEqual(refused())
    issuer.introspection = () => new Response(null, { status: 500 })
    expect(await ask(server, 'opaque')).toEqual(AWAY)
    issuer.introspection = () => Response.json(ACTIVE)
    expect(await ask(server, 'opaque')).toBe('accepted')
    await ask(server, 'another')
    await ask(server, 'opaque')
    expect(questions(issuer)).toBe(5)
  })
})

describe('both', () => {
  const both = (issuer: TestIssuer, more: object = {}) => api(issuer, { introspection: CREDENTIALS, ...more })

  it('is the default with credentials: a valid token is introspected each time', async () => {
    const issuer = answering({})
    const server = both(issuer, { token_cache: {} })
    for (let i = 0; i < 3; i++) expect(await ask(server, await issuer.token())).toBe('accepted')
    expect(questions(issuer)).toBe(3)
    issuer.introspection = () => Response.json({ active: false })
    expect(await ask(server, await issuer.token())).toEqual(refused())
    issuer.introspection = () => new Response(null, { status: 500 })
    expect(await ask(server, await issuer.token())).toEqual(AWAY)
  })

  it('a token of another issuer or API is refused without a request', async () => {
    const issuer = answering({})
    const server = both(issuer)
    for (const token of ['opaque', await issuer.token({ iss: 'x' }), await issuer.token({ aud: 'x' })])
      expect(await ask(server, token)).toEqual(refused())
    expect(questions(issuer)).toBe(0)
  })

  it.each([{ sub: 'bob' }, { client_id: 'other' }, { jti: 'j2' }, { aud: ['https://other.example.com'] }])(
    'an answer about another token is refused: %j',
    async (changes) => {
      const issuer = answering(changes)
      expect(await ask(both(issuer), await issuer.token())).toEqual(refused())
    },
  )

  it('a response may remove scopes, and cannot add any', async () => {
    const issuer = answering({ scope: 'read admin' })
    const principal = await both(issuer).authenticate(request(await issuer.token({ scope: 'read write' })))
    if (principal instanceof Response) throw new Error('refused')
    expect(principal.currentAccessToken().scopes).toEqual(['read'])
  })
})
