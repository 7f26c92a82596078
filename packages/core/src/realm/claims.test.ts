import { describe, expect, it } from 'vitest'
import { STANDARD_CLAIM_NAMES } from '../config/standard-claims.js'
import { standardClaims } from './claims.js'

const everything = Object.fromEntries(STANDARD_CLAIM_NAMES.map((name) => [name, `the ${name}`]))
const account = { sub: 'alice', claims: { ...everything, sub: 'evil', role: 'admin' } }

describe('standardClaims: the standard claims of the granted scopes', () => {
  it.each<[string[], string[]]>([
    [[], []],
    [['openid'], []],
    [['offline_access', 'unheard', 'constructor', '__proto__'], []],
    [['email'], ['email', 'email_verified']],
    [['phone'], ['phone_number', 'phone_number_verified']],
    [['address'], ['address']],
    [
      ['openid', 'phone', 'address'],
      ['phone_number', 'phone_number_verified', 'address'],
    ],
    [
      ['profile'],
      [
        'name',
        'given_name',
        'family_name',
        'middle_name',
        'nickname',
        'preferred_username',
        'profile',
        'picture',
        'website',
        'gender',
        'birthdate',
        'zoneinfo',
        'locale',
        'updated_at',
      ],
    ],
    [['profile', 'email', 'address', 'phone'], [...STANDARD_CLAIM_NAMES]],
  ])('%j', (scopes, names) => {
    expect(standardClaims(account, scopes, 'id_token')).toEqual(
      Object.fromEntries(names.map((name) => [name, `the ${name}`])),
    )
  })

  it('leaves out what is null or missing, and keeps what is merely false, empty or zero', () => {
    const claims = { email: '', email_verified: false, name: null, nickname: undefined, updated_at: 0 }
    expect(standardClaims({ sub: 'alice', claims }, ['profile', 'email'], 'userinfo')).toEqual({
      email: '',
      email_verified: false,
      updated_at: 0,
    })
  })
})
