import { describe, expect, it } from 'vitest'
import { ConfigError } from './config-error.js'
import { parseConfig } from './parse.js'
import type { RealmConfig } from './realm-config.js'

const issuer = 'https://id.example.com'
const settingsOf = (config: RealmConfig) => parseConfig({ issuer, ...config }).settings
const faultsOf = (config: RealmConfig) => {
  try {
    settingsOf({ profile: 'fapi2', ...config })
  } catch (error) {
    if (error instanceof ConfigError) return error.faults.map(({ path, message }) => `${path}: ${message}`)
    throw error
  }
  return []
}

describe('the profile fapi2', () => {
  it('sets what the FAPI 2.0 Security Profile needs', () => {
    const resources = { 'https://api.example.com/': { scopes: ['pay'] }, mcp: {} }
    const settings = settingsOf({ profile: 'fapi2', resources })
    expect(settings).toMatchObject({
      clients: { private_key_jwt: true },
      dpop: 'on',
      par: 'required',
      keys: { algorithms: ['ES256'] },
      tokens: { authorization_code: 60 },
    })
    expect(Object.values(settings.resources).map(({ dpop }) => dpop)).toEqual(['required', 'required'])
  })

  it('sets no key that is given and permitted', () => {
    const settings = settingsOf({
      profile: 'fapi2',
      dpop: 'nonce',
      keys: { algorithms: ['PS256', 'EdDSA'] },
      tokens: { authorization_code: 30, access_token: 300 },
      resources: { mcp: { dpop: 'required' } },
    })
    expect(settings).toMatchObject({
      dpop: 'nonce',
      par: 'required',
      keys: { algorithms: ['PS256', 'EdDSA'] },
      tokens: { authorization_code: 30, access_token: 300 },
    })
  })

  it.each<[RealmConfig, string, string]>([
    [{ clients: { private_key_jwt: false } }, 'clients.private_key_jwt: false', 'permits true:'],
    [
      { clients: { device_authorization: 'operator' } },
      'clients.device_authorization: "operator"',
      'permits "off":',
    ],
    [
      { clients: { device_authorization: 'documents' } },
      'clients.device_authorization: "documents"',
      'permits "off":',
    ],
    [{ dpop: 'off' }, 'dpop: "off"', 'permits "on" and "nonce":'],
    [{ par: 'off' }, 'par: "off"', 'permits "required":'],
    [{ par: 'allowed' }, 'par: "allowed"', 'permits "required":'],
    [
      { keys: { algorithms: ['ES256', 'RS256'] } },
      'keys.algorithms: ["ES256","RS256"]',
      'permits ES256, PS256 and EdDSA:',
    ],
    [{ tokens: { authorization_code: 61 } }, 'tokens.authorization_code: 61', 'permits at most 60 seconds:'],
    [{ resources: { mcp: { dpop: 'optional' } } }, 'resources.mcp.dpop: "optional"', 'permits "required":'],
  ])('forbids %j: the error names both keys', (config, key, permitted) => {
    expect(faultsOf(config)).toEqual([
      `oidc.${key} is not possible with oidc.profile "fapi2", which ${permitted} remove this key, or the profile`,
    ])
  })

  it('names all keys that it forbids at once', () => {
    expect(faultsOf({ dpop: 'off', tokens: { authorization_code: 90 } })).toHaveLength(2)
  })

  it('is not for the realm of MCP clients, which are public', () => {
    expect(faultsOf({ preset: 'mcp' })).toEqual([
      'oidc.preset: mcp is for public clients, which oidc.profile "fapi2" refuses: remove one of the two, or set them in different realms',
    ])
  })

  it('holds for one realm, and there for the keys that all realms have', () => {
    const config = { issuer, routes: { realms: 'path' }, tokens: { authorization_code: 300 } } as const
    const { settings, override } = parseConfig(config)
    expect([settings.dpop, settings.keys.algorithms]).toEqual(['off', ['RS256']])
    const bank = override({ profile: 'fapi2', tokens: { authorization_code: 60 } }, 'oidc.realms.bank')
    expect([bank.dpop, bank.par, bank.keys.algorithms]).toEqual(['on', 'required', ['ES256']])
    expect(() => override({ profile: 'fapi2' }, 'oidc.realms.bank')).toThrow(
      'oidc.realms.bank.tokens.authorization_code: 300 is not possible with oidc.realms.bank.profile "fapi2"',
    )
  })

  it('must be one that exists', () => {
    expect(() => settingsOf({ profile: 'fapi1' as 'fapi2' })).toThrow('oidc.profile')
  })
})
