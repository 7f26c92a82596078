/** A client's metadata document: which ones are accepted, and what they become. */

import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { parseConfig } from '../src/config/parse.ts'
import { consentedPart } from '../src/features/client-documents/consented-part.ts'
import { clientOfDocument } from '../src/features/client-documents/metadata-document.ts'
import type { Client, OidcConfig } from '../src/index.ts'
import { realmPolicy } from '../src/realm/policy.ts'
import { DocumentError } from '../src/refusals/document-error.ts'
import { clientIdUrlFault } from '../src/util/client-id-url.ts'

const CLIENT_ID = 'https://client.example.com/metadata.json'
const MINIMAL = { client_id: CLIENT_ID, redirect_uris: ['https://client.example.com/callback'] }

let publicKey: JsonWebKey
let privateKey: JsonWebKey
beforeAll(async () => {
  const pair = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, [
    'sign',
    'verify',
  ])
  const { kty, crv, x, y } = await crypto.subtle.exportKey('jwk', pair.publicKey)
  publicKey = { kty: kty ?? '', crv: crv ?? '', x: x ?? '', y: y ?? '' }
  privateKey = await crypto.subtle.exportKey('jwk', pair.privateKey)
})

type Clients = NonNullable<OidcConfig['clients']>

function read(document: unknown, clients: Clients = {}): Client {
  const { settings } = parseConfig({
    issuer: 'https://id.example.com',
    clients: { private_key_jwt: true, ...clients },
  })
  return clientOfDocument(document, CLIENT_ID, { settings, policy: realmPolicy(settings) })
}

/** The reason and the message of the refusal; null when the document is accepted. */
function refusal(document: unknown, clients?: Clients): [string, string] | null {
  try {
    read(document, clients)
    return null
  } catch (error) {
    if (error instanceof DocumentError) return [error.reason, error.message]
    throw error
  }
}

describe('a document', () => {
  it('becomes a client that has nothing but what is read', () => {
    const ignored = {
      scope: 'openid admin',
      application_type: 'native',
      logo_uri: 'https://client.example.com/logo.png',
      client_uri: 'https://client.example.com',
      tos_uri: 'https://client.example.com/tos',
      backchannel_logout_uri: 'https://client.example.com/logout',
      post_logout_redirect_uris: ['https://client.example.com/out'],
      trusted: true,
      consent_required: false,
      default_scopes: ['admin'],
      require_pkce: false,
      verification_uri_complete: true,
      allowed_groups: ['staff'],
      required_acr: '2',
      access_token_lifetime: 999_999_999,
      origin: 'operator',
      not_before: 1_800_000_000,
      jwks_uri: 'http://10.0.0.1/keys',
      token_endpoint_auth_signing_alg: 7,
    }
    expect(read({ ...MINIMAL, client_name: ' The Client ', ...ignored })).toEqual({
      client_id: CLIENT_ID,
      client_secret_hash: null,
      client_name: 'The Client',
      token_endpoint_auth_method: 'none',
      token_endpoint_auth_methods: null,
      token_endpoint_auth_signing_alg: null,
      jwks: null,
      jwks_uri: null,
      id_token_signed_response_alg: null,
      dpop_bound_access_tokens: null,
      require_pushed_authorization_requests: null,
      redirect_uris: MINIMAL.redirect_uris,
      post_logout_redirect_uris: [],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      backchannel_logout_uri: null,
      backchannel_logout_session_required: false,
      allowed_exchange_audiences: [],
      consent_required: true,
      trusted: false,
      allowed_groups: null,
      required_acr: null,
      verification_uri_complete: null,
      default_scopes: null,
      optional_scopes: null,
      require_pkce: null,
      default_resource: null,
      logo_uri: null,
      client_uri: null,
      policy_uri: null,
      tos_uri: null,
      access_token_lifetime: null,
      refresh_token_lifetime: null,
      refresh_token_grace: null,
      origin: 'metadata_document',
      client_id_issued_at: 0,
      expires_at: null,
      revoked_at: null,
      not_before: null,
    })
  })

  it('is shown by its host when it has no name', () => {
    expect(read(MINIMAL).client_name).toBe('client.example.com')
    expect(read({ ...MINIMAL, client_name: null }).client_name).toBe('client.example.com')
  })

  it.each([
    [['authorization_code'], ['authorization_code']],
    [
      ['urn:x', 'refresh_token', 'authorization_code', 'client_credentials', 'authorization_code'],
      ['authorization_code', 'refresh_token'],
    ],
  ])('grant_types %j: %j', (grant_types, expected) => {
    expect(read({ ...MINIMAL, grant_types }).grant_types).toEqual(expected)
  })

  it('may name further response types', () => {
    expect(read({ ...MINIMAL, response_types: ['code id_token', 'code'] }).response_types).toEqual(['code'])
  })

  const folder = new URL('../../../apps/interop/fixtures/', import.meta.url)
  it.each(readdirSync(folder).filter((name) => name.endsWith('.json')))('of a real client: %s', (name) => {
    const document = JSON.parse(readFileSync(new URL(name, folder), 'utf8'))
    const methods = (private_key_jwt: boolean) => {
      const { settings } = parseConfig({ issuer: 'https://id.example.com', clients: { private_key_jwt } })
      const client = clientOfDocument(document, document.client_id, {
        settings,
        policy: realmPolicy(settings),
      })
      return client.token_endpoint_auth_methods ?? [client.token_endpoint_auth_method]
    }
    expect(methods(false)).toEqual(['none'])
    expect(methods(true)).toEqual(name === 'chatgpt.json' ? ['none', 'private_key_jwt'] : ['none'])
  })
})

describe('a document that is refused', () => {
  const redirect = (...redirect_uris: unknown[]) => ({ ...MINIMAL, redirect_uris })
  it.each<[string, unknown, string?]>([
    ['not_json', null],
    ['not_json', []],
    ['not_json', 'text'],
    ['not_json', 7],
    ['client_id_differs', {}],
    ['client_id_differs', { ...MINIMAL, client_id: undefined }],
    ['client_id_differs', { ...MINIMAL, client_id: null }],
    ['client_id_differs', { ...MINIMAL, client_id: [CLIENT_ID] }],
    ['client_id_differs', { ...MINIMAL, client_id: `${CLIENT_ID}/` }],
    ['client_id_differs', { ...MINIMAL, client_id: CLIENT_ID.toUpperCase() }],
    ['client_id_differs', { ...MINIMAL, client_id: CLIENT_ID.replace('metadata', '%6Detadata') }],
    ['contains_secret', { ...MINIMAL, client_secret: 'secret' }, 'it has the member client_secret'],
    ['contains_secret', { ...MINIMAL, client_secret: '' }],
    ['contains_secret', { ...MINIMAL, client_secret_expires_at: 0 }],
    ['invalid_redirect_uri', { ...MINIMAL, redirect_uris: undefined }, 'it names no redirect URI'],
    ['invalid_redirect_uri', redirect()],
    ['invalid_metadata', { ...MINIMAL, redirect_uris: 'https://client.example.com/callback' }],
    ['invalid_metadata', redirect(7)],
    [
      'invalid_redirect_uri',
      redirect(...Array.from({ length: 101 }, (_, index) => `https://client.example.com/${index}`)),
      'it names more than 100 redirect URIs',
    ],
    [
      'invalid_redirect_uri',
      redirect('https://client.example.com/a', 'javascript:alert(1)'),
      'redirect_uris[1] uses the scheme javascript, which is never allowed',
    ],
    ['invalid_redirect_uri', redirect('https://client.example.com/a#b'), 'redirect_uris[0] has a fragment'],
    ['invalid_redirect_uri', redirect('https://a@client.example.com/a'), 'redirect_uris[0] has user-info'],
    ['invalid_redirect_uri', redirect('/callback'), 'redirect_uris[0] is not an absolute URI'],
    [
      'invalid_redirect_uri',
      redirect('https://client.example.com/?code=1'),
      'redirect_uris[0] has the parameter code in its query, which the authorization response adds',
    ],
    [
      'invalid_redirect_uri',
      redirect('cursor://callback'),
      'redirect_uris[0] has a scheme that is not in oidc.clients.registration.allowed_redirect_schemes',
    ],
    ['invalid_metadata', { ...MINIMAL, client_name: '' }, 'client_name is empty'],
    ['invalid_metadata', { ...MINIMAL, client_name: '  ' }],
    ['invalid_metadata', { ...MINIMAL, client_name: 7 }, 'client_name is not a string'],
    ['invalid_metadata', { ...MINIMAL, client_name: 'a\u202eb' }],
    ['invalid_metadata', { ...MINIMAL, client_name: 'a\nb' }],
    ['invalid_metadata', { ...MINIMAL, client_name: '\u3164' }],
    ['invalid_metadata', { ...MINIMAL, client_name: `a${'\u3000'.repeat(40)}b` }],
    ['invalid_metadata', { ...MINIMAL, client_name: '\ud800' }],
    ['invalid_metadata', { ...MINIMAL, client_name: 'a'.repeat(256) }],
    ['unsupported_grant_type', { ...MINIMAL, grant_types: [] }],
    ['unsupported_grant_type', { ...MINIMAL, grant_types: ['client_credentials', 'refresh_token'] }],
    ['invalid_metadata', { ...MINIMAL, grant_types: 'authorization_code' }],
    ['unsupported_grant_type', { ...MINIMAL, response_types: ['id_token'] }],
    ['invalid_metadata', { ...MINIMAL, response_types: { 0: 'code' } }],
    ['invalid_keys', { ...MINIMAL, jwks: 'keys' }],
    ['invalid_keys', { ...MINIMAL, jwks: { keys: [{ kty: 'oct', k: 'c2VjcmV0' }] } }],
  ])('%s: %j', (reason, document, message) => {
    const [actual, text] = refusal(document) ?? []
    expect(actual).toBe(reason)
    if (message !== undefined) expect(text).toBe(message)
  })

  it('may have redirect URIs that the lists of registration allow, and only these', () => {
    const site = redirect('https://other.example/callback')
    const registration = {
      allowed_redirect_schemes: ['vscode'],
      allowed_redirect_domains: ['client.example.com'],
    }
    expect(refusal(MINIMAL, { registration })).toBeNull()
    expect(refusal(redirect('vscode://callback'), { registration })).toBeNull()
    expect(refusal(site, { registration })).toEqual([
      'invalid_redirect_uri',
      'redirect_uris[0] has a host that is not in oidc.clients.registration.allowed_redirect_domains',
    ])
    expect(refusal(redirect('com.example.app:/callback'))).not.toBeNull()
    const apps = { allowed_private_use_schemes: ['com.example.app'] }
    expect(refusal(redirect('com.example.app:/callback'), { registration: apps })).toBeNull()
  })
})

describe('the authentication method', () => {
  const JWKS_URI = 'https://keys.example.com/jwks.json'
  /** The methods of the client, the preferred one first; or the reason of the refusal. */
  function methods(members: object, clients?: Clients): unknown {
    const document = { ...MINIMAL, jwks_uri: JWKS_URI, ...members }
    const refused = refusal(document, clients)
    if (refused) return refused[0]
    const { token_endpoint_auth_method: first, token_endpoint_auth_methods: all } = read(document, clients)
    return all === null ? first : [first, ...all.filter((method) => method !== first)]
  }
  const single = (token_endpoint_auth_method: unknown) => ({ token_endpoint_auth_method })
  const list = (...token_endpoint_auth_methods: unknown[]) => ({ token_endpoint_auth_methods })
  const supported = (...values: unknown[]) => ({ token_endpoint_auth_methods_supported: values })

  it.each<[object, unknown, unknown]>([
    // The document; the methods with private_key_jwt on; with it off.
    [{}, 'none', 'none'],
    [single('none'), 'none', 'none'],
    [single('private_key_jwt'), 'private_key_jwt', 'unsupported_auth_method'],
    [single('client_secret_basic'), 'unsupported_auth_method', 'unsupported_auth_method'],
    [single('client_secret_post'), 'unsupported_auth_method', 'unsupported_auth_method'],
    [single('client_secret_jwt'), 'unsupported_auth_method', 'unsupported_auth_method'],
    [single('tls_client_auth'), 'unsupported_auth_method', 'unsupported_auth_method'],
    [single(''), 'unsupported_auth_method', 'unsupported_auth_method'],
    [single(['none']), 'invalid_metadata', 'invalid_metadata'],
    [list('none'), 'none', 'none'],
    [list('private_key_jwt'), 'private_key_jwt', 'unsupported_auth_method'],
    [list('none', 'private_key_jwt'), ['none', 'private_key_jwt'], 'none'],
    [list('private_key_jwt', 'none'), ['private_key_jwt', 'none'], 'none'],
    [list('none', 'none'), 'none', 'none'],
    [list('tls_client_auth', 'client_secret_basic', 'none'), 'none', 'none'],
    [list('tls_client_auth', 'private_key_jwt'), 'private_key_jwt', 'unsupported_auth_method'],
    [list('client_secret_basic'), 'unsupported_auth_method', 'unsupported_auth_method'],
    [list(), 'unsupported_auth_method', 'unsupported_auth_method'],
    [list(7), 'invalid_metadata', 'invalid_metadata'],
    [{ token_endpoint_auth_methods: 'none' }, 'invalid_metadata', 'invalid_metadata'],
    [supported('none', 'private_key_jwt'), ['none', 'private_key_jwt'], 'none'],
    [{ ...supported('none'), ...list('private_key_jwt') }, 'none', 'none'],
    [
      { ...single('private_key_jwt'), ...list('none', 'private_key_jwt') },
      ['private_key_jwt', 'none'],
      'none',
    ],
    [{ ...single('none'), ...list('none', 'private_key_jwt') }, ['none', 'private_key_jwt'], 'none'],
    [{ ...single('none'), ...list('private_key_jwt') }, 'invalid_metadata', 'invalid_metadata'],
    [{ ...single('private_key_jwt'), ...list('none') }, 'invalid_metadata', 'invalid_metadata'],
    [{ ...single('tls_client_auth'), ...list('tls_client_auth', 'none') }, 'none', 'none'],
    [
      { ...single('client_secret_post'), ...list('client_secret_post', 'none') },
      'unsupported_auth_method',
      'unsupported_auth_method',
    ],
  ])('%j: %j; without assertions %j', (members, on, off) => {
    expect(methods(members)).toEqual(on)
    expect(methods(members, { private_key_jwt: false })).toEqual(off)
  })

  it('needs keys for assertions', () => {
    const none = { jwks_uri: undefined }
    expect(methods({ ...single('private_key_jwt'), ...none })).toBe('unsupported_auth_method')
    expect(methods({ ...list('none', 'private_key_jwt'), ...none })).toBe('none')
    expect(methods({ ...single('private_key_jwt'), ...none, jwks: { keys: [] } })).toBe(
      'unsupported_auth_method',
    )
    expect(methods({ ...single('private_key_jwt'), ...none, jwks: { keys: [publicKey] } })).toBe(
      'private_key_jwt',
    )
    expect(methods({ ...single('private_key_jwt'), jwks: { keys: [publicKey] } })).toBe('invalid_keys')
    // A private key has leaked, whether it is used or not.
    expect(methods({ ...none, jwks: { keys: [privateKey] } })).toBe('invalid_keys')
    expect(methods({ ...none, jwks: { keys: [privateKey] } }, { private_key_jwt: false })).toBe(
      'invalid_keys',
    )
  })

  it('has an algorithm that is supported', () => {
    const alg = (token_endpoint_auth_signing_alg: unknown) => ({
      ...single('private_key_jwt'),
      token_endpoint_auth_signing_alg,
    })
    expect(read({ ...MINIMAL, jwks_uri: JWKS_URI, ...alg('ES256') })).toMatchObject({
      token_endpoint_auth_signing_alg: 'ES256',
      jwks_uri: JWKS_URI,
      jwks: null,
    })
    for (const value of ['none', 'HS256', 'ES512', ''])
      expect(methods(alg(value)), value).toBe('unsupported_auth_method')
    expect(methods(alg(7))).toBe('invalid_metadata')
  })

  it('has keys at an address that may be fetched', () => {
    const keys = (jwks_uri: unknown) => ({ ...single('private_key_jwt'), jwks_uri })
    const addresses = [
      'http://keys.example.com/jwks.json',
      'https://10.0.0.1/jwks.json',
      'https://localhost/jwks.json',
      'https://keys.localhost/jwks.json',
      'ftp://keys.example.com/jwks.json',
      'jwks.json',
    ]
    for (const address of addresses) expect(methods(keys(address)), address).toBe('invalid_keys')
    expect(methods(keys(7))).toBe('invalid_metadata')
    const allowed_hosts = ['client.example.com', '*.keys.example']
    const restricted = { metadata_documents: { enabled: true, allowed_hosts } }
    expect(methods(keys(JWKS_URI), restricted)).toBe('invalid_keys')
    expect(methods(keys('https://a.keys.example/jwks.json'), restricted)).toBe('private_key_jwt')
  })
})

describe('a changed document', () => {
  const redirect = (...redirect_uris: string[]) => ({ redirect_uris })
  const base = redirect('https://a.example/x', 'http://localhost/x')
  it.each<[string, object, object, boolean]>([
    ['the same', base, base, true],
    ['another order', base, redirect('http://localhost/x', 'https://a.example/x'), true],
    ['another path', base, redirect('https://a.example/y', 'http://localhost/y'), true],
    ['another port of the loopback', base, redirect('https://a.example/x', 'http://localhost:8000/x'), true],
    ['another name', base, { ...base, client_name: 'Another' }, true],
    ['fewer grant types', base, { ...base, grant_types: ['authorization_code'] }, true],
    ['a further host', base, redirect(...base.redirect_uris, 'https://b.example/x'), false],
    ['a host less', base, redirect('https://a.example/x'), false],
    ['another host', base, redirect('https://b.example/x', 'http://localhost/x'), false],
    ['another port', base, redirect('https://a.example:8443/x', 'http://localhost/x'), false],
    ['another scheme', base, redirect('http://a.example/x', 'http://localhost/x'), false],
    ['another loopback host', base, redirect('https://a.example/x', 'http://127.0.0.1/x'), false],
    ['another method', base, { ...base, token_endpoint_auth_method: 'private_key_jwt' }, false],
    [
      'a further method',
      base,
      { ...base, token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'] },
      false,
    ],
  ])('%s', (...[, one, other, expected]) => {
    const keys = { jwks_uri: 'https://keys.example.com/jwks.json' }
    const clients = [one, other].map((members) => read({ ...MINIMAL, ...keys, ...members }))
    const [before, after] = clients.map(consentedPart)
    expect(before === after).toBe(expected)
  })

  it('may have other keys', () => {
    const method = { token_endpoint_auth_method: 'private_key_jwt' }
    const [one, other] = ['a', 'b'].map((name) =>
      read({ ...MINIMAL, ...method, jwks_uri: `https://${name}.example.com/keys` }),
    )
    expect(consentedPart(one as Client)).toBe(consentedPart(other as Client))
  })
})

describe('any document', () => {
  const members = [
    'client_id',
    'client_name',
    'redirect_uris',
    'grant_types',
    'response_types',
    'token_endpoint_auth_method',
    'token_endpoint_auth_methods',
    'token_endpoint_auth_methods_supported',
    'token_endpoint_auth_signing_alg',
    'jwks',
    'jwks_uri',
    'client_secret',
    '__proto__',
  ]
  const value = fc.oneof(
    fc.jsonValue({ maxDepth: 3 }),
    fc.subarray(['none', 'private_key_jwt', 'code', 'authorization_code', 'refresh_token']),
    fc.array(fc.webUrl({ withFragments: true, withQueryParameters: true }), { maxLength: 3 }),
    fc.constantFrom('none', 'private_key_jwt', 'https://keys.example.com/a', { keys: [] }),
  )
  const document = fc.dictionary(fc.constantFrom(...members), value, { maxKeys: 6 })

  it('is refused with a reason, or becomes a client that has to be consented to', () => {
    let accepted = 0
    fc.assert(
      fc.property(document, fc.boolean(), (given, isValid) => {
        const base = isValid ? { ...given, ...MINIMAL } : given
        if (refusal(base) !== null) return
        accepted += 1
        const client = read(base)
        expect(client).toMatchObject({ client_id: CLIENT_ID, consent_required: true, trusted: false })
        expect(client).toMatchObject({
          client_secret_hash: null,
          default_scopes: null,
          optional_scopes: null,
        })
        expect(client.redirect_uris.length).toBeGreaterThan(0)
        const methods = client.token_endpoint_auth_methods ?? [client.token_endpoint_auth_method]
        const keys = client.jwks ?? client.jwks_uri
        expect(methods.filter((method) => method !== 'none')).toEqual(keys ? ['private_key_jwt'] : [])
      }),
      { numRuns: 300 },
    )
    expect(accepted).toBeGreaterThan(10)
  })

  it('is read from a URL only that a URL parser leaves as it is', () => {
    const part = fc.constantFrom(
      'a',
      '.',
      '..',
      '/',
      '%2e',
      '@',
      ':',
      '443',
      '#',
      '?',
      '[',
      '::1',
      '127.0.0.1',
      'b.example',
      '\\',
      'É',
      '\t',
    )
    const url = fc.array(part, { maxLength: 8 }).map((parts) => `https://${parts.join('')}`)
    fc.assert(
      fc.property(url, (client_id) => {
        if (clientIdUrlFault(client_id) !== null) return
        const { href, protocol, username, password, search, hash, hostname, pathname } = new URL(client_id)
        expect([href, protocol, username, password, search, hash]).toEqual([
          client_id,
          'https:',
          '',
          '',
          '',
          '',
        ])
        expect(hostname).toMatch(/^(?!.*\.[\d.]*$)[a-z0-9-]+\.[a-z0-9.-]+$/)
        expect(pathname.length).toBeGreaterThan(1)
      }),
      { numRuns: 1000 },
    )
  })
})
