/** What `explain` shows before a refusal whose reason has several causes. */

import { expect, it } from 'vitest'
import { newRow } from '../../audit/src/row.ts'
import { auditPlace, NOW, REALM, textOf } from './_place.ts'

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
const KEY = 'A signing key was withdrawn'
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

it.each([
  ['consent.revoke', CONSENT, revokedGrant('r-1')],
  ['key.revoke', KEY, unknownKey('r-1')],
  ['user.update', 'user.update', { ...revokedGrant('r-1'), type: 'login.refused', reason: 'disabled' }],
])('names a change by a command: %s', async (type, what, refused) => {
  const place = auditPlace({ settings: { keep_days: 365, events: 'all' } })
  const change = { realm: REALM, time: NOW, type, outcome: 'done', actor: 'cli:ann@host' } as const
  await place.store.put([newRow({ ...change, ...(type !== 'key.revoke' && OF_ANN) })])
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
