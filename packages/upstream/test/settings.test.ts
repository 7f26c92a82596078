import { generateKeyPairSync } from 'node:crypto'
import { expect, it } from 'vitest'
import { type UpstreamSettings, upstreamFaults } from '../src/index.js'

const OIDC: UpstreamSettings = {
  type: 'oidc',
  issuer: 'https://accounts.google.com',
  client_id: 'ostiary',
  client_secret: 's',
  name: 'Google',
}
const GITHUB: UpstreamSettings = { type: 'github', client_id: 'Iv1', client_secret: 's', name: 'GitHub' }
const COMMON = 'https://login.microsoftonline.com/common/v2.0'
const TENANT = '72f988bf-86f1-41af-91ab-2d7cd011db47'
const pem = (type: 'P-256' | 'P-384') =>
  generateKeyPairSync('ec', { namedCurve: type })
    .privateKey.export({ type: 'pkcs8', format: 'pem' })
    .toString()
const { client_secret, ...WITHOUT_SECRET } = OIDC

it.each<[string, UpstreamSettings]>([
  ['Google', OIDC],
  ['GitHub', GITHUB],
  ['Microsoft with tenants', { ...OIDC, issuer: COMMON, tenants: [TENANT] }],
  ['all tenants', { ...OIDC, issuer: COMMON, tenants: ['*'] }],
  ['one tenant', { ...OIDC, issuer: `https://login.microsoftonline.com/${TENANT}/v2.0` }],
  [
    'Apple',
    {
      ...WITHOUT_SECRET,
      issuer: 'https://appleid.apple.com',
      private_key: pem('P-256'),
      key_id: 'k',
      team_id: 't',
    },
  ],
  ['this machine', { ...OIDC, issuer: 'http://localhost:3000' }],
  [
    'domains',
    {
      ...OIDC,
      domains: ['corp.example'],
      link: 'verified_email',
      authoritative_domains: ['xn--bcher-kva.example'],
    },
  ],
])('takes %s', (_, settings) => {
  expect(upstreamFaults(settings)).toEqual([])
})

it.each<[string, string[], UpstreamSettings]>([
  ['GitHub with an issuer', ['issuer'], { ...GITHUB, issuer: 'https://github.com' }],
  ['no issuer', ['issuer'], { ...GITHUB, type: 'oidc' }],
  ['an issuer that is no URL', ['issuer'], { ...OIDC, issuer: 'google' }],
  ['plain http', ['issuer'], { ...OIDC, issuer: 'http://login.corp.example' }],
  ['a query in the issuer', ['issuer'], { ...OIDC, issuer: 'https://login.corp.example?a=b' }],
  ['no secret', ['client_secret'], WITHOUT_SECRET],
  ['a secret and a key', ['private_key'], { ...OIDC, private_key: pem('P-256') }],
  [
    'a key for GitHub',
    ['private_key'],
    { type: 'github', client_id: 'a', name: 'a', private_key: pem('P-256') },
  ],
  [
    'a key of Apple without its id',
    ['private_key'],
    { ...WITHOUT_SECRET, issuer: 'https://appleid.apple.com', private_key: pem('P-256') },
  ],
  ['another curve', ['private_key'], { ...WITHOUT_SECRET, private_key: pem('P-384') }],
  ['no key', ['private_key'], { ...WITHOUT_SECRET, private_key: 'key' }],
  ['many tenants without a list', ['tenants'], { ...OIDC, issuer: COMMON }],
  ['an empty list of tenants', ['tenants'], { ...OIDC, issuer: COMMON, tenants: [] }],
  ['a name of a tenant', ['tenants'], { ...OIDC, issuer: COMMON, tenants: ['corp.example'] }],
  ['tenants of another provider', ['tenants'], { ...OIDC, tenants: ['*'] }],
  ['verified_email without domains', ['authoritative_domains'], { ...OIDC, link: 'verified_email' }],
  [
    'authoritative domains without a use',
    ['authoritative_domains'],
    { ...OIDC, authoritative_domains: ['corp.example'] },
  ],
  [
    'a domain that is none',
    ['domains', 'domains', 'domains'],
    { ...OIDC, domains: ['Corp.example', '@corp.example', 'com'] },
  ],
])('refuses %s', (_, paths, settings) => {
  expect(upstreamFaults(settings).map(({ path }) => path)).toEqual(paths)
})
