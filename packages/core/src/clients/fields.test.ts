/** The table of client fields: what each row promises to those who read it. */

import { expect, it } from 'vitest'
import { clientInput, clientRecord } from './client-input.ts'
import { ABSENT_FIELDS, CLIENT_FIELD_NAMES, clientFields, fieldsSetBy } from './field-lists.ts'
import { CLIENT_FIELDS } from './fields.ts'

const BARE = clientInput.parse({ client_id: 'app' })

it('an operator who gives only the client_id gets the value for an absent field in every other one', () => {
  const record = clientRecord(BARE, { client_secret_hash: null, now: 0 })
  expect(record).toEqual({ ...ABSENT_FIELDS, client_id: 'app', client_name: 'app' })
  expect(Object.keys(record)).toEqual(CLIENT_FIELD_NAMES)
})

it('a client without a secret is public, and may ask for codes and refresh tokens', () => {
  expect(ABSENT_FIELDS).toMatchObject({
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    require_pkce: null,
    consent_required: true,
    trusted: false,
  })
})

it('an operator may give each field that a client may describe, and its schema has a text', () => {
  const described = CLIENT_FIELD_NAMES.filter((name) => clientFields[name].set_by.length > 0)
  expect(described).toEqual(fieldsSetBy('operator'))
  for (const name of fieldsSetBy('operator'))
    expect([name, CLIENT_FIELDS[name].input.description]).toEqual([name, expect.stringMatching(/\w/)])
})

it('what the provider decides has no input and no option', () => {
  const decided = CLIENT_FIELD_NAMES.filter((name) => clientFields[name].set_by.length === 0)
  expect(decided).toEqual([
    'client_secret_hash',
    'origin',
    'client_id_issued_at',
    'expires_at',
    'revoked_at',
    'not_before',
  ])
  for (const name of decided)
    expect([name, clientFields[name].input, clientFields[name].cli]).toEqual([name, undefined, undefined])
})

it.each([
  'trusted',
  'consent_required',
  'require_pkce',
  'default_scopes',
  'allowed_exchange_audiences',
  'refresh_token_grace',
  'verification_uri_complete',
  'allowed_groups',
  'required_acr',
] as const)('%s belongs to the operator alone', (name) => {
  expect(clientFields[name].set_by).toEqual(['operator'])
})
