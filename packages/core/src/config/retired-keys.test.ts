import { describe, expect, it } from 'vitest'
import type { OidcConfig } from './config.js'
import { ConfigError } from './config-error.js'
import { parseConfig } from './parse.js'
import type { RealmConfig } from './realm-config.js'
import { RETIRED_KEYS, withoutRetiredKeys } from './retired-keys.js'

const issuer = 'https://id.example.com'

/** A configuration with the value at the path; `*` is the key `mcp` of a map. */
function configWith(path: string, value: unknown): Record<string, unknown> {
  const [, ...steps] = path.split('.')
  return steps.reduceRight<unknown>(
    (inner, step) => ({ [step === '*' ? 'mcp' : step]: inner }),
    value,
  ) as Record<string, unknown>
}

const faultsOf = (parse: () => unknown) => {
  try {
    parse()
  } catch (error) {
    if (error instanceof ConfigError) return error.faults
    throw error
  }
  return []
}
const faultsOfConfig = (config: object) => faultsOf(() => parseConfig({ issuer, ...config } as OidcConfig))

describe('a retired key', () => {
  /** The names in the sentence: each exists, and the old name does not. */
  const ROWS: Record<string, string[]> = {
    'oidc.resources.*.introspection_clients': ['clients'],
    'oidc.dpop.enabled': ['oidc.dpop', '"on"', '"off"'],
    'oidc.dpop.nonce': ['oidc.dpop', '"nonce"', '"on"'],
    'oidc.dpop.max_age': ['300', 'oidc.dpop'],
    'oidc.dpop.max_future': ['60', 'oidc.dpop'],
    'oidc.par.enabled': ['oidc.par', '"allowed"', '"off"'],
    'oidc.par.required': ['oidc.par', '"required"', '"allowed"'],
    'oidc.par.lifetime': ['90', 'oidc.par'],
    'oidc.client_assertion.audience': ['oidc.profile "fapi2"'],
    'oidc.tokens.logout_token': ['120'],
    'oidc.tokens.rotate_confidential': ['oidc.profile "fapi2"'],
    'oidc.clients.metadata_documents.allowed_redirect_schemes': [
      'oidc.clients.registration.allowed_redirect_schemes',
    ],
    'oidc.clients.metadata_documents.allowed_redirect_domains': [
      'oidc.clients.registration.allowed_redirect_domains',
    ],
    'oidc.clients.metadata_documents.allow_loopback': ['oidc.issuer'],
    'oidc.backchannel.allow_insecure': ['oidc.issuer'],
    'oidc.acr.required': ['oidc.acr', '"require"', '"off"'],
    'oidc.acr.in_access_tokens': ['oidc.acr', '"tell"', '"off"'],
    'oidc.tokens.client_access_token_max': [
      'oidc.tokens.access_token',
      'oidc.tokens.id_token',
      'oidc.tokens.client_credentials',
    ],
  }
  const ofCore = Object.entries(ROWS).filter(([path]) => path.startsWith('oidc.'))

  it('has a row here', () => {
    expect(Object.keys(ROWS)).toEqual(Object.keys(RETIRED_KEYS))
  })

  it.each(ofCore)('%s is an error that names %j', (path, names) => {
    const faults = faultsOfConfig(configWith(path, 'a value of before'))
    expect(faults).toEqual([
      { path: path.replace('*', 'mcp'), message: `this key no longer exists: ${RETIRED_KEYS[path]}` },
    ])
    for (const name of names) expect(faults[0]?.message).toContain(name)
  })

  it.each(ofCore)('%s is an error in a realm', (path) => {
    const { override } = parseConfig({ issuer, routes: { realms: 'path' } })
    const overrides = configWith(path, true) as RealmConfig
    const [fault, ...others] = faultsOf(() => override(overrides, 'oidc.realms.acme'))
    expect([fault?.path, others]).toEqual([path.replace('oidc', 'oidc.realms.acme').replace('*', 'mcp'), []])
  })

  it('is reported with the faults of all other keys', () => {
    const dpop = { enabled: true, nonce: 'required', else: 1 }
    const faults = faultsOfConfig({ dpop, tokens: { id_token: 0 }, acces_token: 1 })
    expect(faults.map(({ path }) => path).sort()).toEqual([
      'oidc.acces_token',
      'oidc.dpop',
      'oidc.dpop.enabled',
      'oidc.dpop.nonce',
      'oidc.tokens.id_token',
    ])
  })

  it('changes nothing about other keys', () => {
    const config = {
      dpop: 'on',
      par: 'off',
      resources: { mcp: { scopes: ['a'] } },
      list: [{ enabled: true }],
    }
    expect(withoutRetiredKeys(config, 'oidc')).toEqual({ config, faults: [] })
  })
})

describe('the value of a key that was a group', () => {
  const GROUPS: [key: string, values: string][] = [
    ['dpop', 'off, on or nonce'],
    ['par', 'off, allowed or required'],
    ['acr', 'off, tell or require'],
  ]
  const WRONG = [{}, true, 'yes', null]

  it.each(GROUPS)('oidc.%s: names the values that it may have: %s', (key, values) => {
    for (const value of WRONG) {
      const [fault] = faultsOfConfig({ [key]: value })
      expect(fault?.path).toBe(`oidc.${key}`)
      expect(fault?.message).toContain(values)
    }
  })
})
