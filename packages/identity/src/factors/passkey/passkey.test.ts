import { personTag, sha256 } from '@ostiary/core'
import { newUserHandle } from '@ostiary/test-kit/authenticators/authenticator'
import { describe, expect, it } from 'vitest'
import { bytesOf } from './base64url.js'
import { type PasskeyData, passkeyDataOf, passkeyFactorId, stateOf, stateText } from './passkey.js'
import { tagOfUserHandle } from './user-handle.js'

const data: PasskeyData = {
  credential_id: 'A'.repeat(22),
  public_key: 'AAAA',
  algorithm: -7,
  backup_eligible: false,
  transports: [],
  aaguid: '00000000-0000-0000-0000-000000000000',
  rp_id: 'id.example',
  user_handle: newUserHandle('Qw'),
}

describe('the id of a factor', () => {
  it('follows from the credential id, and ends with the tag of the user', () => {
    const tag = personTag('user')
    expect(passkeyFactorId(data.credential_id, tag)).toBe(sha256(data.credential_id) + tag)
    expect(passkeyFactorId(data.credential_id, tag)).toHaveLength(45)
    expect(passkeyFactorId('B'.repeat(22), tag)).not.toBe(passkeyFactorId(data.credential_id, tag))
  })
})

describe('the user handle', () => {
  it('is random and ends with the tag', () => {
    const handle = newUserHandle('-_')
    expect(handle).toMatch(/^[\w-]{46}$/)
    expect(tagOfUserHandle(handle)).toBe('-_')
    expect(newUserHandle('-_')).not.toBe(handle)
    expect(new Set(newUserHandle('-_').slice(0, 40)).size).toBeGreaterThan(10)
  })

  it.each([
    ['an empty text', ''],
    ['33 bytes', Buffer.alloc(33, 65).toString('base64url')],
    ['35 bytes', Buffer.alloc(35, 65).toString('base64url')],
    [
      'a tag with another character',
      Buffer.concat([Buffer.alloc(32), Buffer.from('A=')]).toString('base64url'),
    ],
    ['a tag that is no ASCII', Buffer.concat([Buffer.alloc(32), Buffer.from('é')]).toString('base64url')],
    ['padding', `${newUserHandle('Qw')}==`],
    ['another spelling', `${newUserHandle('Qw').slice(0, -1)}x`],
    ['another alphabet', Buffer.alloc(34, 0xfb).toString('base64')],
  ])('of %s has no tag', (_, handle) => {
    expect(tagOfUserHandle(handle)).toBeNull()
  })
})

describe('the state', () => {
  it.each([
    [{ counter: 0, backed_up: false }, '0 0'],
    [{ counter: 4_294_967_295, backed_up: true }, '4294967295 1'],
  ])('%j is %j', (state, text) => {
    expect(stateText(state)).toBe(text)
    expect(stateOf(text)).toEqual(state)
  })

  it.each(['', '1', '1 2', '-1 0', ' 1 0', '1 0 ', '1  0', '12345678901 0', '1 0\n'])(
    '%j is none',
    (text) => {
      expect(stateOf(text)).toBeNull()
    },
  )
})

describe('stored data', () => {
  it('is read from a passkey', () => {
    expect(passkeyDataOf({ kind: 'passkey', data: { ...data } })).toEqual(data)
  })

  it.each([
    ['of another kind', { kind: 'totp' as const }],
    ['without an algorithm', { data: { ...data, algorithm: undefined } }],
    ['with an unknown algorithm', { data: { ...data, algorithm: -47 } }],
    ['without a key', { data: { ...data, public_key: undefined } }],
    ['without BE', { data: { ...data, backup_eligible: 1 } }],
    ['without transports', { data: { ...data, transports: 'usb' } }],
  ])('%s is none', (_, changed) => {
    expect(passkeyDataOf({ kind: 'passkey', data: { ...data }, ...changed })).toBeNull()
  })
})

describe('base64url', () => {
  it.each([
    ['', 0],
    ['AA', 1],
    ['AAA', 2],
    ['AAAA', 3],
    ['-_8', 2],
  ])('%j has %i bytes', (text, length) => {
    expect(bytesOf(text, 3)).toHaveLength(length)
  })

  it.each([
    'A',
    'AB',
    'AA==',
    'AA=',
    '+/8',
    'AA A',
    'AA\n',
    'ÀAAA',
    'AAAAA',
    'AAAAAA',
    'AAAAAAAA',
    7,
    null,
    {},
  ])('%j is none of at most 3 bytes', (text) => {
    expect(bytesOf(text, 3)).toBeNull()
  })
})
