/** createResourceServer refuses invalid options, and names every fault. */

import { describe, expect, it } from 'vitest'
import { createResourceServer, metadataUrl, type ResourceServerOptions } from '../src/index.js'
import { ISSUER, RESOURCE, SILENT, seen } from './support.js'

const make = (more: object = {}) =>
  createResourceServer({ issuer: ISSUER, resource: RESOURCE, ...more } as ResourceServerOptions<never, never>)
const introspection = { client_id: RESOURCE, client_secret: 's' }

describe('Options that are refused, with what to do', () => {
  it.each<[string, object, RegExp]>([
    ['no issuer', { issuer: undefined }, /issuer: give the URL/],
    ['an issuer over plain http', { issuer: 'http://id.example.com' }, /issuer: .*https/],
    ['an issuer whose name begins with localhost', { issuer: 'http://localhost.example.com' }, /issuer: /],
    ['an issuer with a query', { issuer: `${ISSUER}?tenant=1` }, /issuer: .*without query/],
    ['an issuer with a fragment', { issuer: `${ISSUER}#` }, /issuer: /],
    ['an issuer with a password', { issuer: 'https://a:b@id.example.com' }, /issuer: /],
    ['a resource that is not a URL', { resource: 'notes' }, /resource: give the URL/],
    ['a resource with a quote', { resource: 'https://api.example.com/"' }, /resource: /],
    ['an unknown mode', { mode: 'opaque' }, /mode: give 'jwks'/],
    ['introspection without credentials', { mode: 'introspection' }, /needs client_id and client_secret/],
    ['credentials that are not used', { mode: 'jwks', introspection }, /leave it out/],
    ['an empty secret', { introspection: { ...introspection, client_secret: '' } }, /client_secret: give/],
    ['introspection without a secret and a key', { introspection: { client_id: RESOURCE } }, /one of them/],
    [
      'a secret beside a key',
      { introspection: { ...introspection, private_key: { kty: 'EC', alg: 'ES256', d: 'd' } } },
      /client_secret or private_key, one of them/,
    ],
    ...[{ kty: 'EC', d: 'd' }, { kty: 'EC', alg: 'ES256' }, { kty: 'oct', alg: 'HS256', d: 'd' }, null].map(
      (private_key): [string, object, RegExp] => [
        `the private key ${JSON.stringify(private_key)}`,
        { introspection: { client_id: RESOURCE, private_key } },
        /private_key: give a private JWK with alg/,
      ],
    ),
    [
      'an unknown method',
      { introspection: { ...introspection, token_endpoint_auth_method: 'none' } },
      /client_secret_post/,
    ],
    [
      'a cache without time limit',
      { introspection: { ...introspection, cache_seconds: 3600 } },
      /cache_seconds: .* 0 to 300/,
    ],
    ['a cache of size 0', { introspection: { ...introspection, cache_entries: 0 } }, /cache_entries: /],
    [
      'a token cache without local verification',
      { mode: 'introspection', introspection, token_cache: {} },
      /cache_seconds/,
    ],
    [
      'algorithms without local verification',
      { mode: 'introspection', introspection, algorithms: ['ES256'] },
      /algorithms: /,
    ],
    ['a token cache of a day', { token_cache: { seconds: 86_400 } }, /token_cache\.seconds: /],
    ['a token cache of half an entry', { token_cache: { entries: 0.5 } }, /token_cache\.entries: /],
    ['alg none', { algorithms: ['none'] }, /algorithms: list RS256/],
    ['HS256', { algorithms: ['RS256', 'HS256'] }, /algorithms: /],
    ['no algorithm', { algorithms: [] }, /algorithms: /],
    ['a tolerance of an hour', { clock_tolerance: 3600 }, /clock_tolerance: .* 0 to 300/],
    ['a tolerance below zero', { clock_tolerance: -1 }, /clock_tolerance: /],
    ['a realm that splits the header', { realm: 'a\r\nb' }, /realm: /],
    ['a scope with a space', { scopes_supported: ['read write'] }, /scopes_supported: /],
    ['a document without host', { resource_metadata: '/doc' }, /resource_metadata: /],
    ['a time limit of 0', { timeout_seconds: 0 }, /timeout_seconds: /],
    ['keys that never expire', { jwks: { max_age: 1e9 } }, /jwks\.max_age: /],
    ['stale keys that never expire', { jwks: { stale_if_error: 1e9 } }, /jwks\.stale_if_error: /],
    ['a refetch at each token', { jwks: { refetch_interval: 0 } }, /jwks\.refetch_interval: /],
    ['a user that is no function', { user: {} }, /user: give a function/],
    [
      'a misspelled handler of refusals',
      { on_refuse: () => {} },
      /on_refuse: there is no such option, did you mean on_refused\?/,
    ],
    [
      'a short name',
      { scopes: ['read'] },
      /scopes: there is no such option, did you mean scopes_supported\?/,
    ],
    ['a handler that is no function', { on_refused: 'log' }, /on_refused: give a function/],
    ['a clock that is no function', { now: 1 }, /now: give a function/],
    ['a fetch that is no function', { fetch: 'x' }, /fetch: give a function/],
    [
      'an unknown key of jwks',
      { jwks: { maxage: 60 } },
      /jwks\.maxage: there is no such option, did you mean max_age\?/,
    ],
    ['an unknown option', { audience: 'x' }, /audience: there is no such option$/],
  ])('%s', (_, more, fault) => {
    expect(() => make(more)).toThrow(fault)
    expect(() => make(more)).toThrow(TypeError)
  })

  it('several faults in one error', () => {
    expect(() => make({ issuer: '', clock_tolerance: 'x', algorithms: 'RS256' })).toThrow(
      /issuer: [\s\S]*algorithms: [\s\S]*clock_tolerance: /,
    )
  })
})

it.each([
  'http://localhost:3000',
  'http://127.0.0.1:3000',
  'http://[::1]:3000',
  'https://id.example.com/realms/acme',
])('an issuer may be %s', (issuer) => {
  expect(make({ issuer }).metadata().authorization_servers).toEqual([issuer])
})

describe.each(['issuer', 'resource'])('plain http is for loopback hosts only: %s', (name) => {
  it.each([
    'http://127.evil.example',
    'http://127.0.0.1.evil.example',
    'http://127-0-0-1.evil.example',
    'http://localhost.evil.example',
    'http://evil.example/127.0.0.1',
    'http://evil.example:127',
    'http://128.0.0.1',
    'http://0.0.0.0',
    'http://[::2]',
    'http://[::ffff:192.0.2.1]',
  ])('%s is refused', (url) => {
    expect(() => make({ [name]: url })).toThrow(new RegExp(`${name}: .*https`))
  })

  it.each(['http://127.0.0.1:3000', 'http://127.1.2.3', 'http://localhost', 'http://[::1]'])(
    '%s is accepted',
    (url) => {
      expect(() => make({ [name]: url })).not.toThrow()
    },
  )
})

it.each([
  ['https://api.example.com', 'https://api.example.com/.well-known/oauth-protected-resource'],
  ['https://api.example.com/', 'https://api.example.com/.well-known/oauth-protected-resource'],
  ['https://api.example.com:8443/v1', 'https://api.example.com:8443/.well-known/oauth-protected-resource/v1'],
  ['https://api.example.com/v1/', 'https://api.example.com/.well-known/oauth-protected-resource/v1/'],
  ['https://api.example.com/v1?a=b', 'https://api.example.com/.well-known/oauth-protected-resource/v1?a=b'],
])('the document of %s is at %s', async (resource, document) => {
  expect(metadataUrl(resource)).toBe(document)
  const server = make({ resource })
  expect((await server.handle(new Request(document))?.json())?.resource).toBe(resource)
  expect(server.handle(new Request(`${document}x`))).toBeNull()
})

it.each([
  [ISSUER, 'default'],
  [`${ISSUER}/realms/acme`, 'acme'],
])('the challenges of an API of %s name the realm %s, unless another is given', async (issuer, realm) => {
  const silent = await seen(await make({ issuer }).authenticate(new Request(RESOURCE)))
  expect(JSON.stringify(silent)).toContain(`realm=\\"${realm}\\"`)
  const named = await make({ issuer, realm: 'notes' }).authenticate(new Request(RESOURCE))
  expect(JSON.stringify(await seen(named))).toContain('realm=\\"notes\\"')
})

it('the document may have another URL, and is then served there', async () => {
  const resource_metadata = 'https://api.example.com/meta.json'
  const server = make({ resource_metadata })
  const [status, body, header] = (await seen(await server.authenticate(new Request(RESOURCE)))) as string[]
  expect([status, body]).toEqual(SILENT.slice(0, 2))
  expect(header).toContain(`resource_metadata="${resource_metadata}"`)
  expect(server.handle(new Request(resource_metadata))?.status).toBe(200)
})
