/** The faults and defaults of `oidc.claims`. */

import { type ConfigError, createProvider } from '@ostiary/core'
import { memoryStorage } from '@ostiary/core/memory'
import { describe, expect, it } from 'vitest'
import { claimsOf, names, start } from './claims.js'
import { ACCESS_TOKEN_CLAIMS, PROTOCOL_CLAIMS } from './protocol-claim-names.js'
import { type WorldOptions, world } from './support.js'

describe('configuration', () => {
  const create = (oidc: object) =>
    createProvider({
      oidc: { issuer: 'https://id.example.com', ...oidc },
      secret: 'only-for-tests-only-for-tests-only-for-tests',
      storage: memoryStorage(),
      accounts: { find: async () => null },
      interactions: { login: async () => new Response() },
    })
  const faultsOf = (oidc: object) => {
    try {
      create(oidc)
      return []
    } catch (error) {
      return (error as ConfigError).faults.map(({ path, message }) => `${path}: ${message}`)
    }
  }

  it.each([...PROTOCOL_CLAIMS, ...ACCESS_TOKEN_CLAIMS])('%s cannot be the name of a claim', (name) => {
    expect(faultsOf({ claims: { [name]: { attribute: 'a', scopes: ['openid'] } } })).toEqual([
      `oidc.claims.${name}: the provider sets this claim itself: choose another name`,
    ])
  })

  const resources = { files: { scopes: ['read'] } }
  it.each<[object, string]>([
    [{ a: { scopes: ['unheard'] } }, 'oidc.claims.a.scopes: there is no scope "unheard"'],
    [
      { a: { scopes: ['read'] } },
      'oidc.claims.a.scopes: read is owned by the resource "files": write "files read"',
    ],
    [{ a: { scopes: ['mail read'] } }, 'oidc.claims.a.scopes: there is no resource "mail"'],
    [{ a: { scopes: ['*'] } }, 'oidc.claims.a.scopes: name the scopes: * is for optional_scopes only'],
    [{ a: { scopes: [] } }, 'oidc.claims.a.scopes: name at least one scope'],
    [{ a: { scopes: ['openid'], targets: [] } }, 'oidc.claims.a.targets: name at least one target'],
    [
      { a: { scopes: ['openid'], targets: ['logout_token'] } },
      'oidc.claims.a.targets.0: give id_token, userinfo or access_token',
    ],
    [{ a: { scopes: ['openid'], from: 'x' } }, 'oidc.claims.a.from: there is no such key'],
    [
      { 'a b': { scopes: ['openid'] } },
      'oidc.claims.a b: the name of a claim has 1 to 255 printable ASCII characters, and no spaces',
    ],
  ])('%j: %s', (claims, fault) => {
    expect(faultsOf({ resources, claims })).toEqual([fault])
  })

  it('every fault is listed', () => {
    const claims = { sub: { scopes: ['openid'] }, a: { scopes: ['unheard'] }, b: { scopes: ['openid'] } }
    expect(faultsOf({ claims })).toHaveLength(2)
  })

  it('a realm replaces oidc.claims as a whole', async () => {
    const realms = { acme: { claims: { level: { scopes: ['openid'] } } }, other: {} }
    const claims = { department: { scopes: ['openid'] } }
    const w = await start({ claims, routes: { realms: 'path' }, realms }, { routing: 'path' })
    const { id_token } = await claimsOf(w, 'openid')
    expect(names(id_token, ['department', 'level'])).toEqual(['level'])
    const located = await w.provider.locate(new Request('https://id.example.com/realms/other/x'))
    expect(located?.realm.claims).toMatchObject([{ claim: 'department' }])
  })

  it('claims_supported has the names too, unless it is configured', async () => {
    const supported = async (oidc: WorldOptions['oidc']): Promise<string[]> => {
      const w = await world({ ...(oidc && { oidc }) })
      const url = `${w.issuer}/.well-known/openid-configuration`
      return (await (await w.provider.fetch(new Request(url))).json()).claims_supported
    }
    const standard = await supported({})
    const claims = { department: { scopes: ['openid'] }, email: { scopes: ['email'] } }
    expect(await supported({ claims })).toEqual([...standard, 'department'])
    expect(await supported({ scopes: { groups: {} } })).toEqual([...standard, 'groups'])
    expect(await supported({ claims, claims_supported: ['sub'] })).toEqual(['sub'])
  })
})
