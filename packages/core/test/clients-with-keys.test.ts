/** Clients that authenticate with private_key_jwt: how an operator creates and changes them, registration, import. */

import { type ClientInput, ClientInputError, importedClient, sha256 } from '@ostiary/core'
import { beforeAll, describe, expect, it } from 'vitest'
import { parseConfig } from '../src/config/parse.js'
import { createRealm } from '../src/realm/create-realm.js'
import { asserted, type ClientKey, clientKey, signed } from './assertions.js'
import { client, ISSUER, REDIRECT_URI, tokens, type World, world } from './support.js'

type Changes = Partial<Omit<ClientInput, 'client_id'>> & { confidential?: boolean; client_secret?: string }

const SERVICE = { client_id: 'service', grant_types: ['client_credentials' as const] }
const JWKS_URI = 'https://keys.example.com/jwks.json'
const oidc = { clients: { private_key_jwt: true, registration: { enabled: true } } }

let ec: ClientKey
let next: ClientKey
/** The stored form of the keys: their public members alone. */
let jwks: { keys: Record<string, unknown>[] }
let next_jwks: typeof jwks

beforeAll(async () => {
  ec = await clientKey('ES256', { kid: 'a' })
  next = await clientKey('Ed25519')
  jwks = { keys: [ec.public_jwk] }
  next_jwks = { keys: [next.public_jwk] }
})

const start = async (on = true) => {
  const w = await world({ clients: [], oidc: on ? oidc : {} })
  return { w, clients: (await w.provider.manage()).clients }
}

let assertions = 0
async function authenticates(w: World, { private_key }: ClientKey, alg: string): Promise<boolean> {
  const claims = {
    iss: 'service',
    sub: 'service',
    aud: w.issuer,
    jti: String(++assertions),
    exp: w.clock.now + 60,
  }
  const token = await signed({ key: private_key, header: { alg }, claims })
  const { status } = await tokens(w, { grant_type: 'client_credentials', ...asserted(token) })
  return status === 200
}

const faultOf = (change: Promise<unknown>) =>
  change.then(
    () => 'accepted',
    (error: unknown) => (error instanceof ClientInputError ? error.message : Promise.reject(error)),
  )

describe('An operator creates a client with keys', () => {
  it('without naming the method: it has no secret, and may use client_credentials', async () => {
    const { w, clients } = await start()
    const certified = { keys: [{ ...ec.public_jwk, x5c: ['MII'] }] }
    const { client: created, client_secret } = await clients.create({ ...SERVICE, jwks: certified })
    expect([client_secret, created.client_secret_hash]).toEqual([null, null])
    expect(created).toMatchObject({
      token_endpoint_auth_method: 'private_key_jwt',
      token_endpoint_auth_methods: null,
      token_endpoint_auth_signing_alg: null,
      jwks_uri: null,
    })
    expect(created.jwks).toEqual(jwks)
    expect(await clients.find('service')).toEqual(created)
    expect(await authenticates(w, ec, 'ES256')).toBe(true)
    expect(await authenticates(w, next, 'Ed25519')).toBe(false)
    expect(await faultOf(clients.rotateSecret('service'))).toContain('authenticates with its keys')
  })

  it('by the address of its keys, which is not read', async () => {
    const { clients } = await start()
    const { client: created } = await clients.create({
      ...SERVICE,
      token_endpoint_auth_method: 'private_key_jwt',
      jwks_uri: JWKS_URI,
      token_endpoint_auth_signing_alg: 'RS256',
    })
    expect(created).toMatchObject({
      jwks: null,
      jwks_uri: JWKS_URI,
      token_endpoint_auth_signing_alg: 'RS256',
    })
  })

  it.each<[string, () => Changes, string]>([
    ['no keys', () => ({ token_endpoint_auth_method: 'private_key_jwt' }), 'jwks: it is missing'],
    ['both', () => ({ jwks, jwks_uri: JWKS_URI }), 'jwks_uri: it is given beside jwks'],
    [
      'a private key',
      () => ({ jwks: { keys: [{ ...ec.public_jwk, d: 'a' }] } }),
      'jwks: it has a key that is not usable',
    ],
    ['an address by http', () => ({ jwks_uri: 'http://keys.example.com/' }), 'jwks_uri: it is not https'],
    [
      'an address of this computer',
      () => ({ jwks_uri: 'https://localhost/' }),
      'jwks_uri: it names this computer',
    ],
    [
      'keys and the method none',
      () => ({ jwks, token_endpoint_auth_method: 'none' }),
      'has the token_endpoint_auth_method private_key_jwt',
    ],
    [
      'keys and a secret method',
      () => ({ jwks, token_endpoint_auth_method: 'client_secret_post' }),
      'has the token_endpoint_auth_method private_key_jwt',
    ],
    [
      'keys and secret methods',
      () => ({ jwks, token_endpoint_auth_methods: ['client_secret_post'] }),
      'has the token_endpoint_auth_method private_key_jwt',
    ],
    ['keys and confidential', () => ({ jwks, confidential: true }), 'a client with keys has no secret'],
    [
      'keys and a secret',
      () => ({ jwks, client_secret: 'k8Jq2vX0rN5tYw7ZbC3mLpD9sHfGaEu1' }),
      'a client with keys has no secret',
    ],
    [
      'another algorithm than its keys',
      () => ({ jwks, token_endpoint_auth_signing_alg: 'RS256' }),
      'jwks: it has no key for RS256',
    ],
    [
      'an algorithm without keys',
      () => ({ token_endpoint_auth_signing_alg: 'RS256' }),
      'token_endpoint_auth_signing_alg: it needs jwks or jwks_uri',
    ],
  ])('refused: %s', async (_, fields, fault) => {
    const { clients } = await start()
    const given = { client_id: 'service', redirect_uris: [REDIRECT_URI], ...fields() }
    expect(await faultOf(clients.create(given))).toContain(fault)
    expect(await clients.find('service')).toBeNull()
  })

  it('refused where private_key_jwt is off, with the key to set', async () => {
    const { clients } = await start(false)
    const given: Changes[] = [
      { jwks },
      { jwks_uri: JWKS_URI },
      { token_endpoint_auth_method: 'private_key_jwt' },
    ]
    for (const fields of given)
      expect(await faultOf(clients.create({ ...SERVICE, ...fields }))).toContain(
        'private_key_jwt is off: set oidc.clients.private_key_jwt',
      )
  })
})

describe('An operator changes a client', () => {
  it('from a secret to keys: the secret is gone; and back: the keys are gone, and there is a new secret', async () => {
    const { w, clients } = await start()
    await clients.create({ ...SERVICE, confidential: true })
    const keyed = await clients.update('service', { jwks, token_endpoint_auth_signing_alg: 'ES256' })
    expect(keyed?.client).toMatchObject({
      token_endpoint_auth_method: 'private_key_jwt',
      client_secret_hash: null,
    })
    expect(await authenticates(w, ec, 'ES256')).toBe(true)
    for (const back of [
      { confidential: true },
      { token_endpoint_auth_method: 'client_secret_post' as const },
    ]) {
      await clients.update('service', { jwks })
      const secret = await clients.update('service', back)
      expect(secret?.client_secret).toBeTypeOf('string')
      expect(secret?.client).toMatchObject({
        jwks: null,
        jwks_uri: null,
        token_endpoint_auth_signing_alg: null,
      })
      expect(secret?.client.token_endpoint_auth_method).toBe('client_secret_post')
      expect(await authenticates(w, ec, 'ES256')).toBe(false)
    }
  })

  it('from keys to none, in each way', async () => {
    const { clients } = await start()
    for (const change of [{ token_endpoint_auth_method: 'none' as const }, { confidential: false }]) {
      const given = { client_id: 'service', redirect_uris: [REDIRECT_URI], jwks }
      await clients.create(given).catch(() => clients.update('service', { jwks }))
      const open = await clients.update('service', change)
      expect(open?.client).toMatchObject({
        token_endpoint_auth_method: 'none',
        jwks: null,
        client_secret_hash: null,
      })
    }
  })

  it('other keys replace the old ones, in either form; another field leaves them', async () => {
    const { w, clients } = await start()
    await clients.create({ ...SERVICE, jwks })
    expect((await clients.update('service', { client_name: 'Renamed' }))?.changed).toEqual(['client_name'])
    expect((await clients.update('service', { jwks }))?.changed).toEqual([])
    expect((await clients.update('service', { jwks: next_jwks }))?.changed).toEqual(['jwks'])
    expect([await authenticates(w, ec, 'ES256'), await authenticates(w, next, 'Ed25519')]).toEqual([
      false,
      true,
    ])
    const by_address = await clients.update('service', { jwks_uri: JWKS_URI })
    expect(by_address?.client).toMatchObject({ jwks: null, jwks_uri: JWKS_URI })
    expect((await clients.update('service', { jwks }))?.client).toMatchObject({ jwks, jwks_uri: null })
    expect((await clients.update('service', { token_endpoint_auth_method: null }))?.changed).toEqual([])
  })

  it('refused: keys taken away, keys beside a secret, other keys than the algorithm', async () => {
    const { clients } = await start()
    await clients.create({ ...SERVICE, jwks, token_endpoint_auth_signing_alg: 'ES256' })
    expect(await faultOf(clients.update('service', { jwks: null }))).toContain('needs jwks or jwks_uri')
    expect(await faultOf(clients.update('service', { jwks, confidential: true }))).toContain('has no secret')
    expect(await faultOf(clients.update('service', { jwks: next_jwks }))).toContain('no key for ES256')
    expect((await clients.find('service'))?.jwks).toEqual(jwks)
  })

  it('the method alone needs keys', async () => {
    const { clients } = await start()
    await clients.create({ ...SERVICE, confidential: true })
    const change = clients.update('service', { token_endpoint_auth_method: 'private_key_jwt' })
    expect(await faultOf(change)).toContain('needs jwks or jwks_uri')
  })
})

describe('Registration', () => {
  const minimal = { redirect_uris: ['https://app.example.org/callback'] }
  const keyed = { ...minimal, token_endpoint_auth_method: 'private_key_jwt' }
  async function register(w: World, body: object) {
    const request = new Request(`${w.issuer}/oauth/register`, { method: 'POST', body: JSON.stringify(body) })
    const response = await w.provider.fetch(request)
    return { status: response.status, body: await response.json() }
  }

  it('with jwks: the answer has them, and no secret', async () => {
    const { w } = await start()
    const sent = { keys: [{ ...ec.public_jwk, x5u: 'https://evil.example/' }] }
    const { status, body } = await register(w, {
      ...keyed,
      jwks: sent,
      token_endpoint_auth_signing_alg: 'ES256',
    })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      token_endpoint_auth_method: 'private_key_jwt',
      token_endpoint_auth_signing_alg: 'ES256',
      jwks,
    })
    expect(Object.keys(body).filter((name) => /secret|jwks_uri/.test(name))).toEqual([])
    expect(await w.storage(w.realm).clients.find(body.client_id)).toMatchObject({
      client_secret_hash: null,
      jwks,
      jwks_uri: null,
      token_endpoint_auth_signing_alg: 'ES256',
    })
  })

  it('with jwks_uri: the answer has it, and it is not read', async () => {
    const read: string[] = []
    const w = await world({
      oidc,
      fetch_document: (url) => {
        read.push(url)
        return Promise.reject(new Error('unreachable'))
      },
    })
    const { status, body } = await register(w, { ...keyed, jwks_uri: JWKS_URI, jwks: null })
    expect([status, body.jwks_uri, 'jwks' in body]).toEqual([201, JWKS_URI, false])
    expect(read).toEqual([])
  })

  it('with another method: the keys are not used', async () => {
    const { w } = await start()
    const { status, body } = await register(w, { ...minimal, jwks: 'anything' })
    expect([status, body.jwks]).toEqual([201, undefined])
  })

  it.each<[string, () => object, string]>([
    ['no keys', () => ({}), 'jwks is missing: private_key_jwt needs jwks or jwks_uri'],
    ['both', () => ({ jwks, jwks_uri: JWKS_URI }), 'jwks_uri is given beside jwks; give one of them'],
    [
      'keys that are no key set',
      () => ({ jwks: [ec.public_jwk] }),
      'jwks is not a JWK Set, an object with the list keys',
    ],
    [
      'a shared secret',
      () => ({ jwks: { keys: [{ kty: 'oct', k: 'AAAA' }] } }),
      'jwks has a key that is not usable: keys[0] is a shared secret; only public keys are accepted',
    ],
    [
      'an address in the own network',
      () => ({ jwks_uri: 'https://10.0.0.1/' }),
      'jwks_uri names an IP address instead of a host',
    ],
    [
      'another algorithm',
      () => ({ jwks, token_endpoint_auth_signing_alg: 'HS256' }),
      'token_endpoint_auth_signing_alg is not one of RS256, PS256, ES256, EdDSA, Ed25519',
    ],
    [
      'client_secret_jwt',
      () => ({ token_endpoint_auth_method: 'client_secret_jwt' }),
      'client_secret_jwt is not supported, since secrets are stored hashed: use private_key_jwt',
    ],
    [
      'an unknown method',
      () => ({ token_endpoint_auth_method: 'tls_client_auth' }),
      'token_endpoint_auth_method must be one of none, client_secret_basic, client_secret_post, private_key_jwt',
    ],
  ])('refused: %s', async (_, fields, error_description) => {
    const { w } = await start()
    const { status, body } = await register(w, { ...keyed, ...fields() })
    expect([status, body]).toEqual([400, { error: 'invalid_client_metadata', error_description }])
  })

  it.each(['private_key_jwt', 'client_secret_jwt'])('refused as ever where it is off: %s', async (method) => {
    const w = await world({ oidc: { clients: { registration: { enabled: true } } } })
    const { body } = await register(w, { ...keyed, token_endpoint_auth_method: method, jwks })
    expect(body).toEqual({
      error: 'invalid_client_metadata',
      error_description:
        'token_endpoint_auth_method must be one of none, client_secret_basic, client_secret_post',
    })
  })
})

it('an exported client with keys is imported with its keys, and without a secret', async () => {
  const { settings } = parseConfig({ issuer: ISSUER, ...oidc })
  const realm = createRealm('default', settings)
  const record = await client({ client_id: 'keyed', token_endpoint_auth_method: 'private_key_jwt', jwks })
  const options = { realm, unknown_secret_hash: sha256('unknown') }
  expect(importedClient({ ...record }, options)).toEqual({ client: record })
  const by_address = { ...record, jwks: null, jwks_uri: JWKS_URI, token_endpoint_auth_signing_alg: 'PS256' }
  expect(importedClient(by_address, options)).toEqual({ client: by_address })
  expect(importedClient({ ...record, jwks: { keys: [{ kty: 'oct' }] } }, options)).toMatchObject({
    faults: [{ field: 'jwks' }],
  })
})
