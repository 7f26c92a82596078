/** What doctor says about clients that DPoP, pushed requests and the profile fapi2 refuse, or that have no effect without them. */

import type { Client, OidcConfig } from '@ostiary/core'
import { memoryStorage } from '@ostiary/core/memory'
import { clientRecord } from '@ostiary/test-kit/client-record'
import { describe, expect, it } from 'vitest'
import { checkStoredClients } from '../src/doctor/stored-clients.ts'
import { configure, FILE, faults } from './support.ts'

const configured = (oidc: OidcConfig) => configure({ app: FILE.app, oidc })

describe('clients of the configuration', () => {
  it('a client of the configuration that the profile forbids is a fault of the configuration', async () => {
    const clients = [
      { client_id: 'app', redirect_uris: ['https://app.example.com/cb'] },
      {
        client_id: 'server',
        client_secret: 'x'.repeat(40),
        require_pkce: false,
        redirect_uris: ['http://a.example.com/cb'],
      },
    ]
    expect(await faults({ app: FILE.app, oidc: { profile: 'fapi2' }, clients })).toEqual([
      expect.stringContaining('clients.0.token_endpoint_auth_method: oidc.profile "fapi2" permits'),
      expect.stringContaining('clients.1.token_endpoint_auth_method: oidc.profile "fapi2" permits'),
      expect.stringContaining('clients.1.redirect_uris: "http://a.example.com/cb" is http'),
      expect.stringContaining('clients.1.require_pkce: oidc.profile "fapi2" requires PKCE'),
    ])
  })
})

describe('stored clients', () => {
  const ec = { kty: 'EC', crv: 'P-256', x: 'x', y: 'y' }
  const rsa = { kty: 'RSA', n: 'n', e: 'AQAB' }
  const keys = { token_endpoint_auth_method: 'private_key_jwt', redirect_uris: [] as string[] } as const
  const good = clientRecord({ ...keys, client_id: 'good', jwks: { keys: [ec, { ...rsa, alg: 'RS256' }] } })
  const by_address = { ...good, client_id: 'by-address', jwks: null, jwks_uri: 'https://a.example.com/jwks' }

  async function found(oidc: OidcConfig, clients: Client[]): Promise<string[]> {
    const storage = memoryStorage()
    for (const client of clients) await storage('default').clients.create(client)
    const findings = await checkStoredClients(await configured(oidc), storage)
    for (const { check, status, advice } of findings)
      expect([check, status, advice]).toEqual(['clients', 'note', expect.stringMatching(/\.$/)])
    return findings.map(({ message }) => message)
  }

  it.each<[string, Partial<Client>, string]>([
    [
      'a public one',
      { token_endpoint_auth_method: 'none', jwks: null },
      'in realm default: oidc.profile refuses public clients: app',
    ],
    [
      'one with a secret',
      { token_endpoint_auth_method: 'client_secret_basic', client_secret_hash: 'hash', jwks: null },
      'in realm default: oidc.profile refuses clients with a secret: app',
    ],
    [
      'one with keys for RS256 alone',
      { jwks: { keys: [{ ...rsa, alg: 'RS256' }] } },
      'in realm default: oidc.profile refuses clients whose keys are for RS256 alone: app',
    ],
    [
      'one with an http redirect URI',
      { redirect_uris: ['http://127.0.0.1/cb', 'http://a.example.com/cb'] },
      'in realm default: oidc.profile refuses http redirect URIs except those of the loopback: app',
    ],
    [
      'one that may leave out PKCE',
      { require_pkce: false },
      'in realm default: oidc.profile requires PKCE, which clients were allowed to leave out: app',
    ],
  ])('%s is a note with the profile, and nothing without it', async (_, fields, message) => {
    const clients = [good, by_address, { ...good, client_id: 'app', ...fields }]
    expect(await found({ profile: 'fapi2' }, clients)).toEqual([message])
    expect(await found({ clients: { private_key_jwt: true } }, clients)).toEqual([])
    expect(await found({ profile: 'fapi2' }, [{ ...good, ...fields, revoked_at: 1 }])).toEqual([])
  })

  it('fields without effect are a note: of bound tokens, and of pushed requests', async () => {
    const strict = {
      ...good,
      dpop_bound_access_tokens: true,
      require_pushed_authorization_requests: true,
    }
    expect(await found({}, [strict])).toEqual([
      expect.stringMatching(/^in realm default: dpop_bound_access_tokens has no effect .*: good$/),
      expect.stringMatching(
        /^in realm default: require_pushed_authorization_requests has no effect .*: good$/,
      ),
    ])
    expect(await found({ dpop: 'on', par: 'allowed' }, [strict])).toEqual([])
  })

  it('an algorithm that the realm does not have is a note', async () => {
    const signed = { ...good, id_token_signed_response_alg: 'EdDSA' as const }
    expect(await found({}, [signed])).toEqual([
      'in realm default: id_token_signed_response_alg is not in oidc.keys.algorithms: good',
    ])
    expect(await found({ keys: { algorithms: ['RS256', 'EdDSA'] } }, [signed, good])).toEqual([])
  })

  it('names some of many, of all pages', async () => {
    const clients = Array.from({ length: 1002 }, (_, n) => clientRecord({ client_id: `app-${1000 + n}` }))
    expect(await found({ profile: 'fapi2' }, clients)).toEqual([
      'in realm default: oidc.profile refuses public clients: app-1000, app-1001, app-1002, app-1003, app-1004 and 997 more',
    ])
  })
})
