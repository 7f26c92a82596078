/** What `explain` adds to a refusal: the records as they are now. */

import type { Client } from '@ostiary/core'
import { expect, it } from 'vitest'
import { auditPlace, textOf, userRecord } from '../../../explain/test/_place.ts'
import { factOf } from '../../src/audit/facts.js'

const client = (changes: Partial<Client> = {}): Client =>
  ({
    client_id: 'notes',
    origin: 'operator',
    redirect_uris: ['https://notes.example.com/callback', 'https://notes.example.com/other'],
    token_endpoint_auth_method: 'client_secret_post',
    token_endpoint_auth_methods: null,
    default_scopes: null,
    optional_scopes: ['openid', 'api read'],
    ...changes,
  }) as Client

const REALM_SCOPES = { default_scopes: ['profile', 'email'], optional_scopes: [] }
const SCOPES =
  'its default_scopes are those of the realm ("profile", "email"), its optional_scopes "openid", "api read"'

it.each([
  [
    'unregistered_redirect_uri',
    {},
    'its redirect_uris are "https://notes.example.com/callback", "https://notes.example.com/other"',
  ],
  ['unregistered_redirect_uri', { redirect_uris: [] }, 'its redirect_uris are none'],
  ['wrong_method', {}, 'it is registered for client_secret_post'],
  [
    'wrong_method',
    { token_endpoint_auth_methods: ['client_secret_basic', 'client_secret_post'] },
    'it is registered for client_secret_basic and client_secret_post',
  ],
  ['unassigned_scope', {}, SCOPES],
  [
    'unassigned_scope',
    { default_scopes: [], optional_scopes: null },
    'its default_scopes are none, its optional_scopes those of the realm (none)',
  ],
  ['closed_resource', {}, `an operator made the client; ${SCOPES}`],
  ['closed_resource', { origin: 'registered' }, 'the client registered itself'],
  ['expired_code', {}, null],
  ['toString', {}, null],
] as [string, Partial<Client>, string | null][])('%s of a client with %o', (reason, changes, fact) => {
  expect(factOf(reason, { client: client(changes), user: null }, REALM_SCOPES)).toBe(fact)
  expect(factOf(reason, { client: null, user: null }, REALM_SCOPES)).toBeNull()
})

it.each([
  [1_800_000_000, 'disabled since 2027-01-15T08:00:00Z'],
  [null, 'the user is enabled again'],
])('disabled of a user with disabled_at %s', (disabled_at, fact) => {
  expect(factOf('disabled', { client: null, user: userRecord({ disabled_at }) }, REALM_SCOPES)).toBe(fact)
  expect(factOf('disabled', { client: null, user: null }, REALM_SCOPES)).toBeNull()
})

it('explain shows it, with the name of the user, the limit, and each advice once', async () => {
  const place = auditPlace()
  await place.users.create(userRecord({ disabled_at: 1_800_000_000 }))
  const refusal = {
    type: 'login.refused',
    sub: 'ann-1',
    client_id: null,
    method: 'password',
    request_id: 'r-1',
  }
  place.emit({ ...refusal, reason: 'throttled', limit: 'account' })
  place.emit({ ...refusal, reason: 'disabled' })
  place.emit({ ...refusal, reason: 'disabled', request_id: 'r-1', method: 'passkey' })
  const text = await textOf(place, 'r-1')
  expect(text).toMatch(/^user ann \(ann-1\)\n/)
  expect(text).toContain('A sign-in was refused (throttled, limit account)')
  expect(text.match(/Stored now: disabled since/g)).toHaveLength(1)
  expect(text.match(/What to do: The user was disabled/g)).toHaveLength(1)
})
