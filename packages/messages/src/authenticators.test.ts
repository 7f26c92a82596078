import { describe, expect, it } from 'vitest'
import { authenticatorName } from './authenticators.js'

describe('the name of an authenticator', () => {
  it.each([
    ['ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4', 'Google Password Manager'],
    ['fbfc3007-154e-4ecc-8c0b-6e020557d7bd', 'iCloud Keychain'],
    ['00000000-0000-0000-0000-000000000000', null],
    ['constructor', null],
    ['', null],
  ])('of %j is %j', (aaguid, name) => {
    expect(authenticatorName(aaguid)).toBe(name)
  })
})
