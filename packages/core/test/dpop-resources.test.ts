/**
 * Access tokens that are bound to a DPoP key, where they are presented: UserInfo, the guard and the modes of a resource server in
 * another service accept the same, and refuse the same tables of bad proofs and of bad presentations. RFC 9449 §7.
 */

import { createResourceServer, type Guard, type ReplayPort } from '@ostiary/resource-server'
import { BAD_PROOFS, BAD_TOKEN_PROOFS } from '@ostiary/test-kit/bad-proofs'
import { type DpopKey, dpopKey, dpopProof } from '@ostiary/test-kit/dpop'
import { beforeAll, describe, expect, it } from 'vitest'
import { codeForm, proven, tokenProof } from './dpop.js'
import { CLIENT_SECRET, client, tokens, type World, type WorldOptions, world } from './support.js'

const MODES = ['jwks', 'introspection', 'both'] as const
const PLACES = ['UserInfo', 'the guard', ...MODES] as const
type Place = (typeof PLACES)[number]
type Headers = Record<string, string>

const key = dpopKey()
const thief = dpopKey()
const ALGS = 'algs="ES256 EdDSA Ed25519 PS256 RS256"'
const NONCE_SECRET = 'a secret for nonces, of 32 characters or more'

interface Subject {
  w: World
  /** Issued with a proof of the key, for the API and with the scope openid. */
  bound: string
  /** The same without a proof. */
  unbound: string
  url: Record<Place, string>
  /** Null when the request passes. */
  send(place: Place, headers: Headers, method?: string): Promise<Response | null>
}

const replayPort = (): ReplayPort => {
  const used = new Set<string>()
  return { claim: async (key_hash) => !used.has(key_hash) && Boolean(used.add(key_hash)) }
}

async function subject(options: WorldOptions = {}, nonces = false): Promise<Subject> {
  const w = await world({
    ...options,
    oidc: {
      dpop: nonces ? 'nonce' : 'on',
      resources: { mcp: { scopes: [] }, strict: { scopes: [], dpop: 'required' } },
      ...options.oidc,
    },
  })
  const resource = `${w.issuer}/mcp`
  await w.storage(w.realm).clients.create(
    await client({
      client_id: resource,
      client_secret: CLIENT_SECRET,
      token_endpoint_auth_method: 'client_secret_basic',
    }),
  )
  const elsewhere = (mode: (typeof MODES)[number]): Guard =>
    createResourceServer({
      issuer: w.issuer,
      resource,
      mode,
      fetch: async (input, init) => w.provider.fetch(new Request(input, init)),
      now: () => w.clock.now,
      timeout_seconds: 60,
      dpop: { replay: replayPort(), ...(nonces && { nonce_secret: NONCE_SECRET }) },
      ...(mode !== 'jwks' && { introspection: { client_id: resource, client_secret: CLIENT_SECRET } }),
    })
  const guards: Record<Exclude<Place, 'UserInfo'>, Guard> = {
    'the guard': w.provider.guard({ realm: w.realm, resource: 'mcp' }),
    jwks: elsewhere('jwks'),
    introspection: elsewhere('introspection'),
    both: elsewhere('both'),
  }
  const api = `${resource}/things`
  const url = {
    UserInfo: `${w.issuer}/oauth/userinfo`,
    'the guard': api,
    jwks: api,
    introspection: api,
    both: api,
  }
  async function send(place: Place, headers: Headers, method = 'GET'): Promise<Response | null> {
    // Another host than the configured one, and a query.
    const request = new Request(url[place].replace('id.example.com', 'internal:8080').concat('?page=2'), {
      method,
      headers,
    })
    if (place === 'UserInfo') {
      const response = await w.provider.fetch(request)
      return response.status === 200 ? null : response
    }
    const guard = guards[place]
    const principal = await guard.authenticate(request)
    return principal instanceof Response ? principal : guard.checkAudience(resource)(request)
  }
  const redeemed = async (by: DpopKey | null) => {
    const { code } = await w.browser().code({ resource, scope: 'openid' })
    const nonce = nonces && by ? await tokenNonce(w) : undefined
    const form = codeForm(code)
    const sent =
      nonce === undefined
        ? await proven(w, form, by)
        : await tokens(w, form, { dpop: tokenProof(w, by ?? key, { nonce }) })
    return sent.body.access_token
  }
  return { w, bound: await redeemed(key), unbound: await redeemed(null), url, send }
}

/** What the token endpoint asks for. */
async function tokenNonce(w: World): Promise<string> {
  const refused = await proven(w, codeForm('unknown'), key)
  return refused.headers.get('dpop-nonce') ?? ''
}

const proofFor = (
  s: Subject,
  place: Place,
  {
    by = key,
    token = s.bound,
    ...more
  }: { by?: DpopKey; token?: string; nonce?: string; method?: string } = {},
): string =>
  dpopProof(by, { method: 'GET', url: s.url[place], now: s.w.clock.now, access_token: token, ...more })

async function seen(answer: Response | null): Promise<unknown> {
  return answer && [answer.status, await answer.text(), answer.headers.get('www-authenticate')]
}

describe.each(['single', 'path'] as const)('Realms by %s', (routing) => {
  let s: Subject
  beforeAll(async () => {
    s = await subject({ routing })
  })

  describe.each(PLACES)('%s', (place) => {
    /** The error is on the scheme that was used. */
    function refusal(scheme: 'Bearer' | 'DPoP' | null, error = '', status = 401): unknown {
      const path = `${routing === 'path' ? '/realms/acme' : ''}${place === 'UserInfo' ? '' : '/mcp'}`
      const metadata = `resource_metadata="https://id.example.com/.well-known/oauth-protected-resource${path}"`
      const on = (name: string) => (name === scheme ? ` error="${error}",` : '')
      return [
        status,
        error === '' ? '' : `{"error":"${error}"}`,
        `Bearer realm="${s.w.realm}",${on('Bearer')} ${metadata}, DPoP realm="${s.w.realm}",${on('DPoP')} ${ALGS}, ${metadata}`,
      ]
    }
    const present = async (token: string, dpop: string) =>
      seen(await s.send(place, { authorization: `DPoP ${token}`, dpop }))

    it('accepts the bound token with a proof, and the other one as Bearer', async () => {
      expect(await present(s.bound, proofFor(s, place))).toBeNull()
      expect(await seen(await s.send(place, { authorization: `Bearer ${s.unbound}` }))).toBeNull()
    })

    it('refuses every proof of the table', async () => {
      const forge = { key, method: 'GET', url: s.url[place], now: s.w.clock.now, access_token: s.bound }
      const others: unknown[] = []
      for (const { name, make } of [...BAD_PROOFS, ...BAD_TOKEN_PROOFS]) {
        const answer = await present(s.bound, make(forge))
        const expected = refusal('DPoP', 'invalid_dpop_proof')
        if (JSON.stringify(answer) !== JSON.stringify(expected)) others.push([name, answer])
      }
      expect(others).toEqual([])
    })

    it('refuses a proof that was used', async () => {
      const proof = proofFor(s, place)
      expect(await present(s.bound, proof)).toBeNull()
      expect(await present(s.bound, proof)).toEqual(refusal('DPoP', 'invalid_dpop_proof'))
    })

    it.each<[string, (s: Subject) => Headers, 'Bearer' | 'DPoP', string, number?]>([
      [
        'the bound token as Bearer',
        ({ bound }) => ({ authorization: `Bearer ${bound}` }),
        'Bearer',
        'invalid_token',
      ],
      [
        'the bound token as Bearer, with a proof',
        (w) => ({ authorization: `Bearer ${w.bound}`, dpop: proofFor(w, place) }),
        'Bearer',
        'invalid_token',
      ],
      [
        'the token that is not bound as DPoP',
        (w) => ({
          authorization: `DPoP ${w.unbound}`,
          dpop: proofFor(w, place, { token: w.unbound }),
        }),
        'DPoP',
        'invalid_token',
      ],
      [
        'a proof of another key',
        (w) => ({ authorization: `DPoP ${w.bound}`, dpop: proofFor(w, place, { by: thief }) }),
        'DPoP',
        'invalid_token',
      ],
      [
        'the proof of another token',
        (w) => ({ authorization: `DPoP ${w.bound}`, dpop: proofFor(w, place, { token: w.unbound }) }),
        'DPoP',
        'invalid_dpop_proof',
      ],
      ['no proof', ({ bound }) => ({ authorization: `DPoP ${bound}` }), 'DPoP', 'invalid_dpop_proof'],
      [
        'the proof of the token request',
        (w) => ({ authorization: `DPoP ${w.bound}`, dpop: tokenProof(w.w, key) }),
        'DPoP',
        'invalid_dpop_proof',
      ],
      [
        'the proof of another method',
        (w) => ({ authorization: `DPoP ${w.bound}`, dpop: proofFor(w, place, { method: 'POST' }) }),
        'DPoP',
        'invalid_dpop_proof',
      ],
    ])('refuses %s each time', async (...[, headers, scheme, error]) => {
      for (let i = 0; i < 2; i++)
        expect(await seen(await s.send(place, headers(s)))).toEqual(refusal(scheme, error))
    })

    it('refuses two tokens with 400', async () => {
      for (const [authorization, scheme] of [
        [`Bearer ${s.unbound}, DPoP ${s.bound}`, 'Bearer'],
        [`DPoP ${s.bound}, Bearer ${s.unbound}`, 'DPoP'],
      ] as const) {
        const answer = await s.send(place, { authorization, dpop: proofFor(s, place) })
        expect(await seen(answer)).toEqual(refusal(scheme, 'invalid_request', 400))
      }
    })

    it('without a token: both challenges, without an error', async () => {
      expect(await seen(await s.send(place, {}))).toEqual(refusal(null))
      expect(await seen(await s.send(place, { dpop: proofFor(s, place) }))).toEqual(refusal(null))
    })
  })
})

describe('The provider', () => {
  let s: Subject
  beforeAll(async () => {
    s = await subject()
  })
  const reason = () => {
    const event = s.w.events.findLast(({ type }) => type === 'bearer.refused')
    return event?.type === 'bearer.refused' ? [event.error, event.reason] : null
  }
  const get = (path: string) => s.w.provider.fetch(new Request(`${s.w.issuer}${path}`))
  const guarded = (guard: Guard, headers: Headers, url = `${s.w.issuer}/mcp`) =>
    guard.authenticate(new Request(url, { headers }))
  const asDpop = (url: string, token = s.bound) => ({
    authorization: `DPoP ${token}`,
    dpop: dpopProof(key, { method: 'GET', url, now: s.w.clock.now, access_token: token }),
  })

  it('says in the event why a proof was refused', async () => {
    const proof = proofFor(s, 'UserInfo')
    for (const [dpop, expected] of [
      [proof, null],
      [proof, ['invalid_dpop_proof', 'proof_replayed']],
      ['rubbish', ['invalid_dpop_proof', 'malformed_proof']],
      [proofFor(s, 'UserInfo', { by: thief }), ['invalid_token', 'proof_of_another_key']],
    ] as const) {
      s.w.events.length = 0
      await s.send('UserInfo', { authorization: `DPoP ${s.bound}`, dpop })
      expect(reason()).toEqual(expected)
    }
  })

  it('a resource that takes bound tokens alone refuses bearer tokens, at its own guard and at each other one', async () => {
    const strict = `${s.w.issuer}/strict`
    const own = s.w.provider.guard({ resource: 'strict' })
    const bearer = await guarded(own, { authorization: `Bearer ${s.unbound}` })
    expect((bearer as Response).status).toBe(401)
    expect(reason()).toEqual(['invalid_token', 'dpop_required'])
    expect(await guarded(own, asDpop(strict), strict)).toMatchObject({ kind: 'user' })
    const by_uri = s.w.provider.guard({ resource: strict })
    expect(await guarded(by_uri, { authorization: `Bearer ${s.unbound}` })).toBeInstanceOf(Response)
  })

  it('a bearer token for such a resource, from before the setting, is refused by every guard', async () => {
    const before = await subject({ oidc: { resources: { mcp: { scopes: [] } } } })
    const now = await world({
      oidc: { dpop: 'on', resources: { mcp: { dpop: 'required' } } },
      storage: before.w.storage,
      clients: [],
    })
    const guard = now.provider.guard()
    const answer = await guarded(guard, { authorization: `Bearer ${before.unbound}` })
    expect((answer as Response).status).toBe(401)
    expect(now.events.at(-1)).toMatchObject({ reason: 'dpop_required' })
    const url = `${now.issuer}/mcp`
    expect(await guarded(guard, asDpop(url, before.bound))).toMatchObject({ kind: 'user' })
  })

  it('UserInfo compares with the URL that discovery publishes, wherever the application has mounted it', async () => {
    const ask = async (htu: string) => {
      const request = new Request('http://internal:8080/me', { headers: asDpop(htu) })
      return (await s.w.provider.handle('oidc.userinfo', request)).status
    }
    expect(await ask(s.url.UserInfo)).toBe(200)
    for (const htu of [`${s.w.issuer}/me`, 'http://internal:8080/me']) expect(await ask(htu)).toBe(401)
  })

  it('a guard behind a proxy that changes the path compares with public_url', async () => {
    const public_url = ({ url }: Request) => `https://api.example.com/v1${new URL(url).pathname}`
    const guard = s.w.provider.guard({ public_url })
    const at = 'http://internal:8080/things'
    expect(await guarded(guard, asDpop('https://api.example.com/v1/things'), at)).toMatchObject({
      kind: 'user',
    })
    expect(await guarded(guard, asDpop(`${s.w.issuer}/things`), at)).toBeInstanceOf(Response)
  })

  it.each(PLACES)('%s: of 50 parallel uses of one proof, one succeeds', async (place) => {
    const headers = { authorization: `DPoP ${s.bound}`, dpop: proofFor(s, place) }
    const answers = await Promise.all(Array.from({ length: 50 }, () => s.send(place, headers)))
    expect(answers.filter((answer) => answer === null)).toHaveLength(1)
    expect(answers.filter((answer) => answer?.status === 401)).toHaveLength(49)
  })

  it('a proof is accepted from 60 seconds before its iat to 300 seconds after it', async () => {
    const strict = await world({
      oidc: { dpop: 'on', resources: { mcp: {} } },
      storage: s.w.storage,
      clients: [],
    })
    const url = s.url.UserInfo
    const at = async (iat: number) => {
      const request = { method: 'GET', url, now: strict.clock.now, access_token: s.bound }
      const dpop = dpopProof(key, request, { claims: { iat } })
      const headers = { authorization: `DPoP ${s.bound}`, dpop }
      return (await strict.provider.fetch(new Request(url, { headers }))).status
    }
    const { now } = strict.clock
    expect(await Promise.all([now - 300, now + 60].map(at))).toEqual([200, 200])
    expect(await Promise.all([now - 301, now + 61].map(at))).toEqual([401, 401])
  })

  it('with the profile fapi2, RS256 is not offered and every bearer token is refused', async () => {
    const w = await world({
      oidc: { profile: 'fapi2', keys: { algorithms: ['ES256'] }, resources: { mcp: {} } },
      clients: [],
    })
    const { code } = await s.w.browser().code({ scope: 'openid' })
    const { access_token } = (await proven(s.w, codeForm(code), null)).body
    const answer = await guarded(w.provider.guard(), { authorization: `Bearer ${access_token}` })
    expect((answer as Response).headers.get('www-authenticate')).toContain('algs="ES256 EdDSA Ed25519 PS256"')
    expect(w.events.at(-1)).toMatchObject({ reason: 'dpop_required' })
    const path = `${w.issuer}/.well-known/oauth-protected-resource/mcp`
    expect(await (await w.provider.fetch(new Request(path))).json()).toMatchObject({
      dpop_signing_alg_values_supported: ['ES256', 'EdDSA', 'Ed25519', 'PS256'],
      dpop_bound_access_tokens_required: true,
    })
  })

  it('the documents of resources name the algorithms, and whether a token must be bound', async () => {
    const document = async (path: string) =>
      (await get(`/.well-known/oauth-protected-resource/${path}`)).json()
    const dpop_signing_alg_values_supported = ['ES256', 'EdDSA', 'Ed25519', 'PS256', 'RS256']
    expect(await document('mcp')).toMatchObject({
      dpop_signing_alg_values_supported,
      dpop_bound_access_tokens_required: false,
    })
    expect(await document('strict')).toMatchObject({
      dpop_signing_alg_values_supported,
      dpop_bound_access_tokens_required: true,
    })
  })

  it('UserInfo lets pages of other origins send a proof and read a nonce', async () => {
    const preflight = await s.w.provider.fetch(new Request(s.url.UserInfo, { method: 'OPTIONS' }))
    expect(preflight.headers.get('access-control-allow-headers')).toContain('DPoP')
    for (const answer of [await get('/oauth/userinfo'), preflight])
      expect(answer.headers.get('access-control-expose-headers')).toBe('WWW-Authenticate, DPoP-Nonce')
  })

  it('with DPoP off, a bound token, the scheme and the headers are what they were', async () => {
    const off = await world({ storage: s.w.storage, clients: [] })
    const metadata = 'resource_metadata="https://id.example.com/.well-known/oauth-protected-resource"'
    const ask = (headers: Headers) => off.provider.fetch(new Request(s.url.UserInfo, { headers }))
    const bearer = await ask({ authorization: `Bearer ${s.bound}` })
    expect(await seen(bearer.clone())).toEqual([
      401,
      '{"error":"invalid_token"}',
      `Bearer realm="default", error="invalid_token", ${metadata}`,
    ])
    expect(off.events.at(-1)).toMatchObject({ reason: 'unknown_confirmation' })
    const scheme = await ask(asDpop(s.url.UserInfo))
    expect(await seen(scheme.clone())).toEqual([401, '', `Bearer realm="default", ${metadata}`])
    for (const answer of [bearer, scheme])
      expect(answer.headers.get('access-control-expose-headers')).toBe('WWW-Authenticate')
    const guard = off.provider.guard()
    expect(await guarded(guard, { authorization: `Bearer ${s.bound}` })).toBeInstanceOf(Response)
  })
})

describe('Nonces', () => {
  let s: Subject
  beforeAll(async () => {
    s = await subject({ routing: 'path' }, true)
  })
  const ask = async (place: Place, nonce?: string) =>
    s.send(place, {
      authorization: `DPoP ${s.bound}`,
      dpop: proofFor(s, place, nonce === undefined ? {} : { nonce }),
    })
  const nonceOf = (answer: Response | null) => answer?.headers.get('dpop-nonce') ?? ''

  it.each(PLACES)('%s asks for one, and accepts it', async (place) => {
    const first = await ask(place)
    expect([first?.status, await first?.clone().text()]).toEqual([401, '{"error":"use_dpop_nonce"}'])
    expect(first?.headers.get('www-authenticate')).toContain(
      'DPoP realm="acme", error="use_dpop_nonce", algs="',
    )
    expect(nonceOf(first)).toMatch(/^[\w-]{43}$/)
    expect(await ask(place, nonceOf(first))).toBeNull()
  })

  it('those of the token endpoint, of the other side and of another realm are refused', async () => {
    const own = nonceOf(await ask('UserInfo'))
    const url = s.url.UserInfo.replace('/acme/', '/other/')
    const now = s.w.clock.now
    const dpop = dpopProof(key, { method: 'GET', url, now, access_token: s.bound })
    const refused = await s.w.provider.fetch(
      new Request(url, { headers: { authorization: `DPoP ${s.bound}`, dpop } }),
    )
    expect(refused.headers.get('dpop-nonce')).toMatch(/^[\w-]{43}$/)
    const elsewhere = nonceOf(await ask('jwks'))
    for (const nonce of [await tokenNonce(s.w), nonceOf(refused), elsewhere, `${own}x`, '']) {
      for (const place of ['UserInfo', 'the guard'] as const) {
        const answer = await ask(place, nonce)
        expect(await answer?.text()).toBe('{"error":"use_dpop_nonce"}')
        expect(nonceOf(answer)).toBe(own)
      }
    }
    expect(await ask('UserInfo', own)).toBeNull()
    expect(await ask('the guard', own)).toBeNull()
    expect(await (await ask('jwks', own))?.text()).toBe('{"error":"use_dpop_nonce"}')
    const at_token = await tokens(s.w, codeForm('unknown'), { dpop: tokenProof(s.w, key, { nonce: own }) })
    expect(at_token.body.error).toBe('use_dpop_nonce')
  })

  it('UserInfo names the next one once the minute has changed, also when it refuses', async () => {
    const first = nonceOf(await ask('UserInfo'))
    const get = (nonce: string, token = s.bound) =>
      s.w.provider.fetch(
        new Request(s.url.UserInfo, {
          headers: { authorization: `DPoP ${token}`, dpop: proofFor(s, 'UserInfo', { nonce, token }) },
        }),
      )
    expect((await get(first)).headers.get('dpop-nonce')).toBeNull()
    s.w.clock.now += 60
    const second = await get(first)
    expect(second.status).toBe(200)
    expect(second.headers.get('dpop-nonce')).toMatch(/^[\w-]{43}$/)
    expect(second.headers.get('access-control-expose-headers')).toContain('DPoP-Nonce')
    expect((await get(nonceOf(second))).headers.get('dpop-nonce')).toBeNull()
  })
})
