import { personTag, sha256 } from '@ostiary/core'
import { newUserHandle } from '@ostiary/test-kit/authenticators/authenticator'
import type { PasskeyData } from '@ostiary/webauthn'
import { describe, expect, it } from 'vitest'
import { passkeyDataOf, passkeyFactorId } from './passkey.js'
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
