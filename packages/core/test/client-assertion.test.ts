/** private_key_jwt at the token, introspection and revocation endpoints: RFC 7523 §3, RFC 8725. */

import type { Client } from '@ostiary/core'
import { base64url, type CryptoKey, exportSPKI } from 'jose'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { asserted, type ClientKey, clientKey, JWT_BEARER, signed, usedFor } from './assertions.js'
import { CLIENT_SECRET, client, elsewhere, redeem, tokens, type World, world } from './support.js'

type Members = Record<string, unknown>
interface Parts {
  client_id?: string
  key?: CryptoKey | Uint8Array
  header?: Members
  claims?: Members
}

const oidc = { clients: { private_key_jwt: true } }
const GRANT = { grant_type: 'client_credentials' }
const JWT_REQUEST = { client_assertion_type: JWT_BEARER }

let w: World
let rsa: ClientKey
let ec: ClientKey
let ed: ClientKey
let stranger: ClientKey
let assertions = 0
const LONG_ID = 'c'.repeat(2048)

const keyClient = (client_id: string, jwks: Members[], fields: Partial<Client> = {}) =>
  client({
    client_id,
    token_endpoint_auth_method: 'private_key_jwt',
    jwks: { keys: jwks },
    grant_types: ['client_credentials'],
    ...fields,
  })

/** The claims of an assertion for the token endpoint, with a `jti` of its own. */
const validClaims = (client_id: string): Members => ({
  iss: client_id,
  sub: client_id,
  aud: `${w.issuer}/oauth/token`,
  jti: `assertion ${++assertions}`,
  iat: w.clock.now,
  exp: w.clock.now + 60,
})

/** An assertion of the client `ec` for the token endpoint, with changes. */
const assertion = ({ client_id = 'ec', key = ec.private_key, header = {}, claims = {} }: Parts = {}) =>
  signed({ key, header, claims: { ...validClaims(client_id), ...claims } })

const encoded = (value: unknown) =>
  base64url.encode(typeof value === 'string' ? value : JSON.stringify(value))

async function send(form: Record<string, string>, headers = {}) {
  const { status, body } = await tokens(w, { ...GRANT, ...form }, headers)
  return { status, body }
}

const reasonOf = (sent: World) => {
  const event = sent.events.findLast(({ type }) => type === 'client.authentication_failed')
  return event && 'reason' in event ? event.reason : null
}

const accepted = async (token: string) => expect((await send(asserted(token))).status).toBe(200)

/** 401 with the one body of a failed authentication, and the reason in the event alone. */
async function refused(token: string, reason: string): Promise<void> {
  const answer = await send(asserted(token))
  expect([answer.status, reasonOf(w)]).toEqual([401, reason])
  expect(answer.body).toEqual((await send({ client_id: 'nobody', client_secret: 'x' })).body)
}

beforeAll(async () => {
  const made = await Promise.all(['RS256', 'ES256', 'Ed25519', 'ES256'].map((alg) => clientKey(alg)))
  ;[rsa, ec, ed, stranger] = made as [ClientKey, ClientKey, ClientKey, ClientKey]
  const off_curve = { ...ec.public_jwk, y: ec.public_jwk.x }
  const { public_jwk: known } = ec
  const { public_jwk: other } = stranger
  w = await world({
    routing: 'path',
    oidc,
    clients: await Promise.all([
      keyClient('ec', [known]),
      keyClient('rsa', [rsa.public_jwk]),
      keyClient('ps', [{ ...rsa.public_jwk, alg: 'PS256' }]),
      keyClient('ed', [ed.public_jwk]),
      keyClient(LONG_ID, [known]),
      keyClient('only-ps', [rsa.public_jwk], { token_endpoint_auth_signing_alg: 'PS256' }),
      keyClient('stranger', [other]),
      keyClient('named', [
        { ...other, kid: 'old' },
        { ...known, kid: 'new' },
      ]),
      keyClient('eighth', [...Array(7).fill(other), known]),
      keyClient('ninth', [...Array(8).fill(other), known]),
      keyClient('mixed', [...Array(8).fill(rsa.public_jwk), known]),
      keyClient('off-curve', [off_curve]),
      keyClient('no-keys', [], { jwks: null }),
      keyClient('revoked', [known], { revoked_at: 1 }),
      keyClient('by-secret', [known], { token_endpoint_auth_method: 'client_secret_post' }),
      keyClient('public', [known], { token_endpoint_auth_method: 'none' }),
      client({ client_id: 'secret', client_secret: CLIENT_SECRET, grant_types: ['client_credentials'] }),
    ]),
  })
})
beforeEach(() => {
  w.events.length = 0
})

describe('An assertion is accepted', () => {
  it.each<[string, () => Promise<Parts> | Parts]>([
    ['with ES256', () => ({})],
    ['with RS256', () => ({ client_id: 'rsa', key: rsa.private_key, header: { alg: 'RS256' } })],
    [
      'with PS256',
      async () => ({ client_id: 'ps', key: await usedFor(rsa, 'PS256'), header: { alg: 'PS256' } }),
    ],
    ['with Ed25519', () => ({ client_id: 'ed', key: ed.private_key, header: { alg: 'Ed25519' } })],
    ['with EdDSA', () => ({ client_id: 'ed', key: ed.private_key, header: { alg: 'EdDSA' } })],
    [
      'with the registered algorithm',
      async () => ({ client_id: 'only-ps', key: await usedFor(rsa, 'PS256'), header: { alg: 'PS256' } }),
    ],
    ['for the issuer', () => ({ claims: { aud: w.issuer } })],
    ['for the issuer, in an array', () => ({ claims: { aud: [w.issuer] } })],
    ['for the endpoint, in an array', () => ({ claims: { aud: [`${w.issuer}/oauth/token`] } })],
    ...[
      'JWT',
      'jwt',
      'client-authentication+jwt',
      'application/Client-Authentication+JWT',
      'oauth-client-auth+jwt',
    ].map((typ): [string, () => Parts] => [`with the typ ${typ}`, () => ({ header: { typ } })]),
    ['by the kid that it names', () => ({ client_id: 'named', header: { kid: 'new' } })],
    ['by the second key of a client, without a kid', () => ({ client_id: 'named' })],
    ['by the eighth key that fits', () => ({ client_id: 'eighth' })],
    ['by a key after many of another type', () => ({ client_id: 'mixed' })],
    ['with exp in 3,600 seconds', () => ({ claims: { exp: w.clock.now + 3600 } })],
    ['with exp 4 seconds ago', () => ({ claims: { exp: w.clock.now - 4 } })],
    ['with a fraction of a second in exp', () => ({ claims: { exp: w.clock.now + 59.5 } })],
    ['with iat and nbf in 60 seconds', () => ({ claims: { iat: w.clock.now + 60, nbf: w.clock.now + 60 } })],
    ['without iat', () => ({ claims: { iat: undefined } })],
    ['with a jti of 255 characters', () => ({ claims: { jti: 'j'.repeat(255) } })],
    ['with a sub of 2,048 characters', () => ({ client_id: LONG_ID })],
    ['with further claims', () => ({ claims: { azp: 'x', 'https://example.com/a': { b: 1 } } })],
  ])('%s', async (_, parts) => accepted(await assertion(await parts())))

  it('by each endpoint, with a client_id that is its sub or without one', async () => {
    for (const client_id of [{}, { client_id: 'ec' }]) {
      expect((await send({ ...asserted(await assertion()), ...client_id })).status).toBe(200)
      for (const path of ['/oauth/introspect', '/oauth/revoke']) {
        const token = await assertion({ claims: { aud: w.issuer + path } })
        const { status } = await w.post(path, { token: 'any', ...asserted(token), ...client_id })
        expect([path, status]).toEqual([path, 200])
      }
    }
  })

  it('with 8,192 characters, and not with more', async () => {
    // No part has four characters times n and one: the header and the claims have a pad each.
    const padded = async (length: number) => {
      const claims = validClaims('ec')
      const made = (h: number, p: number) =>
        assertion({ header: { pad: 'h'.repeat(h) }, claims: { ...claims, pad: 'p'.repeat(p) } })
      const about = Math.floor(((length - (await made(0, 0)).length) * 3) / 4)
      const pads = [0, 1, 2].flatMap((h) => [0, 1, 2, 3].map((less) => [h, about - less] as const))
      const tokens = await Promise.all(pads.map(([h, p]) => made(h, p)))
      return tokens.find((token) => token.length === length) ?? ''
    }
    await accepted(await padded(8192))
    await refused(await padded(8193), 'malformed_assertion')
  })
})

describe('An assertion is refused, always with the same 401', () => {
  it.each<[string, string, () => Promise<string> | string]>([
    // Algorithms and keys.
    ['another client’s key', 'assertion_signature', () => assertion({ key: stranger.private_key })],
    [
      'a key of the right client in the header',
      'assertion_signature',
      () => assertion({ key: stranger.private_key, header: { jwk: stranger.public_jwk } }),
    ],
    [
      'the address of keys and certificates in the header',
      'assertion_signature',
      () =>
        assertion({
          key: stranger.private_key,
          header: { jku: 'https://evil.example/jwks', x5u: 'https://evil.example/x5u', x5c: ['MII'] },
        }),
    ],
    ['alg none', 'assertion_algorithm', () => `${encoded({ alg: 'none' })}.${encoded(validClaims('ec'))}.AA`],
    [
      'alg none without a signature',
      'malformed_assertion',
      () => `${encoded({ alg: 'none' })}.${encoded(validClaims('ec'))}.`,
    ],
    [
      'HS256 with the public key as the secret, in PEM',
      'assertion_algorithm',
      async () =>
        assertion({
          client_id: 'rsa',
          key: new TextEncoder().encode(await exportSPKI(rsa.public_key)),
          header: { alg: 'HS256' },
        }),
    ],
    [
      'HS256 with the public key as the secret, as a JWK',
      'assertion_algorithm',
      () =>
        assertion({
          client_id: 'rsa',
          key: new TextEncoder().encode(JSON.stringify(rsa.public_jwk)),
          header: { alg: 'HS256' },
        }),
    ],
    [
      'RS512',
      'assertion_algorithm',
      async () => assertion({ client_id: 'rsa', key: await usedFor(rsa, 'RS512'), header: { alg: 'RS512' } }),
    ],
    ['an ES256 header for an RSA key', 'unknown_assertion_key', () => assertion({ client_id: 'rsa' })],
    [
      'an RS256 header for a P-256 key',
      'unknown_assertion_key',
      () => assertion({ key: rsa.private_key, header: { alg: 'RS256' } }),
    ],
    [
      'a PS256 header on an RS256 signature',
      'assertion_signature',
      async () => {
        const token = await assertion({ client_id: 'rsa', key: rsa.private_key, header: { alg: 'RS256' } })
        const [, claims, signature] = token.split('.')
        return `${encoded({ alg: 'PS256' })}.${claims}.${signature}`
      },
    ],
    [
      'RS256 with a key for PS256',
      'unknown_assertion_key',
      () => assertion({ client_id: 'ps', key: rsa.private_key, header: { alg: 'RS256' } }),
    ],
    [
      'RS256 of a client that registered PS256',
      'unknown_assertion_key',
      () => assertion({ client_id: 'only-ps', key: rsa.private_key, header: { alg: 'RS256' } }),
    ],
    [
      'a kid of no key',
      'unknown_assertion_key',
      () => assertion({ client_id: 'named', header: { kid: 'none' } }),
    ],
    [
      'the kid of another key',
      'assertion_signature',
      () => assertion({ client_id: 'named', header: { kid: 'old' } }),
    ],
    ['a kid for a key without one', 'unknown_assertion_key', () => assertion({ header: { kid: 'new' } })],
    ['the ninth key that fits', 'assertion_signature', () => assertion({ client_id: 'ninth' })],
    [
      'a key that is no point of its curve',
      'assertion_signature',
      () => assertion({ client_id: 'off-curve' }),
    ],
    ['a client without keys', 'unknown_assertion_key', () => assertion({ client_id: 'no-keys' })],
    [
      'a changed claim',
      'assertion_signature',
      async () => {
        const [header, , signature] = (await assertion()).split('.')
        return `${header}.${encoded(validClaims('ec'))}.${signature}`
      },
    ],
    // Clients.
    ['an unknown client', 'unknown_client', () => assertion({ client_id: 'nobody' })],
    ['a revoked client', 'revoked_client', () => assertion({ client_id: 'revoked' })],
    [
      'a client with keys that is registered for a secret',
      'wrong_method',
      () => assertion({ client_id: 'by-secret' }),
    ],
    ['a public client with keys', 'wrong_method', () => assertion({ client_id: 'public' })],
    ['another iss', 'assertion_issuer', () => assertion({ claims: { iss: 'stranger' } })],
    ['no iss', 'assertion_issuer', () => assertion({ claims: { iss: undefined } })],
    ['the issuer as iss', 'assertion_issuer', () => assertion({ claims: { iss: w.issuer } })],
    [
      'the sub of another client',
      'assertion_signature',
      () => assertion({ claims: { sub: 'stranger', iss: 'stranger' } }),
    ],
    ['no sub', 'malformed_assertion', () => assertion({ claims: { sub: undefined } })],
    ['a sub that is a list', 'malformed_assertion', () => assertion({ claims: { sub: ['ec'] } })],
    ['a sub with a NUL', 'malformed_assertion', () => assertion({ claims: { sub: 'ec\0' } })],
    [
      'a sub with half of a surrogate pair',
      'malformed_assertion',
      () => assertion({ claims: { sub: 'ec\ud800' } }),
    ],
    [
      'a sub of 2,049 characters',
      'malformed_assertion',
      () => assertion({ claims: { sub: 'e'.repeat(2049) } }),
    ],
    // Audience.
    ...(
      [
        ['no aud', () => undefined],
        ['an empty list of audiences', () => []],
        [
          'the token endpoint and another audience',
          () => [`${w.issuer}/oauth/token`, 'https://other.example'],
        ],
        ['the issuer twice', () => [w.issuer, w.issuer]],
        ['a list in a list', () => [[w.issuer]]],
        ['the issuer with a slash', () => `${w.issuer}/`],
        ['a double slash', () => `${w.issuer}//oauth/token`],
        ['the endpoint with a slash', () => `${w.issuer}/oauth/token/`],
        ['the endpoint with a query', () => `${w.issuer}/oauth/token?a=b`],
        ['the endpoint in another case', () => `${w.issuer}/OAuth/token`],
        ['the host in another case', () => `${w.issuer.replace('id.example', 'ID.example')}/oauth/token`],
        ['the endpoint with its port', () => `${w.issuer.replace('.com', '.com:443')}/oauth/token`],
        ['the introspection endpoint', () => `${w.issuer}/oauth/introspect`],
        ['the origin, without the realm', () => new URL(w.issuer).origin],
        ['another realm', () => w.issuer.replace('acme', 'other')],
        ['the token endpoint of another realm', () => `${w.issuer.replace('acme', 'other')}/oauth/token`],
        ['an object', () => ({ '0': w.issuer })],
      ] as const
    ).map(([name, aud]): [string, string, () => Promise<string>] => [
      `aud: ${name}`,
      'assertion_audience',
      () => assertion({ claims: { aud: aud() } }),
    ]),
    // Times.
    ['no exp', 'assertion_expired', () => assertion({ claims: { exp: undefined } })],
    [
      'exp as a text',
      'assertion_expired',
      () => assertion({ claims: { exp: String(w.clock.now + 60) } as never }),
    ],
    ...['iat', 'nbf'].map((time): [string, string, () => Promise<string>] => [
      `${time} as a text`,
      'assertion_not_yet_valid',
      () => assertion({ claims: { [time]: String(w.clock.now) } }),
    ]),
    ['exp 5 seconds ago', 'assertion_expired', () => assertion({ claims: { exp: w.clock.now - 5 } })],
    ['exp in 3,601 seconds', 'assertion_lifetime', () => assertion({ claims: { exp: w.clock.now + 3601 } })],
    ['exp in milliseconds', 'assertion_lifetime', () => assertion({ claims: { exp: w.clock.now * 1000 } })],
    ['iat in 61 seconds', 'assertion_not_yet_valid', () => assertion({ claims: { iat: w.clock.now + 61 } })],
    ['nbf in 61 seconds', 'assertion_not_yet_valid', () => assertion({ claims: { nbf: w.clock.now + 61 } })],
    // The identifier.
    ['no jti', 'assertion_id', () => assertion({ claims: { jti: undefined } })],
    ['an empty jti', 'assertion_id', () => assertion({ claims: { jti: '' } })],
    ['a jti of 256 characters', 'assertion_id', () => assertion({ claims: { jti: 'j'.repeat(256) } })],
    // Types.
    ...['at+jwt', 'logout+jwt', 'dpop+jwt', 'application/at+jwt', 'JWTS', ''].map(
      (typ): [string, string, () => Promise<string>] => [
        `the typ ${JSON.stringify(typ)}`,
        'assertion_type',
        () => assertion({ header: { typ } }),
      ],
    ),
    // Forms.
    ...(
      [
        ['an empty list', () => '[]'],
        ['one part', () => encoded({ alg: 'ES256' })],
        ['two parts', () => `${encoded({ alg: 'ES256' })}.${encoded(validClaims('ec'))}`],
        ['four parts', async () => `${await assertion()}.AA`],
        ['five parts, as an encrypted JWT', () => `${encoded({ alg: 'dir' })}.A.A.A.A`],
        ['a header that is a list', () => `${encoded([])}.${encoded(validClaims('ec'))}.AA`],
        ['claims that are null', () => `${encoded({ alg: 'ES256' })}.${encoded('null')}.AA`],
        ['claims that are no JSON', () => `${encoded({ alg: 'ES256' })}.${encoded('{"iss":')}.AA`],
        ['a part that is not base64url', async () => (await assertion()).replace('.', '=.')],
        ['deeply nested claims', () => `${encoded({ alg: 'ES256' })}.${encoded('['.repeat(5000))}.AA`],
        ['the JSON form of a JWS', () => JSON.stringify({ payload: 'e30', signatures: [] })],
        [
          'a list that is critical',
          () => `${encoded({ alg: 'ES256', crit: ['exp'], exp: 1 })}.${encoded(validClaims('ec'))}.AA`,
        ],
        [
          'an empty list that is critical',
          () => `${encoded({ alg: 'ES256', crit: [] })}.${encoded(validClaims('ec'))}.AA`,
        ],
        [
          'a kid that is a number',
          () => `${encoded({ alg: 'ES256', kid: 1 })}.${encoded(validClaims('ec'))}.AA`,
        ],
      ] as const
    ).map(([name, token]): [string, string, () => Promise<string> | string] => [
      name,
      'malformed_assertion',
      token,
    ]),
  ])('%s: %s', async (_, reason, token) => refused(await token(), reason))

  it('a repeated member, in the header or in the claims', async () => {
    const twice = (value: object, member: string) => JSON.stringify(value).replace('{', `{${member},`)
    const sign = async (header: string, claims: string) => {
      const input = `${base64url.encode(header)}.${base64url.encode(claims)}`
      const algorithm = { name: 'ECDSA', hash: 'SHA-256' }
      const bytes = await crypto.subtle.sign(algorithm, ec.private_key, new TextEncoder().encode(input))
      return `${input}.${base64url.encode(new Uint8Array(bytes))}`
    }
    const header = { alg: 'ES256' }
    await accepted(await sign(JSON.stringify(header), JSON.stringify(validClaims('ec'))))
    const claims = validClaims('ec')
    await refused(
      await sign(JSON.stringify(header), twice(claims, '"sub":"stranger"')),
      'malformed_assertion',
    )
    await refused(await sign(twice(header, '"alg":"none"'), JSON.stringify(claims)), 'malformed_assertion')
  })

  it('a critical header with a valid signature', async () => {
    const crit = { crit: ['b64'], b64: true }
    await refused(await assertion({ header: crit }), 'malformed_assertion')
  })

  it.each(['/oauth/introspect', '/oauth/revoke'])(
    'at %s: the assertion for the token endpoint',
    async (path) => {
      const sent = await w.post(path, { token: 'any', ...asserted(await assertion()) })
      expect([sent.status, reasonOf(w)]).toEqual([401, 'assertion_audience'])
    },
  )

  it('another assertion type', async () => {
    const form = asserted(await assertion())
    const client_assertion_type = 'urn:ietf:params:oauth:client-assertion-type:saml2-bearer'
    expect((await send({ ...form, client_assertion_type })).status).toBe(401)
    expect(reasonOf(w)).toBe('assertion_type')
  })
})

it('the event names the methods that were used and registered', async () => {
  const events = () => w.events.filter(({ type }) => type === 'client.authentication_failed')
  await send(asserted(await assertion({ client_id: 'by-secret' })))
  await send({ client_id: 'ec', client_secret: 'x' })
  expect(events()).toMatchObject([
    {
      client_id: 'by-secret',
      reason: 'wrong_method',
      used_method: 'private_key_jwt',
      registered_methods: ['client_secret_post'],
    },
    { client_id: 'ec', reason: 'wrong_method', registered_methods: ['private_key_jwt'] },
  ])
})

describe('Exactly one mechanism', () => {
  const basic = { authorization: `Basic ${btoa(`secret:${CLIENT_SECRET}`)}` }
  it.each<[string, () => Promise<Record<string, string>> | Record<string, string>, Record<string, string>]>([
    ['an assertion and a header', async () => asserted(await assertion()), basic],
    [
      'an assertion and a header of another scheme',
      async () => asserted(await assertion()),
      { authorization: 'Bearer x' },
    ],
    ['an assertion and a secret', async () => ({ ...asserted(await assertion()), client_secret: 'x' }), {}],
    ['a broken assertion and a secret', () => ({ ...asserted('x'), client_secret: 'x' }), {}],
    ['an assertion without its type', async () => ({ client_assertion: await assertion() }), {}],
    [
      'an assertion with an empty type',
      async () => ({ client_assertion: await assertion(), client_assertion_type: '' }),
      {},
    ],
    ['a type without an assertion', () => ({ ...JWT_REQUEST, client_id: 'ec' }), {}],
    ['a type without an assertion beside a header', () => JWT_REQUEST, basic],
    ['an empty assertion beside a header', () => ({ ...asserted(''), client_id: 'secret' }), basic],
    [
      'the client_id of another client',
      async () => ({ ...asserted(await assertion()), client_id: 'stranger' }),
      {},
    ],
    ['an unknown client_id', async () => ({ ...asserted(await assertion()), client_id: 'nobody' }), {}],
  ])('%s: invalid_request', async (_, form, headers) => {
    const { status, body } = await send(await form(), headers)
    expect([status, body.error]).toEqual([400, 'invalid_request'])
  })

  it.each(['client_assertion', 'client_assertion_type', 'client_id'])(
    '%s twice: invalid_request',
    async (name) => {
      const form = new URLSearchParams({ ...GRANT, ...asserted(await assertion()), client_id: 'ec' })
      form.append(name, form.get(name) ?? '')
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      const init = { method: 'POST', headers, body: form.toString() }
      const response = await w.provider.fetch(new Request(`${w.issuer}/oauth/token`, init))
      expect([response.status, (await response.json()).error]).toEqual([400, 'invalid_request'])
    },
  )
})

describe('An assertion is used once', () => {
  it('of 50 parallel uses one succeeds, and the others get 401', async () => {
    const token = await assertion()
    const answers = await Promise.all(Array.from({ length: 50 }, () => send(asserted(token))))
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses).toEqual([200, ...Array(49).fill(401)])
    expect(reasonOf(w)).toBe('assertion_replayed')
  })

  it('another assertion with the same jti is a replay, at every endpoint', async () => {
    const jti = 'the same'
    await accepted(await assertion({ claims: { jti } }))
    await refused(await assertion({ claims: { jti, exp: w.clock.now + 300 } }), 'assertion_replayed')
    const token = await assertion({ claims: { jti, aud: w.issuer } })
    expect((await w.post('/oauth/revoke', { token: 'any', ...asserted(token) })).status).toBe(401)
  })

  it('another client cannot use up a jti, and a failed attempt does not', async () => {
    const claims = { jti: 'not burnt' }
    await accepted(await assertion({ client_id: 'stranger', key: stranger.private_key, claims }))
    await refused(await assertion({ key: stranger.private_key, claims }), 'assertion_signature')
    await refused(
      await assertion({ claims: { ...claims, aud: 'https://other.example' } }),
      'assertion_audience',
    )
    await refused(await assertion({ claims: { ...claims, exp: w.clock.now - 60 } }), 'assertion_expired')
    await accepted(await assertion({ claims }))
  })

  it('a client that may not use an assertion does not use it up', async () => {
    const stored = await keyClient('changing', [ec.public_jwk], { token_endpoint_auth_method: 'none' })
    await elsewhere(w, (clients) => clients.create(stored))
    const token = await assertion({ client_id: 'changing' })
    await refused(token, 'wrong_method')
    await elsewhere(w, (clients) =>
      clients.update({ ...stored, token_endpoint_auth_method: 'private_key_jwt' }),
    )
    await accepted(token)
  })

  it('a jti that looks like another client’s is not that one', async () => {
    await accepted(await assertion({ claims: { jti: '["ec","x"]' } }))
    await accepted(await assertion({ claims: { jti: 'x' } }))
    await accepted(await assertion({ claims: { jti: '","x' } }))
  })

  it('a use is remembered until the assertion is refused for its age, to the second', async () => {
    const started = w.clock.now
    const token = await assertion({ claims: { exp: started + 10 } })
    await accepted(token)
    w.clock.now = started + 14
    await refused(token, 'assertion_replayed')
    w.clock.now = started + 15
    await refused(token, 'assertion_expired')
  })

  it('a use is remembered for the whole hour that an assertion may live', async () => {
    const started = w.clock.now
    const token = await assertion({ claims: { exp: started + 3600 } })
    await accepted(token)
    for (const seconds of [601, 606, 3599, 3604]) {
      w.clock.now = started + seconds
      await refused(token, 'assertion_replayed')
    }
    w.clock.now = started + 3605
    await refused(token, 'assertion_expired')
    w.clock.now = started
  })

  it('a used assertion stays used when the request fails for another reason', async () => {
    const token = await assertion()
    const { status, body } = await send({ ...asserted(token), scope: 'unheard-of' })
    expect([status, body.error]).toEqual([400, 'invalid_scope'])
    await refused(token, 'assertion_replayed')
  })
})

describe('The audience', () => {
  it('is what discovery publishes, at a bare origin too', async () => {
    const bare = await world({ oidc, clients: [await keyClient('ec', [ec.public_jwk])] })
    const document = await bare.provider.fetch(new Request(`${bare.issuer}/.well-known/openid-configuration`))
    const { issuer, token_endpoint } = await document.json()
    const outcome = async (aud: string) => {
      const token = await assertion({ claims: { aud } })
      return (await bare.post('/oauth/token', { ...GRANT, ...asserted(token) })).status
    }
    expect(await outcome(issuer)).toBe(200)
    expect(await outcome(token_endpoint)).toBe(200)
    for (const aud of [`${issuer}/`, `${issuer}//oauth/token`])
      expect([aud, await outcome(aud)]).toEqual([aud, 401])
  })
})

it('a client of none and private_key_jwt cannot refresh without an assertion what it got with one', async () => {
  const methods = ['none', 'private_key_jwt'] as const
  const both = await keyClient('app', [ec.public_jwk], {
    token_endpoint_auth_method: 'none',
    token_endpoint_auth_methods: [...methods],
    grant_types: ['authorization_code', 'refresh_token'],
  })
  const mixed = await world({ oidc, clients: [both] })
  const aud = `${mixed.issuer}/oauth/token`
  const proof = async () => asserted(await assertion({ client_id: 'app', claims: { aud } }))
  const refresh = async (refresh_token: string, form: Record<string, string>) => {
    const { status, body } = await tokens(mixed, { grant_type: 'refresh_token', refresh_token, ...form })
    return [status, body.error ?? body.refresh_token]
  }
  const ISSUED = [200, expect.any(String)]

  const { code } = await mixed.browser().code()
  const confidential = (await redeem(mixed, code, await proof())).body
  expect(await refresh(confidential.refresh_token, { client_id: 'app' })).toEqual([400, 'invalid_grant'])
  const [status, next] = await refresh(confidential.refresh_token, await proof())
  expect([status, next]).toEqual(ISSUED)
  expect(await refresh(String(next), { client_id: 'app' })).toEqual([400, 'invalid_grant'])

  const open = (await redeem(mixed, (await mixed.browser().code()).code)).body
  const [, second] = await refresh(open.refresh_token, { client_id: 'app' })
  expect(await refresh(String(second), await proof())).toEqual(ISSUED)
})

it('is ignored where private_key_jwt is off', async () => {
  const off = await world({
    clients: [
      await keyClient('ec', [ec.public_jwk]),
      await client({
        client_id: 'secret',
        client_secret: CLIENT_SECRET,
        grant_types: ['client_credentials'],
      }),
    ],
  })
  const proof = asserted(await assertion({ claims: { aud: off.issuer } }))
  expect((await off.post('/oauth/token', { ...GRANT, ...proof })).status).toBe(401)
  expect(reasonOf(off)).toBe('unknown_client')
  expect((await off.post('/oauth/token', { ...GRANT, ...proof, client_id: 'ec' })).status).toBe(401)
  expect(reasonOf(off)).toBe('wrong_method')
  const secret = { client_id: 'secret', client_secret: CLIENT_SECRET }
  expect((await off.post('/oauth/token', { ...GRANT, ...proof, ...secret })).status).toBe(200)
})
