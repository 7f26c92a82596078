import { describe, expect, it } from 'vitest'
import { parseConfig } from './parse.js'
import type { RealmConfig } from './realm-config.js'

const issuer = 'https://id.example.com'
const settingsOf = (config: RealmConfig) => parseConfig({ issuer, ...config }).settings

describe('the preset mcp', () => {
  it('sets what MCP clients need', () => {
    const { clients, tokens } = settingsOf({ preset: 'mcp' })
    expect(clients).toMatchObject({
      metadata_documents: { enabled: true },
      private_key_jwt: true,
      registration: {
        enabled: true,
        reuse: true,
        unused_lifetime: 86_400,
        allowed_redirect_schemes: ['cursor', 'claude', 'vscode'],
        allowed_redirect_domains: ['*'],
      },
    })
    expect(tokens.refresh_token_grace).toBe(30)
  })

  it('sets no key that is given', () => {
    const { clients, tokens } = settingsOf({
      preset: 'mcp',
      clients: {
        private_key_jwt: false,
        registration: { enabled: false, allowed_redirect_schemes: ['cursor'] },
      },
      tokens: { refresh_token_grace: 0 },
    })
    expect(clients).toMatchObject({
      metadata_documents: { enabled: true },
      private_key_jwt: false,
      registration: { enabled: false, reuse: true, allowed_redirect_schemes: ['cursor'] },
    })
    expect(tokens.refresh_token_grace).toBe(0)
  })

  it('holds for one realm', () => {
    const { settings, override } = parseConfig({ issuer, routes: { realms: 'path' } })
    expect(override({ preset: 'mcp' }, 'oidc.realms.a').clients.metadata_documents.enabled).toBe(true)
    expect(settings.clients.metadata_documents.enabled).toBe(false)
  })

  it('must be one that exists', () => {
    expect(() => settingsOf({ preset: 'none' as 'mcp' })).toThrow('oidc.preset')
  })
})

describe('clients.private_key_jwt', () => {
  it('is on with metadata_documents, unless it is set', () => {
    const clients = { metadata_documents: { enabled: true } }
    expect(settingsOf({ clients }).clients.private_key_jwt).toBe(true)
    expect(settingsOf({ clients: { ...clients, private_key_jwt: false } }).clients.private_key_jwt).toBe(
      false,
    )
  })
})
