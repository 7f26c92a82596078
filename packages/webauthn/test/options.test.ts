import { expect, it } from 'vitest'
import { acceptedCredentials, creationOptions, requestOptions } from '../src/options.js'
import type { PasskeyData } from '../src/passkey.js'

const passkey = (credential_id: string, changed: Partial<PasskeyData> = {}): PasskeyData => ({
  credential_id,
  public_key: 'AAAA',
  algorithm: -7,
  backup_eligible: true,
  transports: ['internal'],
  aaguid: '00000000-0000-0000-0000-000000000000',
  rp_id: 'id.example',
  user_handle: 'handle',
  ...changed,
})

it('asks for a discoverable passkey that checks the user', () => {
  const options = creationOptions({
    challenge: 'challenge',
    rp: { id: 'id.example', name: 'Example' },
    user: { handle: 'handle', name: 'jane', display_name: 'Jane' },
    exclude: [passkey('one')],
    timeout: 300_000,
  })
  expect(options).toEqual({
    challenge: 'challenge',
    rp: { id: 'id.example', name: 'Example' },
    user: { id: 'handle', name: 'jane', displayName: 'Jane' },
    pubKeyCredParams: [-8, -7, -257].map((alg) => ({ type: 'public-key', alg })),
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
    attestation: 'none',
    excludeCredentials: [{ type: 'public-key', id: 'one', transports: ['internal'] }],
    timeout: 300_000,
  })
})

it.each([
  ['no passkeys at a sign-in', [], []],
  [
    'those of the account at a second step',
    [passkey('one')],
    [{ type: 'public-key', id: 'one', transports: ['internal'] }],
  ],
])('names %s', (_, allow, allowCredentials) => {
  expect(requestOptions({ challenge: 'challenge', rp_id: 'id.example', allow, timeout: 300_000 })).toEqual({
    challenge: 'challenge',
    rpId: 'id.example',
    allowCredentials,
    userVerification: 'required',
    timeout: 300_000,
  })
})

it('tells the browser the passkeys that remain for the same RP ID and handle', () => {
  const remaining = [
    passkey('one'),
    passkey('old', { rp_id: 'old.example' }),
    passkey('other', { user_handle: 'x' }),
  ]
  expect(acceptedCredentials(passkey('gone'), remaining)).toEqual({
    rpId: 'id.example',
    userId: 'handle',
    allAcceptedCredentialIds: ['one'],
  })
  expect(acceptedCredentials(passkey('gone'), []).allAcceptedCredentialIds).toEqual([])
})
