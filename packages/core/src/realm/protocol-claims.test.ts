import { describe, expect, it } from 'vitest'
import { ACCESS_TOKEN_CLAIMS, PROTOCOL_CLAIMS } from '../../test/protocol-claim-names.js'
import { isProtocolClaim, withoutProtocolClaims } from './protocol-claims.js'

describe('withoutProtocolClaims', () => {
  it.each(PROTOCOL_CLAIMS)('drops %s', (name) => {
    for (const target of ['id_token', 'userinfo', 'access_token'] as const)
      expect(withoutProtocolClaims({ [name]: 'x', name: 'Alice' }, target)).toEqual({ name: 'Alice' })
  })

  it.each(ACCESS_TOKEN_CLAIMS)(
    'drops %s of an access token, where a resource server decides by it',
    (name) => {
      expect(withoutProtocolClaims({ [name]: 'x', name: 'Alice' }, 'access_token')).toEqual({ name: 'Alice' })
      expect(withoutProtocolClaims({ [name]: 'x' }, 'id_token')).toEqual({ [name]: 'x' })
    },
  )

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
  expect([...PROTOCOL_CLAIMS, ...ACCESS_TOKEN_CLAIMS].filter((name) => !isProtocolClaim(name))).toEqual([])
  expect(['groups', 'roles', 'email', 'constructor'].filter(isProtocolClaim)).toEqual([])
})
