import { describe, expect, it } from 'vitest'
import { withoutProtocolClaims } from './id-token.js'

describe('withoutProtocolClaims', () => {
  it.each([
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
  ])('drops %s', (name) => {
    expect(withoutProtocolClaims({ [name]: 'x', name: 'Alice' })).toEqual({ name: 'Alice' })
  })

  it('keeps everything else, null too, and drops what is undefined', () => {
    const kept = {
      name: 'Alice',
      email_verified: false,
      nickname: null,
      roles: ['a'],
      SUB: 'x',
      client_id: 'y',
    }
    const claims = withoutProtocolClaims({ ...kept, gone: undefined })
    expect(claims).toEqual(kept)
    expect('gone' in claims).toBe(false)
  })
})
