import { createHmac, generateKeyPairSync, randomBytes } from 'node:crypto'
import { decodeJwt, decodeProtectedHeader, generateKeyPair } from 'jose'
import { describe, expect, it } from 'vitest'
import { protocolOf } from '../src/protocol/protocol-of.js'
import type { RoundTrip } from '../src/protocol/trip.js'
import type { UpstreamSettings } from '../src/settings.js'
import {
  type Breaks,
  CLIENT_ID,
  CLIENT_SECRET,
  github,
  signed,
  type Upstream,
  upstream,
} from './_upstream.js'

const ISSUER = 'https://login.corp.example'
const REDIRECT_URI = 'https://id.example/login/callback/corp'
const SETTINGS: UpstreamSettings = {
  type: 'oidc',
  issuer: ISSUER,
  client_id: CLIENT_ID,
  client_secret: CLIENT_SECRET,
  name: 'Corp',
}
const now = () => Math.floor(Date.now() / 1000)
const secret = () => randomBytes(32).toString('base64url')
const newTrip = (): RoundTrip => ({
  redirect_uri: REDIRECT_URI,
  state: secret(),
  nonce: secret(),
  code_verifier: secret(),
})
const NO_WISHES = { login_hint: null, fresh: false }

interface Place {
  settings?: Partial<UpstreamSettings>
  at?: Upstream
}

function place({ settings = {}, at = upstream(ISSUER) }: Place = {}) {
  const protocol = protocolOf({ ...SETTINGS, issuer: at.issuer, ...settings }, { fetch: at.fetch, now })
  return { at, protocol }
}

/** A whole round trip. */
async function roundTrip(
  { at, protocol }: ReturnType<typeof place>,
  breaks: Breaks = {},
  more: Record<string, string> = {},
) {
  at.breaks = breaks
  const trip = newTrip()
  const params = at.signIn(await protocol.authorizationUrl(trip, NO_WISHES))
  for (const [name, value] of Object.entries(more)) params.set(name, value)
  return protocol.answer(trip, params)
}

const refused = (reason: string) => expect.objectContaining({ name: 'UpstreamRefusal', reason })

describe('an honest provider', () => {
  it('says who the user is', async () => {
    const c = place()
    expect(await roundTrip(c)).toEqual({
      issuer: ISSUER,
      subject: 'ada-1',
      email: 'ada@corp.example',
      email_verified: true,
      hosted_domain: null,
      preferred_username: null,
      name: 'Ada Lovelace',
      given_name: null,
      family_name: null,
      session: null,
      groups: null,
    })
    expect(c.at.requests).toEqual(['GET /.well-known/openid-configuration', 'POST /token', 'GET /keys'])
    expect(c.at.authorization).toBe(`Basic ${btoa(`${CLIENT_ID}:a+secret+of+this+test`)}`)
  })

  it('is asked for a code with PKCE, state and nonce', async () => {
    const trip = newTrip()
    const location = new URL(
      await place().protocol.authorizationUrl(trip, { login_hint: 'ada@x', fresh: true }),
    )
    expect(location.origin + location.pathname).toBe(`${ISSUER}/authorize`)
    const { code_challenge, ...sent } = Object.fromEntries(location.searchParams)
    expect(sent).toEqual({
      client_id: CLIENT_ID,
      response_type: 'code',
      redirect_uri: REDIRECT_URI,
      scope: 'openid profile email',
      state: trip.state,
      nonce: trip.nonce,
      code_challenge_method: 'S256',
      login_hint: 'ada@x',
      prompt: 'login',
    })
    expect(code_challenge).toMatch(/^[\w-]{43}$/)
  })

  it('is asked for UserInfo where the ID token has no address, with the same sub', async () => {
    const at = upstream(ISSUER, { id_token_email: false })
    const c = place({ at })
    expect(await roundTrip(c)).toMatchObject({ subject: 'ada-1', email: 'ada@corp.example' })
    expect(await roundTrip(c, { userinfo: { iss: 'https://accounts.google.com' } })).toMatchObject({
      issuer: ISSUER,
    })
    await expect(roundTrip(c, { userinfo: { sub: 'eve' } })).rejects.toEqual(refused('userinfo_subject'))
  })

  it('reads groups from the claim that is named, and at most one value more than are used', async () => {
    const c = place({ settings: { groups: { claim: 'roles', map: {} } } })
    expect(await roundTrip(c, { claims: { roles: ['a', 7, 'b'] } })).toMatchObject({ groups: ['a', 'b'] })
    expect(await roundTrip(c, { claims: { roles: 'a' } })).toMatchObject({ groups: ['a'] })
    expect(await roundTrip(c, { claims: { roles: { a: 1 } } })).toMatchObject({ groups: null })
    const many = Array.from({ length: 5_000 }, (_, index) => `g${index}`)
    expect((await roundTrip(c, { claims: { roles: many } })).groups).toHaveLength(201)
  })

  it('shares one request for its document', async () => {
    const c = place()
    await Promise.all([roundTrip(c), roundTrip(c)])
    expect(c.at.requests.filter((one) => one.includes('well-known'))).toHaveLength(1)
  })

  it.each([{}, { 'www-authenticate': 'Basic realm="default"' }])(
    'that refuses the client with 401 (%j) has answered with an error',
    async (more) => {
      const c = place()
      const headers = { 'content-type': 'application/json', ...more }
      const answer = (path: string) =>
        path === '/token' ? new Response('{"error":"invalid_client"}', { status: 401, headers }) : null
      await expect(roundTrip(c, { answer })).rejects.toEqual(refused('error_response'))
    },
  )

  it('gets the secret in the body where it takes it there alone, or a signed assertion', async () => {
    const document = { token_endpoint_auth_methods_supported: ['client_secret_post'] }
    const c = place()
    await roundTrip(c, { document })
    expect([c.at.authorization, c.at.token_request?.get('client_secret')]).toEqual([null, CLIENT_SECRET])
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const private_key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    const own = upstream(ISSUER)
    const signing: UpstreamSettings = {
      type: 'oidc',
      issuer: ISSUER,
      client_id: CLIENT_ID,
      name: 'Corp',
      private_key,
      key_id: 'mine',
    }
    await roundTrip({ at: own, protocol: protocolOf(signing, { fetch: own.fetch, now }) })
    const assertion = own.token_request?.get('client_assertion') ?? ''
    expect(decodeProtectedHeader(assertion)).toMatchObject({ alg: 'ES256', kid: 'mine' })
    expect(decodeJwt(assertion)).toMatchObject({ iss: CLIENT_ID, sub: CLIENT_ID, aud: ISSUER })
  })
})

const b64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const withPayload = (token: string, claims: unknown): string => {
  const [head, , signature] = token.split('.')
  return `${head}.${b64(claims)}.${signature}`
}

describe('a hostile provider', () => {
  const ALL_ALGORITHMS = { id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'] }
  it.each<[string, string, Breaks]>([
    ['another issuer in its document', 'issuer_differs', { document: { issuer: `${ISSUER}/` } }],
    ['another issuer in its ID token', 'issuer_differs', { claims: { iss: 'https://accounts.google.com' } }],
    ['its issuer with a slash', 'issuer_differs', { claims: { iss: `${ISSUER}/` } }],
    ['no issuer', 'bad_response', { claims: { iss: undefined } }],
    ['another audience', 'audience', { claims: { aud: 'other' } }],
    ['a second audience', 'audience', { claims: { aud: [CLIENT_ID, 'other'], azp: CLIENT_ID } }],
    ['the audience twice', 'audience', { claims: { aud: [CLIENT_ID, CLIENT_ID] } }],
    ['another authorized party', 'audience', { claims: { azp: 'other' } }],
    ['another nonce', 'nonce', { claims: { nonce: 'x'.repeat(43) } }],
    ['no nonce', 'bad_response', { claims: { nonce: undefined } }],
    ['an expired token', 'expired', { claims: { exp: now() - 60 } }],
    ['no exp', 'bad_response', { claims: { exp: undefined } }],
    ['a token of the future', 'expired', { claims: { nbf: now() + 3600 } }],
    ['no ID token', 'bad_response', { token: () => null }],
    ['a text that is no token', 'bad_response', { token: () => 'a.b' }],
    [
      'the algorithm none',
      'bad_response',
      { document: ALL_ALGORITHMS, token: (_, claims) => `${b64({ alg: 'none' })}.${b64(claims)}.` },
    ],
    [
      'an HMAC with the client secret',
      'bad_response',
      {
        document: ALL_ALGORITHMS,
        token: (_, claims) => {
          const text = `${b64({ alg: 'HS256' })}.${b64(claims)}`
          return `${text}.${createHmac('sha256', CLIENT_SECRET).update(text).digest('base64url')}`
        },
      },
    ],
    [
      'the signature of other claims',
      'bad_response',
      { token: (token, claims) => withPayload(token, { ...claims, sub: 'root' }) },
    ],
    [
      'the signature of another key',
      'bad_response',
      { token: async (_, claims) => signed(claims, (await generateKeyPair('RS256')).privateKey) },
    ],
    [
      'a key that it has not published',
      'bad_response',
      { token: async (_, claims) => signed(claims, (await generateKeyPair('RS256')).privateKey, 'other') },
    ],
    ['no subject', 'bad_response', { claims: { sub: undefined } }],
    ['an empty subject', 'subject', { claims: { sub: '' } }],
    ['a subject of spaces', 'subject', { claims: { sub: ' ' } }],
    ['a subject with spaces around it', 'subject', { claims: { sub: ' ada-1' } }],
    ['a number as the subject', 'bad_response', { claims: { sub: 7 } }],
    ['a subject of 256 characters', 'subject', { claims: { sub: 'x'.repeat(256) } }],
    ['another state', 'bad_response', { response: { state: 'x'.repeat(43) } }],
    ['no state', 'bad_response', { response: { state: null } }],
    ['the iss of another one', 'issuer_differs', { response: { iss: 'https://accounts.google.com' } }],
    [
      'no iss, though it has announced it',
      'bad_response',
      { document: { authorization_response_iss_parameter_supported: true } },
    ],
    ['no code', 'bad_response', { response: { code: null } }],
    ['a code of another browser', 'error_response', { response: { code: '0123456789abcdef' } }],
    ['an error', 'error_response', { response: { error: 'server_error', code: null } }],
    ['that the user has cancelled', 'access_denied', { response: { error: 'access_denied', code: null } }],
    ['a document that is too large', 'unreachable', { answer: () => new Response('x'.repeat(262_145)) }],
    [
      'a redirect in place of a document',
      'bad_response',
      { answer: () => Response.redirect('https://other.example', 302) },
    ],
    [
      'HTML in place of tokens',
      'bad_response',
      { answer: (path) => (path === '/token' ? new Response('<b>') : null) },
    ],
    ['a status 503', 'unreachable', { answer: () => new Response(null, { status: 503 }) }],
  ])('has %s: %s', async (_, reason, breaks) => {
    await expect(roundTrip(place(), breaks)).rejects.toEqual(refused(reason))
  })

  it('sends a subject of 255 characters, and texts that are no names', async () => {
    const claims = {
      sub: 'x'.repeat(255),
      name: '\u0000',
      email: ['ada@corp.example'],
      preferred_username: 'y'.repeat(256),
    }
    expect(await roundTrip(place(), { claims })).toMatchObject({
      subject: 'x'.repeat(255),
      name: null,
      email: null,
      preferred_username: null,
    })
  })

  it('gets a code only with the verifier of the browser that asked: PKCE', async () => {
    const { at, protocol } = place()
    const params = at.signIn(await protocol.authorizationUrl(newTrip(), NO_WISHES))
    const victim = { ...newTrip(), state: params.get('state') ?? '' }
    await expect(protocol.answer(victim, params)).rejects.toEqual(refused('error_response'))
  })

  it('gets nothing by plain http', async () => {
    const document = { token_endpoint: 'http://login.corp.example/token' }
    await expect(roundTrip(place(), { document })).rejects.toEqual(refused('bad_response'))
  })
})

const TENANT = '72f988bf-86f1-41af-91ab-2d7cd011db47'
const OTHER_TENANT = '11111111-2222-4333-8444-555555555555'
const microsoftOf = (tid: string): string => `https://login.microsoftonline.com/${tid}/v2.0`

describe('Microsoft', () => {
  const document = { issuer: microsoftOf('{tenantid}') }
  const of = (tid: string, more = {}) => ({ document, claims: { iss: microsoftOf(tid), tid, ...more } })
  const common = (tenants: string[]) => place({ settings: { tenants }, at: upstream(microsoftOf('common')) })

  it('has the issuer of the tenant, which is in the list', async () => {
    const c = common([TENANT])
    expect(await roundTrip(c, of(TENANT))).toMatchObject({ issuer: microsoftOf(TENANT), subject: 'ada-1' })
    expect(c.at.requests.filter((one) => one === 'POST /token')).toHaveLength(1)
    await expect(roundTrip(c, of(OTHER_TENANT))).rejects.toEqual(refused('tenant'))
    expect(await roundTrip(common(['*']), of(OTHER_TENANT))).toMatchObject({
      issuer: microsoftOf(OTHER_TENANT),
    })
  })

  it.each([
    ['the issuer of another tenant', { iss: microsoftOf(OTHER_TENANT), tid: TENANT }],
    ['an issuer elsewhere', { iss: 'https://evil.example', tid: TENANT }],
    ['no tenant', { iss: microsoftOf(TENANT), tid: undefined }],
    ['a tenant with a path', { iss: microsoftOf('a/../b'), tid: 'a/../b' }],
  ])('is refused with %s', async (_, claims) => {
    await expect(roundTrip(common(['*']), { document, claims })).rejects.toEqual(refused('issuer_differs'))
  })

  it('is checked as any other: nonce, audience, signature', async () => {
    const c = common([TENANT])
    await expect(roundTrip(c, of(TENANT, { nonce: 'other' }))).rejects.toEqual(refused('nonce'))
    await expect(roundTrip(c, of(TENANT, { aud: 'other' }))).rejects.toEqual(refused('audience'))
    const forged: Breaks = {
      ...of(TENANT),
      token: (token, claims) => withPayload(token, { ...claims, sub: 'root' }),
    }
    await expect(roundTrip(c, forged)).rejects.toEqual(refused('bad_response'))
  })

  it('has an address only where the tenant owns the domain: nOAuth', async () => {
    const c = common(['*'])
    const victim = { email: 'victim@corp.example', email_verified: true }
    expect(await roundTrip(c, of(OTHER_TENANT, victim))).toMatchObject({ email: null, email_verified: false })
    expect(await roundTrip(c, of(OTHER_TENANT, { ...victim, xms_edov: false }))).toMatchObject({
      email: null,
    })
    expect(await roundTrip(c, of(TENANT, { ...victim, xms_edov: true }))).toMatchObject({
      email: 'victim@corp.example',
      email_verified: true,
    })
    const one = place({ at: upstream(microsoftOf(TENANT)) })
    expect(await roundTrip(one, { claims: { ...victim, tid: TENANT } })).toMatchObject({ email: null })
  })
})

describe('Apple', () => {
  const APPLE = 'https://appleid.apple.com'
  const OTHER = 'https://account.apple.com'
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const private_key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const apple = () => {
    const at = upstream(APPLE)
    const settings: UpstreamSettings = {
      type: 'oidc',
      issuer: APPLE,
      client_id: CLIENT_ID,
      private_key,
      key_id: 'KEY1234567',
      team_id: 'TEAM123456',
      name: 'Apple',
    }
    return { at, protocol: protocolOf(settings, { fetch: at.fetch, now }) }
  }

  it.each([
    [APPLE, APPLE],
    [OTHER, APPLE],
    [APPLE, OTHER],
    [OTHER, OTHER],
  ])('has %s in its document and %s in the token: one issuer of links', async (issuer, iss) => {
    expect(await roundTrip(apple(), { document: { issuer }, claims: { iss } })).toMatchObject({
      issuer: APPLE,
    })
  })

  it('has no third spelling', async () => {
    const claims = { iss: 'https://appleid.apple.com.evil.example' }
    await expect(roundTrip(apple(), { claims })).rejects.toEqual(refused('issuer_differs'))
    await expect(roundTrip(apple(), { document: { issuer: 'https://evil.example' } })).rejects.toEqual(
      refused('issuer_differs'),
    )
  })

  it('gets a secret that is signed for it, and posts its answer', async () => {
    const c = apple()
    await roundTrip(c)
    const sent = c.at.token_request?.get('client_secret') ?? ''
    expect(decodeProtectedHeader(sent)).toMatchObject({ alg: 'ES256', kid: 'KEY1234567' })
    expect(decodeJwt(sent)).toMatchObject({ iss: 'TEAM123456', sub: CLIENT_ID, aud: APPLE })
    const location = new URL(await c.protocol.authorizationUrl(newTrip(), { login_hint: null, fresh: true }))
    expect(Object.fromEntries(location.searchParams)).toMatchObject({
      response_mode: 'form_post',
      scope: 'openid name email',
    })
    expect(location.searchParams.has('prompt')).toBe(false)
  })

  it('has a name in the first answer alone, and no address in that field', async () => {
    const user = JSON.stringify({
      name: { firstName: 'Ada', lastName: 'Lovelace' },
      email: 'root@corp.example',
    })
    const claims = { name: undefined, email_verified: 'true' }
    expect(await roundTrip(apple(), { claims }, { user })).toMatchObject({
      name: 'Ada Lovelace',
      given_name: 'Ada',
      email: 'ada@corp.example',
      email_verified: true,
    })
    for (const odd of ['', '{', 'null', '[]', '{"name":7}', '{"name":{"firstName":{}}}'])
      expect(await roundTrip(apple(), { claims }, { user: odd })).toMatchObject({ name: null })
  })
})

describe('GitHub', () => {
  const of = (user: Record<string, unknown>, addresses: Parameters<typeof github>[1] = []) => {
    const at = github(user, addresses)
    const settings: UpstreamSettings = {
      type: 'github',
      client_id: 'Iv1',
      client_secret: 's',
      name: 'GitHub',
    }
    const protocol = protocolOf(settings, { fetch: (url, init) => at.fetch(url, init), now })
    return async (change: (params: URLSearchParams) => void = () => {}) => {
      const trip = newTrip()
      const params = at.signIn(await protocol.authorizationUrl(trip, NO_WISHES))
      change(params)
      return protocol.answer(trip, params)
    }
  }
  const ada = { id: 583231, login: 'ada', name: null, email: 'victim@corp.example' }

  it('is known by its number, and by its primary verified address', async () => {
    const addresses = [
      { email: 'old@corp.example', primary: false, verified: true },
      { email: 'ada@corp.example', primary: true, verified: true },
    ]
    expect(await of(ada, addresses)()).toMatchObject({
      issuer: 'https://github.com',
      subject: '583231',
      email: 'ada@corp.example',
      email_verified: true,
      preferred_username: 'ada',
      name: 'ada',
    })
  })

  it('has no address that is not verified, and not that of the profile', async () => {
    const unverified = [{ email: 'victim@corp.example', primary: true, verified: false }]
    expect(await of(ada, unverified)()).toMatchObject({ email: null, email_verified: false })
    expect(await of(ada)()).toMatchObject({ email: null })
  })

  it.each([[undefined], ['583231'], [0], [-1], [1.5], [2 ** 53]])('has no subject %s', async (id) => {
    await expect(of({ ...ada, id })()).rejects.toEqual(refused('subject'))
  })

  it('refuses a code of another browser, and another state', async () => {
    const signIn = of(ada)
    await expect(signIn((params) => params.set('code', 'other'))).rejects.toEqual(refused('bad_response'))
    await expect(signIn((params) => params.set('state', 'other'))).rejects.toEqual(refused('bad_response'))
  })
})
