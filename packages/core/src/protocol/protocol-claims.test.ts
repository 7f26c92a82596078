import { describe, expect, it } from 'vitest'
import { isProtocolClaim, withoutProtocolClaims } from './protocol-claims.js'

const PROTOCOL = [
  'sub',
  'iss',
  'aud',
  'exp',
  'iat',
  'nbf',
  'jti',
  'nonce',
  'at_hash',
  'c_hash',
  'auth_time',
  'azp',
  'acr',
  'amr',
  'sid',
]
const ACCESS_TOKEN = ['client_id', 'scope', 'act', 'may_act', 'cnf', 'authorization_details', 'events']

describe('withoutProtocolClaims', () => {
  it.each(PROTOCOL)('drops %s', (name) => {
    for (const target of ['id_token', 'userinfo', 'access_token'] as const)
      expect(withoutProtocolClaims({ [name]: 'x', name: 'Alice' }, target)).toEqual({ name: 'Alice' })
  })

  it.each(ACCESS_TOKEN)('drops %s of an access token, where a resource server decides by it', (name) => {
    expect(withoutProtocolClaims({ [name]: 'x', name: 'Alice' }, 'access_token')).toEqual({ name: 'Alice' })
    expect(withoutProtocolClaims({ [name]: 'x' }, 'id_token')).toEqual({ [name]: 'x' })
  })

  it('keeps everything else, null too, and drops what is undefined', () => {
    const kept = {
      name: 'Alice',
      email_verified: false,
      nickname: null,
      roles: ['a'],
      groups: ['b'],
      entitlements: ['c'],
      SUB: 'x',
    }
    for (const target of ['userinfo', 'access_token'] as const) {
      const claims = withoutProtocolClaims({ ...kept, gone: undefined }, target)
      expect(claims).toEqual(kept)
      expect('gone' in claims).toBe(false)
    }
  })
})

it('isProtocolClaim: what the configuration must not name', () => {
  expect([...PROTOCOL, ...ACCESS_TOKEN].filter((name) => !isProtocolClaim(name))).toEqual([])
  expect(['groups', 'roles', 'email', 'constructor'].filter(isProtocolClaim)).toEqual([])
})
