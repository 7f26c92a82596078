/** The setting of each reason is one that the sentence of the catalog names. */

import { catalogReasons, clientFields, hintFor } from '@ostiary/core'
import { expect, it } from 'vitest'
import { SETTINGS, settingOf } from '../src/reasons.ts'

it.each(Object.entries(SETTINGS))('%s: the sentence of the catalog names %s', (reason, setting) => {
  const hint = hintFor(reason) ?? ''
  const [kind = '', ...path] = setting.split('.')
  expect(['oidc', 'client']).toContain(kind)
  expect(hint).toContain(kind === 'client' ? (path[0] ?? '') : setting)
  if (kind === 'client') expect(Object.keys(clientFields)).toContain(path[0])
})

it('a request that has to be pushed names what asks for it', () => {
  const { hint } = catalogReasons().get('push_required') ?? { hint: '' }
  const settings = ['required', 'allowed'].map((par) => settingOf('push_required', par))
  expect(settings).toEqual(['oidc.par', 'client.require_pushed_authorization_requests'])
  expect(hint).toContain('oidc.par')
  expect(hint).toContain('require_pushed_authorization_requests')
})

it('no other reason has a setting', () => {
  expect(settingOf('login_required', 'allowed')).toBeNull()
  expect(settingOf('toString', 'allowed')).toBeNull()
})

/** Their sentences name a key of `oidc`, and no request of a simulation has them, or the key does not decide. */
const OTHERS = [
  'ERR_JOSE_ALG_NOT_ALLOWED',
  'authentication_too_old',
  'csrf',
  'dpop_required',
  'expired_auth_token',
  'expired_code',
  'expired_grant',
  'expired_refresh_token',
  'foreign_subject_token',
  'insufficient_acr',
  'missing_nonce',
  'missing_proof',
  'not_a_device_client',
  'passkey_origin',
  'passkey_rp_id',
  'proof_url',
  'realm_limit',
  'reused_refresh_token',
  'share_of_limit',
  'stale_request',
  'unknown_realm',
  'unsupported_grant_type',
  'wrong_issuer',
]

it('each other reason whose sentence names a key of oidc is known', () => {
  const others = [...catalogReasons()].flatMap(([reason, { hint }]) =>
    !(reason in SETTINGS) && reason !== 'push_required' && /\boidc\./.test(hint) ? [reason] : [],
  )
  expect(others.sort()).toEqual([...OTHERS].sort())
})
