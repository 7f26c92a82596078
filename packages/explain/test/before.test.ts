/** What `explain` shows before a refusal whose reason has several causes. */

import type { AuditRow } from '@ostiary/audit'
import { setDisabled, updateUser } from '@ostiary/identity'
import { describe, expect, it } from 'vitest'
import { newRow } from '../../audit/src/row.ts'
import { auditPlace, NOW, REALM, textOf, userRecord } from './_place.ts'

const OF_ANN = { sub: 'ann-1', client_id: 'notes' }
const REFUSED = { type: 'request.refused', route: 'oidc.token', error: 'invalid_grant', ...OF_ANN }
const revokedGrant = (request_id: string) => ({ ...REFUSED, reason: 'revoked_grant', request_id })
const unknownKey = (request_id: string) => ({
  type: 'bearer.refused',
  error: 'invalid_token',
  reason: 'unknown_key',
  request_id,
})

type Events = [seconds: number, event: Record<string, unknown>][]

/** The lines that begin with `Before:`. */
async function told(events: Events, name: string): Promise<string[]> {
  const place = auditPlace({ settings: { keep_days: 365, events: 'all' } })
  for (const [seconds, event] of events) {
    place.at(seconds)
    place.emit(event)
  }
  return linesOf(place, name)
}

async function linesOf(place: ReturnType<typeof auditPlace>, name: string): Promise<string[]> {
  const text = await textOf(place, name)
  const line = /^ {3}Before: (.*?)(?:, by \S+ \(row \w+\))?$/
  return text.split('\n').flatMap((shown: string) => line.exec(shown)?.[1] ?? [])
}

const CONSENT = 'The consent was withdrawn'
const GRANTS = 'What the application had got was revoked'
const KEY = 'A signing key was withdrawn (kid k)'
const NOTHING = 'no cause among the newest 200 rows'

const withdrawn: Events = [
  [0, { type: 'consent.revoked', resource: null, ...OF_ANN }],
  [1, { type: 'grant.revoked', grants: 1, ...OF_ANN }],
]

it.each<[string, Events, string[]]>([
  [
    'a consent that was withdrawn',
    withdrawn,
    [`2025-11-24T16:00:01Z  ${GRANTS}`, `2025-11-24T16:00:00Z  ${CONSENT}`],
  ],
  [
    'a sign-out',
    [
      [0, { type: 'session.ended', sub: 'ann-1', sid: 's', reason: 'logout' }],
      [0, { type: 'grant.revoked', sub: 'ann-1', client_id: null, grants: 2 }],
    ],
    [`2025-11-24T16:00:00Z  ${GRANTS}`, '2025-11-24T16:00:00Z  The session ended (logout)'],
  ],
  [
    'what another user, another client and a sign-in did',
    [
      [0, { type: 'consent.revoked', resource: null, sub: 'bob-1', client_id: 'notes' }],
      [0, { type: 'consent.revoked', resource: null, sub: 'ann-1', client_id: 'other' }],
      [0, { type: 'session.started', sub: 'ann-1', sid: 's', amr: ['pwd'] }],
    ],
    [NOTHING],
  ],
  [
    'the newest three',
    [0, 1, 2, 3].map((seconds) => [seconds, { type: 'grant.revoked', grants: 1, ...OF_ANN }]),
    [3, 2, 1].map((seconds) => `2025-11-24T16:00:0${seconds}Z  ${GRANTS}`),
  ],
])('a revoked grant: %s', async (_name, events, lines) => {
  expect(await told([...events, [10, revokedGrant('r-1')]], 'r-1')).toEqual(lines)
})

it.each<[string, Events, string[]]>([
  ['a key that was withdrawn', [[0, { type: 'key.revoked', kid: 'k' }]], [`2025-11-24T16:00:00Z  ${KEY}`]],
  ['a token of another server', [[0, { type: 'key.retired', kid: 'k' }]], [NOTHING]],
])('an unknown key: %s', async (_name, events, lines) => {
  expect(await told([...events, [10, unknownKey('r-1')]], 'r-1')).toEqual(lines)
})

const DAY = 86_400

it.each([
  [{}, 3600, [`2025-11-24T16:00:00Z  ${KEY}`]],
  [{}, 3601, [NOTHING]],
  [{}, 700 * DAY, [NOTHING]],
  [{ access_token: 7200 }, 7200, [`2025-11-24T16:00:00Z  ${KEY}`]],
  [{ access_token: 7200 }, 7201, [NOTHING]],
  [{ id_token: 7200, access_token: 60 }, 7200, [`2025-11-24T16:00:00Z  ${KEY}`]],
  [{ client_credentials: 7200 }, 7200, [`2025-11-24T16:00:00Z  ${KEY}`]],
])('an unknown key: with %o, a withdrawal %i seconds before', async (tokens, seconds, lines) => {
  const place = auditPlace({ settings: { keep_days: 3650, events: 'all' }, oidc: { tokens } })
  place.emit({ type: 'key.revoked', kid: 'k' })
  await place.audit.flush()
  place.at(seconds)
  place.emit(unknownKey('r-1'))
  expect(await linesOf(place, 'r-1')).toEqual(lines)
})

/** A refusal, and the change that can be its cause. */
const REASONS = [
  ['disabled', 'user.update', 'disabled_at'],
  ['no_password', 'user.update', 'password_hash'],
  ['user_in_no_allowed_group', 'user.update', 'groups'],
  ['user_in_no_allowed_group', 'client.update', 'allowed_groups'],
  ['sign_in_below_required_acr', 'client.update', 'required_acr'],
  ['unregistered_redirect_uri', 'client.store', 'redirect_uris'],
  ['unregistered_redirect_uri', 'client.ensure', 'redirect_uris'],
  ['unregistered_post_logout_redirect_uri', 'client.update', 'post_logout_redirect_uris'],
  ['unauthorized_client', 'client.update', 'grant_types'],
  ['wrong_method', 'client.update', 'token_endpoint_auth_method'],
  ['wrong_method', 'client.update', 'token_endpoint_auth_methods'],
  ['wrong_secret', 'client.rotate_secret', 'client_secret_hash'],
  ['unassigned_scope', 'client.update', 'optional_scopes'],
  ['unassigned_scope', 'client.update', 'default_scopes'],
  ['closed_resource', 'client.update', 'optional_scopes'],
] as const

const SENTENCES: Record<string, string> = {
  'user.update': 'A change of the user',
  'client.update': 'A change of the client',
  'client.store': 'A change of the client',
  'client.ensure': 'A change of the client',
  'client.rotate_secret': 'The client got another secret',
}

const changeOf = (type: string, fields: readonly string[] | null) =>
  newRow({
    realm: REALM,
    time: NOW,
    type,
    outcome: fields === null ? 'begun' : 'done',
    actor: 'cli:ann@host',
    ...(type.startsWith('user.') ? { sub: 'ann-1' } : { client_id: 'notes' }),
    ...(fields && { data: { fields } }),
  })

describe.each(REASONS)('%s, and a %s of %s', (reason, type, member) => {
  const line = `${SENTENCES[type]}: ${member}`
  const refused = { ...REFUSED, reason, request_id: 'r-1' }

  async function toldAfter(...rows: AuditRow[]): Promise<string[]> {
    const place = auditPlace({ settings: { keep_days: 365, events: 'all' } })
    await place.store.put(rows)
    place.at(1)
    place.emit(refused)
    return (await linesOf(place, 'r-1')).map((shown) => shown.slice(22))
  }

  it('names it, whatever else was changed later', async () => {
    const others = [1, 2, 3, 4].map(() => changeOf(type, ['claims', 'client_name']))
    expect(await toldAfter(changeOf(type, [member, 'username']), ...others)).toEqual([`${line}, username`])
    expect(await toldAfter(...others)).toEqual(reason === 'disabled' ? [NOTHING.slice(22)] : [])
  })

  it('names one that has not reported its end, and none that was not made', async () => {
    const begun = (await toldAfter(changeOf(type, null))).join()
    expect(begun).toMatch(/, and it is not known whether that was done$/)
    const failed = { ...changeOf(type, [member]), outcome: 'failed' as const }
    expect(await toldAfter(failed)).toEqual(reason === 'disabled' ? [NOTHING.slice(22)] : [])
  })
})

it('a secret that was replaced', async () => {
  const place = auditPlace({ settings: { keep_days: 365, events: 'all' } })
  const { clients } = await place.provider.manage(REALM)
  await clients.create({
    client_id: 'notes',
    client_secret: 's'.repeat(40),
    grant_types: ['client_credentials'],
  })
  await clients.rotateSecret('notes')
  await clients.update('notes', { client_name: 'Notes' })
  place.at(1)
  const { type, reason } = { type: 'client.authentication_failed', reason: 'wrong_secret' }
  place.emit({ type, reason, client_id: 'notes', used_method: 'client_secret_post', request_id: 'r-1' })
  const lines = await linesOf(place, 'r-1')
  expect(lines.map((line) => line.slice(22))).toEqual([
    expect.stringMatching(/^The client got another secret/),
  ])
})

it('a user who was disabled, enabled and disabled again, and whose rows were erased', async () => {
  const place = auditPlace({ settings: { keep_days: 365, events: 'all' } })
  await place.users.create(userRecord())
  for (const disabled of [true, false, true]) await setDisabled(place.users, { sub: 'ann-1', disabled })
  await updateUser(place.users, { sub: 'ann-1', change: () => ({ username: 'anna' }) })
  place.at(1)
  place.emit({ ...REFUSED, type: 'login.refused', reason: 'disabled', request_id: 'r-1' })
  const told = async () => (await linesOf(place, 'r-1')).map((line) => line.slice(22))
  expect(await told()).toEqual([
    'The user was disabled',
    'The user was enabled again',
    'The user was disabled',
  ])
  await place.store.erase(REALM, 'ann-1')
  expect(await told()).toEqual(Array(3).fill('A change of the user: disabled_at'))
})

it('sign-ins do not hide who disabled the user', async () => {
  const disabled: AuditRow = changeOf('user.update', ['disabled_at'])
  const place = auditPlace({ settings: { keep_days: 365, events: 'all' } })
  await place.store.put([disabled])
  place.at(1)
  for (let n = 0; n < 201; n += 1)
    place.emit({ type: 'session.started', sub: 'ann-1', sid: 's', amr: ['pwd'] })
  place.emit({ ...REFUSED, type: 'login.refused', reason: 'disabled', request_id: 'r-1' })
  expect(await linesOf(place, 'r-1')).toHaveLength(1)
  expect(await linesOf(place, 'r-1')).not.toContain(NOTHING)
})

it.each([
  ['consent.revoke', CONSENT, revokedGrant('r-1')],
  ['key.revoke', KEY, unknownKey('r-1')],
])('names a change by a command: %s', async (type, what, refused) => {
  const place = auditPlace({ settings: { keep_days: 365, events: 'all' } })
  const change = { realm: REALM, time: NOW, type, outcome: 'done', actor: 'cli:ann@host' } as const
  await place.store.put([newRow({ ...change, ...(type === 'key.revoke' ? { data: { kid: 'k' } } : OF_ANN) })])
  place.at(1)
  place.emit(refused)
  expect(await linesOf(place, 'r-1')).toEqual([`2025-11-24T16:00:00Z  ${what}`])
})

it('names nothing that came after the refusal', async () => {
  const events: Events = [
    [0, revokedGrant('r-1')],
    [1, { type: 'grant.revoked', grants: 1, ...OF_ANN }],
  ]
  expect(await told(events, 'r-1')).toEqual([NOTHING])
})

it('looks at the whole minute of a row that counts several refusals', async () => {
  const events: Events = [
    [0, unknownKey('r-1')],
    [30, { type: 'key.revoked', kid: 'k' }],
    [40, unknownKey('r-2')],
    [60, { type: 'key.revoked', kid: 'l' }],
  ]
  expect(await told(events, 'r-2')).toEqual([`2025-11-24T16:00:30Z  ${KEY}`])
})

it('names nothing for a reason that says the cause itself', async () => {
  expect(
    await told([...withdrawn, [10, { ...revokedGrant('r-1'), reason: 'expired_grant' }]], 'r-1'),
  ).toEqual([])
})

it.each([
  [199, `2025-11-24T16:00:00Z  ${GRANTS}`],
  [200, NOTHING],
])('looks through the newest 200 rows of the user: %i came after the cause', async (later, line) => {
  const signIns = Array.from({ length: later }, (): Events[number] => [
    1,
    { type: 'session.started', sub: 'ann-1', sid: 's', amr: ['pwd'] },
  ])
  const cause: Events[number] = [0, { type: 'grant.revoked', grants: 1, ...OF_ANN }]
  expect(await told([cause, ...signIns, [2, revokedGrant('r-1')]], 'r-1')).toEqual([line])
})

it('names no creation of the client, and each cause once', async () => {
  const place = auditPlace({ settings: { keep_days: 365, events: 'all' } })
  const change = (fields: string[]) => changeOf('client.store', fields)
  await place.store.put([change(['client_id', 'redirect_uris', 'token_endpoint_auth_method'])])
  place.at(1)
  const refused = { ...REFUSED, reason: 'wrong_method', request_id: 'r-1' }
  place.emit({ ...refused, type: 'client.authentication_failed', used_method: 'none' })
  place.emit(refused)
  expect(await linesOf(place, 'r-1')).toEqual([])
  await place.store.put([change(['token_endpoint_auth_method'])])
  place.at(2)
  const again = { ...refused, sub: null, request_id: 'r-2' }
  place.emit({ ...again, type: 'client.authentication_failed', used_method: 'none' })
  place.emit(again)
  expect(await linesOf(place, 'r-2')).toHaveLength(1)
})
