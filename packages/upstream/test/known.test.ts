import { describe, expect, it } from 'vitest'
import { isIssuerOf } from '../src/known.js'

const TENANT = '72f988bf-86f1-41af-91ab-2d7cd011db47'
const microsoft = (name: string) => `https://login.microsoftonline.com/${name}/v2.0`

describe('a link is of the settings', () => {
  it.each([
    ['an OpenID provider', { type: 'oidc', issuer: 'https://a.example' }, 'https://a.example', true],
    ['another issuer', { type: 'oidc', issuer: 'https://a.example' }, 'https://b.example', false],
    ['one tenant of Microsoft', { type: 'oidc', issuer: microsoft(TENANT) }, microsoft('other'), false],
    ['many tenants', { type: 'oidc', issuer: microsoft('common') }, microsoft(TENANT), true],
    ['many tenants, another host', { type: 'oidc', issuer: microsoft('common') }, 'https://a.example', false],
    [
      'Apple, in its other spelling',
      { type: 'oidc', issuer: 'https://account.apple.com' },
      'https://appleid.apple.com',
      true,
    ],
    ['GitHub', { type: 'github' }, 'https://github.com', true],
    ['GitHub, another', { type: 'github' }, 'https://a.example', false],
  ])('%s', (...[, settings, issuer, expected]) => {
    expect(isIssuerOf(settings, issuer)).toBe(expected)
  })
})
