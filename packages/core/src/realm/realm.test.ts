import { describe, expect, it } from 'vitest'
import type { OidcConfig } from '../config/config.js'
import { ConfigError } from '../config/config-error.js'
import { parseConfig } from '../config/parse.js'
import { assignmentFault, createRealm } from './create-realm.js'
import { findResource } from './realm.js'

const issuer = 'https://id.example.com'
const realmOf = (config: OidcConfig = {}, id = 'default') =>
  createRealm(id, parseConfig({ issuer, ...config }).settings)
const byPath: OidcConfig = { routes: { realms: 'path' } }

describe('createRealm', () => {
  it.each<[OidcConfig, string, string, string]>([
    [{}, 'default', issuer, ''],
    [byPath, 'acme', `${issuer}/realms/acme`, '/realms/acme'],
  ])('%j: %s has the issuer %s and the path %j', (...[config, id, expected, path]) => {
    const realm = realmOf(config, id)
    expect([realm.id, realm.issuer, realm.urls.issuer, realm.path]).toEqual([id, expected, expected, path])
  })

  it.each<[string, string, string, boolean]>([
    ['', issuer, `${issuer}/realms/acme`, false],
    ['mcp', `${issuer}/mcp`, `${issuer}/realms/acme/mcp`, false],
    ['/mcp', `${issuer}/mcp`, `${issuer}/realms/acme/mcp`, false],
    ['a/b/', `${issuer}/a/b`, `${issuer}/realms/acme/a/b`, false],
    ['https://api.example.com/', 'https://api.example.com/', 'https://api.example.com/', true],
    ['urn:example:queue', 'urn:example:queue', 'urn:example:queue', true],
  ])('the resource %j is %s, or by path %s (external: %s)', (...[key, single, inRealm, external]) => {
    const resources = { [key]: { scopes: ['read'] } }
    expect(realmOf({ resources }).resources).toEqual([
      { key, uri: single, scopes: ['read'], clients: [], external, admit: null, bound_tokens_only: false },
    ])
    expect(realmOf({ ...byPath, resources }, 'acme').resources[0]?.uri).toBe(inRealm)
  })

  it('a resource below the issuer has its path as the key; by path, other paths of the origin are of no realm', () => {
    const resourcesOf = (config: OidcConfig, key: string) =>
      realmOf({ ...config, resources: { [key]: {} } }, 'acme').resources.map(({ uri }) => uri)
    const refusal = 'is below the issuer: write only its path'
    for (const key of [issuer, `${issuer}/mcp`, `${issuer}/realms/acme/mcp`])
      expect(() => resourcesOf({}, key)).toThrow(refusal)
    for (const key of [
      issuer,
      `${issuer}/realms/acme/mcp`,
      `${issuer}/realms/other/mcp`,
      `${issuer}/realms/acme/`,
    ])
      expect(() => resourcesOf(byPath, key)).toThrow(refusal)
    expect(resourcesOf(byPath, `${issuer}/mcp`)).toEqual([`${issuer}/mcp`])
  })

  it('its catalog: the built-in scopes, those that are added, and none that a resource owns', () => {
    const { scopes } = realmOf({
      scopes: {
        reports: { description: 'See your reports' },
        audit: { hidden: true },
        read: { description: 'Read' },
      },
      resources: { mcp: { scopes: ['read', 'openid'] } },
    })
    const builtIn = ['openid', 'profile', 'email', 'address', 'phone', 'offline_access']
    expect([...scopes.realm].sort()).toEqual([...builtIn, 'reports', 'audit'].sort())
    expect([...scopes.hidden].sort()).toEqual(['audit', 'offline_access'])
    expect(scopes.descriptions.get('reports')).toBe('See your reports')
    expect(scopes.descriptions.get('read')).toBe('Read')
    expect(scopes.descriptions.get('openid')).toBe('Know who you are')
    expect(scopes.descriptions.has('audit')).toBe(false)
  })

  it.each<[string, OidcConfig['clients']]>([
    ['oidc.clients.default_scopes: there is no scope "unheard"', { default_scopes: ['unheard'] }],
    ['oidc.clients.optional_scopes: there is no scope "unheard"', { optional_scopes: ['openid', 'unheard'] }],
  ])('an assigned scope must exist: %s', (message, clients) => {
    const parse = () => realmOf({ clients })
    expect(parse).toThrow(ConfigError)
    expect(parse).toThrow(message)
  })
})

describe('findResource: what a resource parameter names', () => {
  const resources = {
    mcp: { scopes: ['read'] },
    'https://api.example.com/': { scopes: [] },
    'urn:example:Queue': { scopes: [] },
  }
  const realm = realmOf({ resources })

  it.each<[string, string | null]>([
    [`${issuer}/mcp`, `${issuer}/mcp`],
    ['HTTPS://ID.EXAMPLE.COM/mcp', `${issuer}/mcp`],
    ['https://api.example.com', 'https://api.example.com/'],
    ['https://API.example.com/', 'https://api.example.com/'],
    ['urn:example:Queue', 'urn:example:Queue'],
    [issuer, issuer],
    [`${issuer}/`, issuer],
    ['urn:example:queue', null],
    [`${issuer}/mcp/`, null],
    [`${issuer}/MCP`, null],
    [`${issuer}/other`, null],
    ['mcp', null],
    ['', null],
    [`${issuer}/mcp#x`, null],
    ['https://api.example.com.evil.com', null],
  ])('%j: %j', (name, uri) => {
    expect(findResource(realm, name)?.uri ?? null).toBe(uri)
  })

  it('the issuer is not a configured resource, unless the empty key makes it one', () => {
    expect(findResource(realm, issuer)?.resource).toBeNull()
    const root = realmOf({ resources: { '': { scopes: ['admin'] } } })
    expect(findResource(root, issuer)?.resource?.scopes).toEqual(['admin'])
  })
})

describe('assignmentFault', () => {
  const realm = realmOf({
    resources: {
      mcp: { scopes: ['read'] },
      '': { scopes: ['admin'] },
      'https://api.example.com': { scopes: ['api'] },
    },
    scopes: { reports: {} },
  })

  it.each<[string]>([
    ['*'],
    ['openid'],
    ['offline_access'],
    ['reports'],
    ['mcp read'],
    [`${issuer}/mcp read`],
    [`${issuer} admin`],
    ['https://api.example.com api'],
  ])('%s is accepted', (entry) => {
    expect(assignmentFault(realm, [entry])).toBeNull()
  })

  it.each([
    ['unheard', 'there is no scope "unheard"'],
    ['read', 'read is owned by the resource "mcp": write "mcp read"'],
    ['admin', `admin is owned by the resource "": write "${issuer} admin"`],
    ['files read', 'there is no resource "files"'],
    ['mcp write', 'the resource "mcp" has no scope "write"'],
    ['mcp openid', 'the resource "mcp" has no scope "openid"'],
  ])('%s is refused: %s', (entry, fault) => {
    expect(assignmentFault(realm, ['openid', entry])).toBe(fault)
  })
})
