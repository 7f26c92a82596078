/** What `explain` advises where the cause of a refusal is gone. */

import type { AuditRow } from '@ostiary/audit'
import type { Client } from '@ostiary/core'
import { setDisabled, type User } from '@ostiary/identity'
import { expect, it } from 'vitest'
import { newRow } from '../../audit/src/row.ts'
import { mendingOf } from '../src/mended.js'
import { auditPlace, NOW, REALM, storiesOf, textOf, userRecord } from './_place.ts'

const CLIENT = {
  client_id: 'notes',
  token_endpoint_auth_method: 'client_secret_post',
  token_endpoint_auth_methods: null,
  allowed_groups: ['staff'],
  required_acr: 'mfa',
  dpop_bound_access_tokens: true,
} as Client

const COMMON = {
  realm: REALM,
  outcome: 'done',
  actor: 'sub:ann-1',
  sub: 'ann-1',
  client_id: 'notes',
} as const

const refusal = (reason: string): AuditRow =>
  newRow({
    ...COMMON,
    time: NOW,
    type: 'request.refused',
    outcome: 'refused',
    data: { reason, used_method: 'client_secret_basic' },
  })

interface Now {
  client?: Partial<Client>
  user?: Partial<User>
  seconds?: number
  since?: Partial<AuditRow>[]
}

const mended = (reason: string, { client, user, seconds = 0, since = [] }: Now): Promise<string | null> =>
  mendingOf(refusal(reason), async () => ({
    client: { ...CLIENT, ...client },
    user: userRecord(user),
    now: NOW + seconds,
    since: async () =>
      since.map((row) => ({ ...newRow({ ...COMMON, time: NOW, type: 'session.started' }), ...row })),
  }))

const PASSWORD_ROW = { type: 'user.update', data: '{"fields":["password_hash"]}' }

it.each<[reason: string, gone: Now, still: Now, says: RegExp]>([
  ['disabled', {}, { user: { disabled_at: NOW } }, /enabled again, and can sign in/],
  ['no_password', {}, { user: { password_hash: null } }, /has a password now/],
  [
    'wrong_password',
    { since: [{ ...PASSWORD_ROW, actor: 'cli:ann@host' }] },
    // A sign-in that stores another hash of the same password.
    { since: [PASSWORD_ROW] },
    /signs in with it/,
  ],
  ['wrong_password', { since: [{ type: 'account.password_reset' }] }, { since: [{}] }, /signs in with it/],
  ['wrong_password', { since: [{ type: 'account.password_changed' }] }, {}, /signs in with it/],
  [
    'wrong_password',
    { since: [{ type: 'recovery.password_set' }] },
    { since: [{ type: 'account.password_removed' }] },
    /signs in with it/,
  ],
  [
    'wrong_password',
    { since: [{ ...PASSWORD_ROW, actor: 'sub:admin-1' }] },
    { since: [{ type: 'user.update', data: '{"fields":["groups"]}', actor: 'sub:admin-1' }] },
    /signs in with it/,
  ],
  ['throttled', { seconds: 86_401 }, { seconds: 86_400 }, /the limit has ended/],
  ['user_in_no_allowed_group', { user: { groups: ['staff'] } }, { user: { groups: ['guests'] } }, /may use/],
  ['user_in_no_allowed_group', { client: { allowed_groups: null } }, {}, /signs in again/],
  ['sign_in_below_required_acr', { client: { required_acr: null } }, {}, /signs in again/],
  [
    'wrong_method',
    { client: { token_endpoint_auth_method: 'client_secret_basic' } },
    {},
    /sends the request again/,
  ],
  [
    'wrong_method',
    { client: { token_endpoint_auth_methods: ['client_secret_post', 'client_secret_basic'] } },
    { client: { token_endpoint_auth_methods: ['client_secret_post'] } },
    /sends the request again/,
  ],
  ['client_requires_proof', { client: { dpop_bound_access_tokens: null } }, {}, /sends the request again/],
  [
    'revoked_grant',
    { since: [{}, { type: 'code.issued' }] },
    { since: [{}, { type: 'code.issued', client_id: 'other' }] },
    /the new tokens/,
  ],
])('%s: %o mends it, and %o does not', async (...[reason, gone, still, says]) => {
  expect(await mended(reason, gone)).toMatch(/^Mended: .*\.$/)
  expect(await mended(reason, gone)).toMatch(says)
  expect(await mended(reason, still)).toBeNull()
})

it.each([
  'disabled',
  'wrong_method',
  'user_in_no_allowed_group',
  'sign_in_below_required_acr',
  'no_password',
  'client_requires_proof',
])('%s: nothing is known of a record that is gone', async (reason) => {
  const now = { client: null, user: null, now: NOW, since: async () => [] }
  expect(await mendingOf(refusal(reason), async () => now)).toBeNull()
})

it('a reason without a way back, and one that is named as a function of objects', async () => {
  expect(await mended('unknown_key', {})).toBeNull()
  expect(await mended('toString', {})).toBeNull()
})

const SIGN_IN = {
  type: 'login.refused',
  sub: 'ann-1',
  client_id: null,
  method: 'password',
  request_id: 'r-1',
}

it('a user who is enabled again is not to be enabled', async () => {
  const place = auditPlace()
  await place.users.create(userRecord({ disabled_at: NOW }))
  place.emit({ ...SIGN_IN, reason: 'disabled' })
  const adviceOf = async () =>
    (await storiesOf(place, 'r-1')).flatMap(({ steps }) => steps.map(({ advice }) => advice))
  expect(await adviceOf()).toEqual([expect.stringContaining('ostiary user enable')])
  await setDisabled(place.users, { sub: 'ann-1', disabled: false })
  expect(await adviceOf()).toEqual(['Mended: the user is enabled again, and can sign in.'])
})

it('only what came after the refusal, was made, and is of the same user mends a grant', async () => {
  const place = auditPlace()
  const code = (time: number, more: object = {}) => newRow({ ...COMMON, time, type: 'code.issued', ...more })
  await place.store.put([code(NOW)])
  place.emit({
    type: 'request.refused',
    route: 'oidc.token',
    error: 'invalid_grant',
    reason: 'revoked_grant',
    sub: 'ann-1',
    client_id: 'notes',
    request_id: 'r-1',
  })
  await place.audit.flush()
  await place.store.put([code(NOW, { sub: 'bob-1' }), code(NOW, { outcome: 'failed' })])
  const adviceOf = async () => (await storiesOf(place, 'r-1'))[0]?.steps[0]?.advice
  expect(await adviceOf()).toMatch(/^The grant was revoked/)
  await place.store.put([code(NOW)])
  expect(await adviceOf()).toMatch(/^Mended: the user has signed in again/)
})

it('asks about the user of each step: two may have tried in one flow', async () => {
  const place = auditPlace()
  await place.users.create(userRecord())
  const bob = { sub: 'bob-1', username: 'bob', username_key: 'bob', disabled_at: NOW }
  await place.users.create(userRecord(bob))
  place.emit({ ...SIGN_IN, reason: 'disabled' })
  place.emit({ ...SIGN_IN, reason: 'disabled', sub: 'bob-1' })
  const [story] = await storiesOf(place, 'r-1')
  expect(story?.steps.map(({ advice }) => advice)).toEqual([
    expect.stringMatching(/^Mended/),
    expect.stringContaining('ostiary user enable'),
  ])
  expect((await textOf(place, 'r-1')).match(/Stored now: .*/g)).toEqual([
    'Stored now: the user is enabled again',
  ])
})
