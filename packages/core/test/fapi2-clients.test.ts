/** `oidc.profile: "fapi2"`: which clients there are, and how they authenticate. FAPI 2.0 Security Profile §5.3.2.1, §5.4.1. */

import type { NewClient } from '@ostiary/core'
import { DPOP_ALGORITHMS } from '@ostiary/resource-server'
import { dpopKey } from '@ostiary/test-kit/dpop'
import { publishedDocuments } from '@ostiary/test-kit/published-documents'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type AssertionParts, asserted, usedFor } from './assertions.js'
import { lastReason, tokenProof, withProof } from './dpop.js'
import { assertion, authenticated, bank, fapi2World, granted, key, proofKey, rsa } from './fapi2.js'
import { CLIENT_SECRET, client, payload, REDIRECT_URI, tokens, type World } from './support.js'

const MACHINE = { grant_type: 'client_credentials' }

let w: World
beforeAll(async () => {
  w = await fapi2World({
    routing: 'path',
    clients: await Promise.all([
      bank(),
      client({ client_id: 'public', grant_types: ['client_credentials'] }),
      client({ client_id: 'post', client_secret: CLIENT_SECRET, grant_types: ['client_credentials'] }),
      client({
        client_id: 'basic',
        client_secret: CLIENT_SECRET,
        token_endpoint_auth_method: 'client_secret_basic',
      }),
    ]),
  })
})
beforeEach(() => {
  w.events.length = 0
})

const authenticationReason = () => {
  const event = w.events.findLast(({ type }) => type === 'client.authentication_failed')
  return event && 'reason' in event ? event.reason : null
}
const proof = () => withProof(tokenProof(w, proofKey))

it('a client with a key, an assertion and a proof gets a bound token', async () => {
  const { status, body } = await granted(w, MACHINE)
  expect([status, body.token_type]).toEqual([200, 'DPoP'])
  expect(payload(body.access_token).cnf).toEqual({ jkt: proofKey.jkt })
})

describe('a stored client that the profile forbids is refused', () => {
  const basic = { authorization: `Basic ${btoa(`basic:${CLIENT_SECRET}`)}` }
  it.each<[string, Record<string, string>, Record<string, string>]>([
    ['a public client', { client_id: 'public' }, {}],
    ['one with a secret in the body', { client_id: 'post', client_secret: CLIENT_SECRET }, {}],
    ['one with a secret in the header', {}, basic],
  ])('%s, at each endpoint', async (_, form, headers) => {
    const answer = await tokens(w, { ...MACHINE, ...form }, { ...headers, ...proof() })
    expect([answer.status, answer.body.error, authenticationReason()]).toEqual([
      401,
      'invalid_client',
      'profile_method',
    ])
    for (const path of ['/oauth/introspect', '/oauth/revoke'])
      expect((await w.post(path, { token: 'x', ...form }, headers)).status).toBe(401)
  })
})

describe('an assertion', () => {
  const send = async (token: string) => tokens(w, { ...MACHINE, ...asserted(token) }, proof())

  it.each<[string, (world: World) => Partial<AssertionParts> | Promise<Partial<AssertionParts>>]>([
    ['with ES256', () => ({})],
    ['with PS256', async () => ({ key: await usedFor(rsa, 'PS256'), header: { alg: 'PS256' } })],
    ['whose iat and nbf are 10 seconds ahead', ({ clock }) => ({ claims: ahead(clock.now + 10) })],
    ['whose iat and nbf are 60 seconds ahead', ({ clock }) => ({ claims: ahead(clock.now + 60) })],
    ['with exp in 600 seconds', ({ clock }) => ({ claims: { exp: clock.now + 600 } })],
  ])('%s is accepted', async (_, parts) => {
    expect((await send(await assertion(w, await parts(w)))).status).toBe(200)
  })
  const ahead = (time: number) => ({ iat: time, nbf: time, exp: time + 60 })

  it.each<[string, string, (world: World) => Partial<AssertionParts> | Promise<Partial<AssertionParts>>]>([
    [
      'with RS256',
      'assertion_algorithm',
      async () => ({ key: await usedFor(rsa, 'RS256'), header: { alg: 'RS256' } }),
    ],
    ['for a list with the issuer', 'assertion_audience', ({ issuer }) => ({ claims: { aud: [issuer] } })],
    [
      'for the token endpoint',
      'assertion_audience',
      ({ issuer }) => ({ claims: { aud: `${issuer}/oauth/token` } }),
    ],
    [
      'for the issuer with a slash',
      'assertion_audience',
      ({ issuer }) => ({ claims: { aud: `${issuer}/` } }),
    ],
    ['with exp in 601 seconds', 'assertion_lifetime', ({ clock }) => ({ claims: { exp: clock.now + 601 } })],
    [
      'whose iat is 61 seconds ahead',
      'assertion_not_yet_valid',
      ({ clock }) => ({ claims: { iat: clock.now + 61 } }),
    ],
    [
      'whose nbf is 61 seconds ahead',
      'assertion_not_yet_valid',
      ({ clock }) => ({ claims: { nbf: clock.now + 61 } }),
    ],
  ])('%s is refused: %s', async (_, reason, parts) => {
    const answer = await send(await assertion(w, await parts(w)))
    expect([answer.status, answer.body.error, authenticationReason()]).toEqual([
      401,
      'invalid_client',
      reason,
    ])
  })

  it('without a signature (none) is refused', async () => {
    const [, claims = ''] = (await assertion(w)).split('.')
    const answer = await send(`${btoa('{"alg":"none"}').replaceAll('=', '')}.${claims}.`)
    expect([answer.status, authenticationReason()]).toEqual([401, 'malformed_assertion'])
  })
})

describe('a proof', () => {
  it.each(['ES256', 'PS256', 'EdDSA'])('with %s is accepted', async (alg) => {
    const sent = withProof(tokenProof(w, dpopKey(alg)))
    expect((await tokens(w, { ...MACHINE, ...(await authenticated(w)) }, sent)).status).toBe(200)
  })

  it.each([10, 60])('whose iat is %s seconds ahead is accepted', async (seconds) => {
    const sent = withProof(tokenProof(w, proofKey, { claims: { iat: w.clock.now + seconds } }))
    expect((await tokens(w, { ...MACHINE, ...(await authenticated(w)) }, sent)).status).toBe(200)
  })

  it.each<[string, () => Record<string, string>, string]>([
    ['none', () => ({}), 'profile_requires_proof'],
    ['one with RS256', () => withProof(tokenProof(w, dpopKey('RS256'))), 'proof_algorithm'],
    [
      'one whose iat is 61 seconds ahead',
      () => withProof(tokenProof(w, proofKey, { claims: { iat: w.clock.now + 61 } })),
      'proof_not_yet_valid',
    ],
  ])('%s: no token is issued', async (_, sent, reason) => {
    const answer = await tokens(w, { ...MACHINE, ...(await authenticated(w)) }, sent())
    expect([answer.status, answer.body.error, lastReason(w)]).toEqual([400, 'invalid_dpop_proof', reason])
  })
})

it('discovery says what is true: one method, and no RS256', async () => {
  const document = await (
    await w.provider.fetch(new Request(`${w.issuer}/.well-known/openid-configuration`))
  ).json()
  for (const endpoint of ['token', 'introspection', 'revocation']) {
    expect(document[`${endpoint}_endpoint_auth_methods_supported`]).toEqual(['private_key_jwt'])
    expect(document[`${endpoint}_endpoint_auth_signing_alg_values_supported`]).toEqual([
      'PS256',
      'ES256',
      'EdDSA',
      'Ed25519',
    ])
  }
  expect(document.dpop_signing_alg_values_supported).toEqual(DPOP_ALGORITHMS.filter((alg) => alg !== 'RS256'))
  expect(document).toMatchObject({
    id_token_signing_alg_values_supported: ['ES256'],
    code_challenge_methods_supported: ['S256'],
    response_types_supported: ['code'],
    authorization_response_iss_parameter_supported: true,
  })
  expect(JSON.stringify(document)).not.toContain('RS256')
})

describe('no such client is made', () => {
  const jwks = { keys: [key.public_jwk] }
  const KEYS: NewClient = { client_id: 'new', jwks, redirect_uris: [REDIRECT_URI] }
  const { jwks: _, ...WITHOUT_KEYS } = KEYS

  it.each<[string, NewClient, RegExp]>([
    ['a public client', WITHOUT_KEYS, /^token_endpoint_auth_method: .*permits private_key_jwt alone/],
    ['one with a secret', { ...WITHOUT_KEYS, confidential: true }, /permits private_key_jwt alone/],
    [
      'one without PKCE',
      { ...KEYS, require_pkce: false },
      /^require_pkce: oidc\.profile "fapi2" requires PKCE/,
    ],
    [
      'one with an http redirect URI',
      { ...KEYS, redirect_uris: ['http://intranet.example.com/cb'] },
      /^redirect_uris: "http:\/\/intranet\.example\.com\/cb" is http, which .* permits for the loopback alone$/,
    ],
    [
      'one with RS256',
      { ...KEYS, token_endpoint_auth_signing_alg: 'RS256' },
      /^token_endpoint_auth_signing_alg: it is not one of PS256, ES256/,
    ],
    [
      'one whose keys are for RS256',
      { ...KEYS, jwks: { keys: [{ ...rsa.public_jwk, alg: 'RS256' }] } },
      /^jwks: it has no key for PS256, ES256/,
    ],
  ])('by an operator: %s', async (_, input, message) => {
    const { clients } = await w.provider.manage(w.realm)
    await expect(clients.create(input)).rejects.toThrow(message)
    expect(await clients.find('new')).toBeNull()
  })

  it.each(['https://app.example.com/cb', 'http://127.0.0.1:7000/cb', 'com.example.app:/cb'])(
    'by an operator: one with the redirect URI %s is made',
    async (uri) => {
      const { clients } = await w.provider.manage(w.realm)
      const made = await clients.create({ jwks, redirect_uris: [uri] })
      expect(made).toMatchObject({
        client_secret: null,
        client: { token_endpoint_auth_method: 'private_key_jwt' },
      })
    },
  )

  it('by a change: a client with keys cannot become public, nor leave out PKCE', async () => {
    const { clients } = await w.provider.manage(w.realm)
    for (const changes of [{ confidential: false }, { confidential: true }, { require_pkce: false }])
      await expect(clients.update('bank', changes)).rejects.toThrow('oidc.profile "fapi2"')
    expect((await granted(w, MACHINE)).status).toBe(200)
  })

  const registering = { clients: { registration: { enabled: true } } }

  it.each<[string, Record<string, unknown>, string]>([
    ['a public client', { token_endpoint_auth_method: 'none' }, 'invalid_client_metadata'],
    ['one that names no method', { jwks: undefined }, 'invalid_client_metadata'],
    ['one with a secret', { token_endpoint_auth_method: 'client_secret_basic' }, 'invalid_client_metadata'],
    ['one with mutual TLS', { token_endpoint_auth_method: 'tls_client_auth' }, 'invalid_client_metadata'],
    [
      'one with RS256',
      { token_endpoint_auth_signing_alg: 'RS256', jwks: { keys: [rsa.public_jwk] } },
      'invalid_client_metadata',
    ],
    [
      'one with an http redirect URI',
      { redirect_uris: ['http://intranet.example.com/cb'] },
      'invalid_redirect_uri',
    ],
  ])('by registration: %s', async (what, changes, error) => {
    const open = await fapi2World({ oidc: registering })
    const metadata = {
      token_endpoint_auth_method: what === 'one that names no method' ? undefined : 'private_key_jwt',
      jwks,
      redirect_uris: [REDIRECT_URI],
      ...changes,
    }
    const register = (body: object) =>
      open.provider.fetch(
        new Request(`${open.issuer}/oauth/register`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
      )
    const refused = await register(metadata)
    expect([refused.status, (await refused.json()).error]).toEqual([400, error])
    const valid = { token_endpoint_auth_method: 'private_key_jwt', jwks, redirect_uris: [REDIRECT_URI] }
    expect((await register(valid)).status).toBe(201)
  })

  it.each<[string, Record<string, unknown>, string]>([
    [
      'a public client',
      { token_endpoint_auth_method: 'none', jwks: undefined },
      'document_unsupported_auth_method',
    ],
    [
      'one that names no method',
      { token_endpoint_auth_method: undefined },
      'document_unsupported_auth_method',
    ],
    ['one with RS256', { token_endpoint_auth_signing_alg: 'RS256' }, 'document_unsupported_auth_method'],
    [
      'one with an http redirect URI',
      { redirect_uris: ['http://intranet.example.com/cb'] },
      'document_invalid_redirect_uri',
    ],
  ])('by a document: %s', async (_, changes, reason) => {
    const documents = publishedDocuments()
    const open = await fapi2World({
      oidc: { clients: { metadata_documents: { enabled: true } } },
      fetch_document: documents.fetch_document,
    })
    const client_id = 'https://app.example.com/client.json'
    const document = {
      client_id,
      token_endpoint_auth_method: 'private_key_jwt',
      jwks,
      redirect_uris: [REDIRECT_URI],
    }
    documents.put({ ...document, ...changes })
    const refused = await open.browser().authorize({ client_id })
    expect([refused.status, lastReason(open)]).toEqual([400, reason])
  })
})
