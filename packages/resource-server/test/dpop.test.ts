/** Tokens that are bound to a DPoP key, at the guard and in each mode of the resource server: RFC 9449 §7. */

import { BAD_PROOFS, BAD_TOKEN_PROOFS } from '@ostiary/test-kit/bad-proofs'
import { dpopKey, dpopProof, type Json } from '@ostiary/test-kit/dpop'
import { beforeAll, describe, expect, it } from 'vitest'
import type { BearerError, DpopOptions, ReplayPort } from '../src/index.js'
import { DPOP_ALGORITHMS, dpopNonces, proofUse } from '../src/index.js'
import { api, CREDENTIALS, METADATA, NOW, RESOURCE, type TestIssuer, testIssuer } from './support.js'

const key = dpopKey()
const thief = dpopKey()
const CNF = { cnf: { jkt: key.jkt } }
const SECRET = 'a secret for nonces, of 32 characters or more'
const ALGS = 'algs="ES256 EdDSA Ed25519 PS256 RS256"'

type Options = NonNullable<Parameters<typeof api>[1]>

/** The guard of an API with DPoP, and how a client calls it. */
function world(options: Options, dpop: DpopOptions = {}, issuer = testIssuer()) {
  const reasons: string[] = []
  const on_refused = ({ code, reason }: BearerError) => void reasons.push(`${code}: ${reason}`)
  const server = api(issuer, { ...options, dpop, on_refused })
  const proof = (token: string, change: { header?: Json; claims?: Json; nonce?: string } = {}, from = key) =>
    dpopProof(
      from,
      { method: 'GET', url: RESOURCE, now: issuer.clock.now, access_token: token, ...nonceOf(change) },
      change,
    )
  const send = (headers: Record<string, string>, url = RESOURCE) =>
    server.authenticate(new Request(url, { headers }))
  const present = (token: string, value: string | undefined = proof(token)) =>
    send({ authorization: `DPoP ${token}`, dpop: value })
  return { issuer, server, reasons, proof, send, present }
}
const nonceOf = ({ nonce }: { nonce?: string }) => (nonce === undefined ? {} : { nonce })

/** The parts of a response that a client sees. */
async function seen(answer: unknown): Promise<unknown> {
  if (!(answer instanceof Response)) return 'accepted'
  return [answer.status, await answer.text(), answer.headers.get('www-authenticate')]
}
/** Status, body and both challenges of a refusal; the error is on the scheme that was used. */
function refused(scheme: 'Bearer' | 'DPoP', error: string, status = 401): unknown {
  const on = (name: string) => (name === scheme ? ` error="${error}",` : '')
  return [
    status,
    `{"error":"${error}"}`,
    `Bearer realm="default",${on('Bearer')} resource_metadata="${METADATA}", ` +
      `DPoP realm="default",${on('DPoP')} ${ALGS}, resource_metadata="${METADATA}"`,
  ]
}

/** Introspection says of each token what its claims say, as an issuer does; `answer` changes that. */
function issuerThatAnswers(answer: object = {}): TestIssuer {
  const issuer = testIssuer()
  issuer.introspection = (form) => {
    const claims = JSON.parse(
      atob(form.get('token')?.split('.')[1]?.replace(/-/g, '+').replace(/_/g, '/') ?? ''),
    )
    return Response.json({ active: true, token_type: claims.cnf ? 'DPoP' : 'Bearer', ...claims, ...answer })
  }
  return issuer
}

const CACHED = { ...CREDENTIALS, cache_seconds: 300 }
const MODES: [string, Options][] = [
  ['jwks', {}],
  ['jwks with a token cache', { token_cache: {} }],
  ['introspection', { mode: 'introspection', introspection: CREDENTIALS }],
  ['introspection, cached', { mode: 'introspection', introspection: CACHED }],
  ['both, cached', { introspection: CACHED, token_cache: {} }],
]

describe.each(MODES)('%s', (_, options) => {
  const w = world(options, {}, issuerThatAnswers())
  let bound: string
  let plain: string
  beforeAll(async () => {
    bound = await w.issuer.token(CNF)
    plain = await w.issuer.token()
  })

  it('accepts a bound token with a proof of its key, in any letter case of the scheme', async () => {
    const principal = await w.present(bound)
    expect(principal).toMatchObject({ kind: 'user', user: { sub: 'alice' } })
    expect(await seen(await w.send({ authorization: `dpop ${bound}`, dpop: w.proof(bound) }))).toBe(
      'accepted',
    )
  })

  it('still accepts a token without cnf as Bearer, whether or not a proof comes with it', async () => {
    expect(await seen(await w.send({ authorization: `Bearer ${plain}` }))).toBe('accepted')
    const sent = w.send({ authorization: `Bearer ${plain}`, dpop: 'rubbish' })
    expect(await seen(await sent)).toBe('accepted')
  })

  it('refuses every bad proof, also of a token that it remembers', async () => {
    const forge = { key, method: 'GET', url: RESOURCE, now: NOW, access_token: bound }
    expect(await seen(await w.present(bound))).toBe('accepted')
    const passed: unknown[] = []
    for (const { name, make } of [...BAD_PROOFS, ...BAD_TOKEN_PROOFS]) {
      const answer = await seen(await w.present(bound, make(forge)))
      const expected = refused('DPoP', 'invalid_dpop_proof')
      if (JSON.stringify(answer) !== JSON.stringify(expected)) passed.push([name, answer])
    }
    expect(passed).toEqual([])
    expect(await seen(await w.present(bound))).toBe('accepted')
  })

  it.each<[string, (token: { bound: string; plain: string }) => Record<string, string>, [unknown, string]]>([
    [
      'a bound token as Bearer',
      ({ bound: token }) => ({ authorization: `Bearer ${token}` }),
      [refused('Bearer', 'invalid_token'), 'invalid_token: bound_token_as_bearer'],
    ],
    [
      'a bound token as Bearer beside a proof of its key',
      ({ bound: token }) => ({ authorization: `Bearer ${token}`, dpop: w.proof(token) }),
      [refused('Bearer', 'invalid_token'), 'invalid_token: bound_token_as_bearer'],
    ],
    [
      'a token without cnf as DPoP',
      ({ plain: token }) => ({ authorization: `DPoP ${token}`, dpop: w.proof(token) }),
      [refused('DPoP', 'invalid_token'), 'invalid_token: token_not_bound'],
    ],
    [
      'a proof of another key',
      ({ bound: token }) => ({ authorization: `DPoP ${token}`, dpop: w.proof(token, {}, thief) }),
      [refused('DPoP', 'invalid_token'), 'invalid_token: proof_of_another_key'],
    ],
    [
      'a bound token without a proof',
      ({ bound: token }) => ({ authorization: `DPoP ${token}` }),
      [refused('DPoP', 'invalid_dpop_proof'), 'invalid_dpop_proof: missing_proof'],
    ],
    [
      'the proof of another token',
      ({ bound: token, plain: other }) => ({ authorization: `DPoP ${token}`, dpop: w.proof(other) }),
      [refused('DPoP', 'invalid_dpop_proof'), 'invalid_dpop_proof: proof_access_token'],
    ],
    [
      'a token that is not one',
      () => ({ authorization: 'DPoP {}', dpop: w.proof('{}') }),
      [refused('DPoP', 'invalid_token'), 'invalid_token: malformed_token'],
    ],
    [
      'a bound token and another one as Bearer',
      ({ bound: token, plain: other }) => ({
        authorization: `DPoP ${token}, Bearer ${other}`,
        dpop: w.proof(token),
      }),
      [refused('DPoP', 'invalid_request', 400), 'invalid_request: several_tokens'],
    ],
    [
      'a bearer token and the same one bound',
      ({ bound: token, plain: other }) => ({
        authorization: `Bearer ${other}, DPoP ${token}`,
        dpop: w.proof(token),
      }),
      [refused('Bearer', 'invalid_request', 400), 'invalid_request: several_tokens'],
    ],
  ])('refuses %s each time', async (_name, headers, [expected, reason]) => {
    for (let i = 0; i < 2; i++) {
      expect(await seen(await w.send(headers({ bound, plain })))).toEqual(expected)
      expect(w.reasons.at(-1)).toBe(reason)
    }
  })

  it.each([
    { 'x5t#S256': key.jkt },
    { jkt: key.jkt, 'x5t#S256': key.jkt },
    { jkt: key.jkt, jwk: key.jwk },
    { jkt: [key.jkt] },
    { jkt: `${key.jkt}=` },
    { jkt: key.jkt.slice(1) },
    { jkt: null },
    {},
    [],
    [key.jkt],
    key.jkt,
    null,
    false,
  ])('refuses the confirmation %o with each scheme', async (cnf) => {
    const token = await w.issuer.token({ cnf })
    expect(await seen(await w.present(token))).toEqual(refused('DPoP', 'invalid_token'))
    const sent = await w.send({ authorization: `Bearer ${token}` })
    expect(await seen(sent)).toEqual(refused('Bearer', 'invalid_token'))
    expect(w.reasons.slice(-2)).toEqual(Array(2).fill('invalid_token: unknown_confirmation'))
  })

  it('without a token: both challenges, without an error', async () => {
    const silent = [
      401,
      '',
      `Bearer realm="default", resource_metadata="${METADATA}", DPoP realm="default", ${ALGS}, resource_metadata="${METADATA}"`,
    ]
    for (const headers of [{}, { dpop: 'rubbish' }, { authorization: 'DPoP ' }, { authorization: 'DPoP' }])
      expect(await seen(await w.send(headers))).toEqual(silent)
  })

  it('a missing scope is refused on the scheme that was used', async () => {
    const sent = new Request(RESOURCE, { headers: { authorization: `DPoP ${bound}`, dpop: w.proof(bound) } })
    const challenges = (answer: unknown) => (answer as Response).headers.get('www-authenticate')
    const expected = `Bearer realm="default", scope="admin", resource_metadata="${METADATA}", DPoP realm="default", error="insufficient_scope", scope="admin", ${ALGS}, resource_metadata="${METADATA}"`
    expect(challenges(await w.server.authenticate(sent, ['admin']))).toBe(expected)
    await w.server.authenticate(sent)
    expect(challenges(w.server.checkScopes('admin')(sent))).toBe(expected)
  })

  it('while DPoP is off, a bound token is refused and the scheme DPoP is no token', async () => {
    const off = api(w.issuer, options)
    const header = `Bearer realm="default", resource_metadata="${METADATA}"`
    const answer = (authorization: string) =>
      off.authenticate(new Request(RESOURCE, { headers: { authorization, dpop: w.proof(bound) } }))
    expect(await seen(await answer(`DPoP ${bound}`))).toEqual([401, '', header])
    expect(await seen(await answer(`Bearer ${bound}`))).toEqual([
      401,
      '{"error":"invalid_token"}',
      `Bearer realm="default", error="invalid_token", resource_metadata="${METADATA}"`,
    ])
  })

  it('with required, a token without cnf is refused', async () => {
    const strict = world(options, { required: true }, w.issuer)
    expect(await seen(await strict.send({ authorization: `Bearer ${plain}` }))).toEqual(
      refused('Bearer', 'invalid_token'),
    )
    expect(strict.reasons).toEqual(['invalid_token: dpop_required'])
    expect(await seen(await strict.present(bound))).toBe('accepted')
  })

  it('with a replay port, each proof is accepted once, and only one that is accepted is claimed', async () => {
    const claimed = new Map<string, number>()
    const replay: ReplayPort = {
      claim: async (key_hash, expires_at) =>
        !claimed.has(key_hash) && Boolean(claimed.set(key_hash, expires_at)),
    }
    const once = world(options, { replay }, w.issuer)
    const proof = once.proof(bound, { claims: { jti: 'one' } })
    await once.present(bound, once.proof(bound, {}, thief))
    await once.present(plain)
    await once.present('rubbish')
    await once.server.authenticate(
      new Request(RESOURCE, { headers: { authorization: `DPoP ${bound}`, dpop: proof } }),
      ['admin'],
    )
    expect(claimed.size).toBe(0)
    expect(await seen(await once.present(bound, proof))).toBe('accepted')
    expect([...claimed]).toEqual([[proofUse({ jkt: key.jkt, jti: 'one' }), NOW + 301]])
    expect(await seen(await once.present(bound, proof))).toEqual(refused('DPoP', 'invalid_dpop_proof'))
    const twice = new Request(RESOURCE, {
      headers: { authorization: `DPoP ${bound}`, dpop: once.proof(bound) },
    })
    for (const { server } of [once, once, world(options, { replay }, w.issuer)])
      expect(await seen(await server.authenticate(twice))).toBe('accepted')
    expect(await seen(await once.server.authenticate(new Request(twice)))).not.toBe('accepted')
    twice.headers.set('dpop', proof)
    expect(await seen(await once.server.authenticate(twice))).not.toBe('accepted')
    expect(await seen(await once.present(bound, proof))).toEqual(refused('DPoP', 'invalid_dpop_proof'))
    expect(once.reasons.at(-1)).toBe('invalid_dpop_proof: proof_replayed')
    const respelled = { authorization: `DPoP ${bound}`, dpop: proof }
    const answer = await once.send(respelled, RESOURCE.replace('notes', '%6eotes'))
    expect(await seen(answer)).toEqual(refused('DPoP', 'invalid_dpop_proof'))
    expect(once.reasons.at(-1)).toBe('invalid_dpop_proof: proof_replayed')
    expect(await seen(await once.present(bound))).toBe('accepted')
  })

  it('a guard with a replay port of its own asks that one, after another guard has accepted the request', async () => {
    const asked: string[] = []
    const port = (name: string, is_first: boolean): ReplayPort => ({
      async claim() {
        asked.push(name)
        return is_first
      },
    })
    const [first, second] = [port('first', true), port('second', false)].map((replay) =>
      world(options, { replay }, w.issuer),
    )
    const headers = { authorization: `DPoP ${bound}`, dpop: w.proof(bound) }
    const request = new Request(RESOURCE, { headers })
    expect(await seen(await first?.server.authenticate(request))).toBe('accepted')
    expect(await seen(await second?.server.authenticate(request))).toEqual(
      refused('DPoP', 'invalid_dpop_proof'),
    )
    expect(asked).toEqual(['first', 'second'])
  })

  describe('nonces', () => {
    const n = world(options, { nonce_secret: SECRET }, w.issuer)
    const sent = (nonce?: string, url = RESOURCE) =>
      new Request(url, {
        headers: {
          authorization: `DPoP ${bound}`,
          dpop: n.proof(bound, nonce === undefined ? {} : { nonce }),
        },
      })
    const nonceFrom = async (answer: unknown) => (answer as Response).headers.get('dpop-nonce')

    it('without a nonce the answer has one, which is accepted, until it is more than five minutes old', async () => {
      const first = await n.server.authenticate(sent())
      expect(await seen((first as Response).clone())).toEqual(refused('DPoP', 'use_dpop_nonce'))
      const nonce = (await nonceFrom(first)) ?? ''
      expect(nonce).toMatch(/^[\w-]{43}$/)
      for (const [seconds, fresh] of [
        [0, false],
        [59, false],
        [60, true],
        [299, true],
      ] as const) {
        n.issuer.clock.now = NOW + seconds
        const request = sent(nonce)
        expect(await seen(await n.server.authenticate(request))).toBe('accepted')
        expect(n.server.nonce(request) !== null).toBe(fresh)
        expect(n.server.nonce(request)).not.toBe(nonce)
      }
      n.issuer.clock.now = NOW + 300
      const late = await n.server.authenticate(sent(nonce))
      expect(await seen((late as Response).clone())).toEqual(refused('DPoP', 'use_dpop_nonce'))
      expect(await nonceFrom(late)).not.toBe(nonce)
      expect(n.reasons).toEqual(['use_dpop_nonce: missing_nonce', 'use_dpop_nonce: unknown_nonce'])
      n.issuer.clock.now = NOW
    })

    it('of another API with the same secret, of another secret and of the issuer are refused', async () => {
      const other = world(
        { ...options, resource: 'https://api.example.com/files' },
        { nonce_secret: SECRET },
        w.issuer,
      )
      const stranger = world(options, { nonce_secret: SECRET.toUpperCase() }, w.issuer)
      const nonces = await Promise.all(
        [other, stranger].map(async ({ server }) => nonceFrom(await server.authenticate(sent(undefined)))),
      )
      nonces.push(dpopNonces(new TextEncoder().encode(SECRET)).current(NOW), 'rubbish', '')
      for (const nonce of nonces) {
        expect(nonce).not.toBeNull()
        const answer = await n.server.authenticate(sent(nonce ?? ''))
        expect(await seen(answer)).toEqual(refused('DPoP', 'use_dpop_nonce'))
      }
    })

    it('a refusal for another reason has none, and neither has a bearer token', async () => {
      for (const headers of [{}, { authorization: `Bearer ${bound}` }, { authorization: `DPoP ${bound}` }])
        expect(await nonceFrom(await n.send(headers))).toBeNull()
      const request = new Request(RESOURCE, { headers: { authorization: `Bearer ${plain}` } })
      expect(await seen(await n.server.authenticate(request))).toBe('accepted')
      expect(n.server.nonce(request)).toBeNull()
    })
  })
})

describe('introspection', () => {
  const INTROSPECTION: Options = { mode: 'introspection', introspection: CREDENTIALS }
  it.each([
    ['says DPoP, and no key', { token_type: 'DPoP', cnf: undefined }],
    ['says nothing of the type', { token_type: undefined }],
    ['says another type', { token_type: 'mac' }],
  ])('%s: the token is refused with each scheme', async (_, answer) => {
    const w = world(INTROSPECTION, {}, issuerThatAnswers(answer))
    const token = await w.issuer.token(CNF)
    for (const headers of [
      { authorization: `Bearer ${token}` },
      { authorization: `DPoP ${token}`, dpop: w.proof(token) },
    ])
      expect(await seen(await w.send(headers))).not.toBe('accepted')
    expect(w.reasons).toEqual(Array(2).fill('invalid_token: not_a_bearer_token'))
  })

  it('while DPoP is off, a response that says DPoP is refused for its type', async () => {
    const issuer = issuerThatAnswers()
    const reasons: string[] = []
    const off = api(issuer, { ...INTROSPECTION, on_refused: ({ reason }) => void reasons.push(reason) })
    const headers = { authorization: `Bearer ${await issuer.token(CNF)}` }
    expect(await seen(await off.authenticate(new Request(RESOURCE, { headers })))).not.toBe('accepted')
    expect(reasons).toEqual(['not_a_bearer_token'])
  })

  it('in both modes, the answer must name the key that the token names', async () => {
    for (const [claims, answer] of [
      [CNF, { cnf: undefined, token_type: 'Bearer' }],
      [CNF, { cnf: { jkt: thief.jkt } }],
      [{}, { ...CNF, token_type: 'DPoP' }],
    ] as const) {
      const w = world({ introspection: CREDENTIALS }, {}, issuerThatAnswers(answer))
      const token = await w.issuer.token(claims)
      for (const headers of [
        { authorization: `Bearer ${token}` },
        { authorization: `DPoP ${token}`, dpop: w.proof(token) },
        { authorization: `DPoP ${token}`, dpop: w.proof(token, {}, thief) },
      ])
        expect(await seen(await w.send(headers))).not.toBe('accepted')
      expect(w.reasons).toEqual(Array(3).fill('invalid_token: introspection_mismatch'))
    }
  })
})

describe('the URL of a request', () => {
  it('has the origin of the resource and the path of the request, in any form that is equal', async () => {
    const w = world({})
    const token = await w.issuer.token(CNF)
    const call = async (url: string, htu: string) =>
      seen(
        await w.send(
          { authorization: `DPoP ${token}`, dpop: w.proof(token, { claims: { htu } }), host: 'evil.example' },
          url,
        ),
      )
    expect(await call('http://internal:8080/notes/5?a=1', 'https://api.example.com/notes/5')).toBe('accepted')
    expect(await call('http://internal:8080/notes/%35', 'HTTPS://API.example.com:443/notes/5#x')).toBe(
      'accepted',
    )
    for (const htu of ['http://internal:8080/notes/5', 'https://evil.example/notes/5', RESOURCE])
      expect(await call('http://internal:8080/notes/5', htu)).toEqual(refused('DPoP', 'invalid_dpop_proof'))
  })

  it('is what public_url says, behind a proxy that changes the path', async () => {
    const public_url = ({ url }: Request) => `https://api.example.com/notes${new URL(url).pathname}`
    const w = world({}, { public_url })
    const token = await w.issuer.token(CNF)
    const call = async (htu: string) =>
      seen(
        await w.send(
          { authorization: `DPoP ${token}`, dpop: w.proof(token, { claims: { htu } }) },
          'http://internal:8080/5',
        ),
      )
    expect(await call('https://api.example.com/notes/5')).toBe('accepted')
    expect(await call('https://api.example.com/5')).toEqual(refused('DPoP', 'invalid_dpop_proof'))
  })
})

describe('options', () => {
  it('algorithms and ages are those of the options, and the metadata document names them', async () => {
    const w = world({}, { algorithms: ['EdDSA'], max_age: 10, max_future: 0, required: true })
    const token = await w.issuer.token({ cnf: { jkt: ed25519.jkt } })
    const at = (iat: number) => w.present(token, w.proof(token, { claims: { iat } }, ed25519))
    expect(await seen(await at(NOW - 10))).toBe('accepted')
    for (const answer of [await at(NOW - 11), await at(NOW + 1), await w.present(token)])
      expect((answer as Response).headers.get('www-authenticate')).toContain(
        'DPoP realm="default", error="invalid_dpop_proof", algs="EdDSA"',
      )
    expect(w.server.metadata()).toMatchObject({
      dpop_signing_alg_values_supported: ['EdDSA'],
      dpop_bound_access_tokens_required: true,
    })
    expect(world({}).server.metadata()).toMatchObject({
      dpop_signing_alg_values_supported: [...DPOP_ALGORITHMS],
      dpop_bound_access_tokens_required: false,
    })
  })
  const ed25519 = dpopKey('EdDSA')

  it('a preflight for the metadata document allows the header DPoP, if DPoP is on', async () => {
    const allowed = (server: ReturnType<typeof api>) =>
      server.handle(new Request(METADATA, { method: 'OPTIONS' }))?.headers.get('access-control-allow-headers')
    expect(allowed(world({}).server)).toBe('Authorization, Content-Type, MCP-Protocol-Version, DPoP')
    expect(allowed(api(testIssuer()))).toBe('Authorization, Content-Type, MCP-Protocol-Version')
  })

  it.each<[string, object, RegExp]>([
    ['no algorithm', { algorithms: [] }, /dpop\.algorithms: list ES256/],
    ['a symmetric algorithm', { algorithms: ['HS256'] }, /dpop\.algorithms: /],
    ['alg none', { algorithms: ['ES256', 'none'] }, /dpop\.algorithms: /],
    ['an age of a day', { max_age: 86_400 }, /dpop\.max_age: .* 1 to 3600/],
    ['a future of an hour', { max_future: 3600 }, /dpop\.max_future: .* 0 to 300/],
    ['a short secret', { nonce_secret: 'x'.repeat(31) }, /dpop\.nonce_secret: give 32 characters/],
    ['a replay port that is none', { replay: new Map() }, /dpop\.replay: give an object/],
    ['required that is a word', { required: 'yes' }, /dpop\.required: give true or false/],
    ['a URL in place of a function', { public_url: RESOURCE }, /dpop\.public_url: give a function/],
    ['an unknown key', { nonces: true }, /dpop\.nonces: there is no such option/],
  ])('%s is refused, with what to do', (_, dpop, fault) => {
    expect(() => world({}, dpop)).toThrow(fault)
  })
})
