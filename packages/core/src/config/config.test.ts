import { describe, expect, it } from 'vitest'
import { createProvider } from '../provider.js'
import { memoryStorage } from '../storage/memory/memory-storage.js'
import type { OidcConfig } from './config.js'
import { ConfigError } from './config-error.js'
import { parseConfig } from './parse.js'

const issuer = 'https://id.example.com'
/** Keys that no type would let through. */
const loose = (config: unknown) => config as OidcConfig

function faultOf(parse: () => unknown): unknown {
  try {
    parse()
  } catch (error) {
    return error
  }
  return null
}

describe('defaults', () => {
  it('are the documented ones', () => {
    const { settings, realms } = parseConfig({ issuer })
    expect(realms).toEqual({})
    expect(settings).toEqual({
      issuer,
      resources: {},
      scopes: {},
      clients: {
        registration: {
          enabled: false,
          allowed_redirect_schemes: [],
          allowed_private_use_schemes: [],
          allowed_redirect_domains: ['*'],
          reuse: false,
          unused_lifetime: 86_400,
        },
        metadata_documents: { enabled: false, allowed_hosts: ['*'] },
        private_key_jwt: false,
        default_scopes: [],
        optional_scopes: ['*'],
        device_authorization: 'off',
        token_exchange: false,
      },
      auth: { api_guard: 'oidc' },
      routes: { realms: 'single' },
      claims: {},
      claims_supported: expect.arrayContaining(['sub', 'name', 'email']),
      acr_values_supported: ['1', '2'],
      tokens: {
        authorization_code: 60,
        access_token: 900,
        id_token: 3600,
        client_credentials: 3600,
        refresh_token: 1_209_600,
        offline_absolute: 7_776_000,
        pending_authorization: 600,
      },
      acr: 'off',
      dpop: 'off',
      par: 'off',
      session: { absolute_lifetime: 2_592_000 },
      handlers: { userinfo: true, logout: true, introspect: true, revoke: true },
      throttle: { register: 60, registrations_per_day: 10_000, authorize: 60, client_secret: 100 },
      keys: { algorithms: ['RS256'], publish_before: 3600 },
    })
  })

  it('fill a group that is given in part', () => {
    const { settings } = parseConfig({
      issuer,
      tokens: { id_token: 60 },
      clients: { registration: { enabled: true } },
    })
    expect(settings.tokens).toMatchObject({ id_token: 60, access_token: 900 })
    expect(settings.clients).toMatchObject({
      registration: { enabled: true, allowed_redirect_domains: ['*'] },
      optional_scopes: ['*'],
    })
  })
})

describe('issuer', () => {
  it.each([
    ['https://id.example.com', 'https://id.example.com'],
    ['https://id.example.com/', 'https://id.example.com'],
    ['https://ID.example.com:443', 'https://id.example.com'],
    ['https://id.example.com:8443', 'https://id.example.com:8443'],
    ['http://localhost:3000', 'http://localhost:3000'],
    ['http://127.0.0.1:3000', 'http://127.0.0.1:3000'],
    ['http://[::1]:3000', 'http://[::1]:3000'],
    ['http://id.localhost', 'http://id.localhost'],
  ])('%s is taken as the origin %s', (value, origin) => {
    expect(parseConfig({ issuer: value }).settings.issuer).toBe(origin)
  })

  it.each([
    '',
    'id.example.com',
    'https://',
    'ftp://id.example.com',
    'http://id.example.com',
    'http://localhost.evil.com',
    'https://id.example.com/path',
    'https://id.example.com?x',
    'https://id.example.com#x',
    'https://u@id.example.com',
  ])('%j is not a valid issuer', (value) => {
    expect(() => parseConfig({ issuer: value })).toThrow(/^oidc\.issuer: .* is not a valid issuer/)
  })

  it('falls back to app.url, and is missing without', () => {
    expect(parseConfig({}, issuer).settings.issuer).toBe(issuer)
    expect(parseConfig({ issuer }, 'https://app.example.com').settings.issuer).toBe(issuer)
    expect(() => parseConfig({})).toThrow(
      new ConfigError({
        path: 'oidc.issuer',
        message:
          'missing, and app.url is not set either: give the public origin, such as https://id.example.com',
      }),
    )
    expect(() => parseConfig({}, 'app')).toThrow(/is not a valid issuer/)
  })
})

describe('resources', () => {
  it.each(['', 'mcp', '/mcp', 'mcp/', 'a/b/c', 'a.b-c_d~e', 'https://api.example.com', 'urn:example:queue'])(
    'the key %j names a resource',
    (key) => {
      expect(parseConfig({ issuer, resources: { [key]: {} } }).settings.resources).toEqual({
        [key]: { scopes: [], clients: [], dpop: 'optional', closed: false },
      })
    },
  )

  it.each(['a b', 'a//b', '//mcp', '/', 'mcp#x', 'mcp?x', 'https://api.example.com#x', 'a\\b', 'é'])(
    'the key %j does not',
    (key) => {
      expect(() => parseConfig({ issuer, resources: { [key]: { scopes: [] } } })).toThrow(ConfigError)
    },
  )
})

describe('a fault is refused with the path of its key', () => {
  it.each<[string, unknown]>([
    ['oidc.isuer: there is no such key', { isuer: issuer }],
    ['oidc.tokens.acess_token: there is no such key', { tokens: { acess_token: 1 } }],
    ['oidc.clients.registration.on: there is no such key', { clients: { registration: { on: true } } }],
    ['oidc.resources.mcp.scope: there is no such key', { resources: { mcp: { scope: [] } } }],
    ['oidc.tokens.id_token: ', { tokens: { id_token: 0 } }],
    ['oidc.tokens.id_token: ', { tokens: { id_token: 1.5 } }],
    ['oidc.tokens.id_token: ', { tokens: { id_token: '60' } }],
    ['oidc.keys.publish_before: give 0, or 60 and more', { keys: { publish_before: 59 } }],
    ['oidc.tokens.refresh_token_grace: ', { tokens: { refresh_token_grace: -1 } }],
    ['oidc.session.absolute_lifetime: ', { session: { absolute_lifetime: -1 } }],
    ['oidc.clients.registration.enabled: ', { clients: { registration: { enabled: 'yes' } } }],
    [
      'oidc.clients.registration.allowed_redirect_schemes.0: a scheme in lower case',
      { clients: { registration: { allowed_redirect_schemes: ['App:'] } } },
    ],
    ['oidc.clients.default_scopes.0: * belongs in optional_scopes', { clients: { default_scopes: ['*'] } }],
    [
      'oidc.resources.mcp.scopes.1: a scope is printable ASCII',
      { resources: { mcp: { scopes: ['a', 'b c'] } } },
    ],
    ['oidc.routes.realms: ', { routes: { realms: 'host' } }],
    ['oidc.acr_values_supported: ', { acr_values_supported: ['1'] }],
    ['oidc.handlers.userinfo: ', { handlers: { userinfo: 1 } }],
    ['oidc.auth.api_guard: ', { auth: { api_guard: '' } }],
  ])('%s', (message, config) => {
    const parse = () => parseConfig(loose({ issuer, ...(config as object) }))
    expect(parse).toThrow(ConfigError)
    expect(parse).toThrow(message)
  })

  it('the error carries each fault as a record', () => {
    const config = loose({ issuer, tokens: { acess_token: 1 }, claims_supported: [''] })
    const error = faultOf(() => parseConfig(config))
    expect(error).toBeInstanceOf(ConfigError)
    expect((error as ConfigError).faults).toEqual([
      {
        path: 'oidc.claims_supported.0',
        message: expect.stringContaining('give at least'),
      },
      {
        path: 'oidc.tokens.acess_token',
        message: 'there is no such key',
        unknown_key: 'acess_token',
        meant: 'access_token',
      },
    ])
  })

  it('every fault at once, a line for each', () => {
    const config = loose({ issuer: 'x', tokens: { id_token: 0 }, more: 1, other: 2 })
    expect(() => parseConfig(config)).toThrow(
      /^oidc\.issuer: .*\noidc\.tokens\.id_token: .*\noidc\.more: .*\noidc\.other: .*$/,
    )
  })
})

describe('realms', () => {
  const byPath: OidcConfig = { issuer, routes: { realms: 'path' } }

  it('override key by key; a map or a list is replaced as a whole', () => {
    const { override } = parseConfig({
      ...byPath,
      tokens: { id_token: 60, access_token: 30 },
      resources: { mcp: { scopes: ['a'] } },
      scopes: { x: { hidden: true } },
      claims_supported: ['sub', 'name'],
    })
    const settings = override(
      {
        tokens: { id_token: 5 },
        resources: { files: { scopes: ['b'] } },
        scopes: { y: {} },
        claims_supported: ['email'],
      },
      'oidc.realms.acme',
    )
    expect(settings.tokens).toMatchObject({ id_token: 5, access_token: 30, client_credentials: 3600 })
    expect(settings.resources).toEqual({
      files: { scopes: ['b'], clients: [], dpop: 'optional', closed: false },
    })
    expect(settings.scopes).toEqual({ y: { severity: 'normal' } })
    expect(settings.claims_supported).toEqual(['email'])
    expect([settings.issuer, settings.routes.realms]).toEqual([issuer, 'path'])
  })

  it('one does not change another, nor the common settings', () => {
    const { override, settings } = parseConfig(byPath)
    expect(override({ clients: { token_exchange: true } }, 'a').clients.token_exchange).toBe(true)
    expect([override({}, 'b').clients.token_exchange, settings.clients.token_exchange]).toEqual([
      false,
      false,
    ])
  })

  it.each(['issuer', 'routes', 'realms'])('cannot override %s', (key) => {
    const { override } = parseConfig(byPath)
    expect(() => override(loose({ [key]: issuer }), 'oidc.realms.acme')).toThrow(
      new ConfigError({ path: `oidc.realms.acme.${key}`, message: 'a realm cannot override this key' }),
    )
  })

  it('a fault of an override has the path of its realm', () => {
    const { override } = parseConfig(byPath)
    expect(() => override({ tokens: { id_token: 0 } }, 'oidc.realms.acme')).toThrow(
      /^oidc\.realms\.acme\.tokens\.id_token: /,
    )
  })

  it.each(['a', 'A-Z_0.9', '...'])('%s is a realm id', (id) => {
    expect(Object.keys(parseConfig({ ...byPath, realms: { [id]: {} } }).realms)).toEqual([id])
  })

  it.each(['', '.', '..', 'a/b', 'a b', 'é', 'a%'])('%j is not a realm id', (id) => {
    expect(() => parseConfig({ ...byPath, realms: { [id]: {} } })).toThrow(/^oidc\.realms\./)
  })

  it('a single realm is called default', () => {
    expect(() => parseConfig({ issuer, realms: { default: {} } })).not.toThrow()
    expect(() => parseConfig({ issuer, realms: { acme: {} } })).toThrow(
      /^oidc\.realms\.acme: set oidc\.routes\.realms/,
    )
  })
})

describe('the secret', () => {
  const create = (secret: string) => () =>
    createProvider({
      oidc: { issuer },
      secret,
      storage: memoryStorage(),
      accounts: { find: async () => null },
      interactions: { login: async () => new Response(null) },
    })

  it('is refused if it is short or repeats itself', () => {
    expect(create('short')).toThrow('secret (OIDC_SECRET): give at least 32 random characters')
    expect(create('x'.repeat(32))).toThrow(
      'secret (OIDC_SECRET): it repeats few characters: give at least 32',
    )
    expect(create('k8Jq2vX0rN5tYw7ZbC3mLpD9sHfGaEu1Qi')).not.toThrow()
  })
})
