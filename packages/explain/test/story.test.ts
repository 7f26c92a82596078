/** The sentences of a story, and what the log has of a request. */

import { expect, it } from 'vitest'
import { LOGGED_FIELDS } from '../../host/src/log/log-events.ts'
import { auditPlace, storiesOf, textOf } from './_place.ts'

const REFUSED = {
  type: 'request.refused',
  route: 'oidc.authorize',
  error: 'invalid_request',
  client_id: 'notes',
  request_id: 'r-1',
}

const inLog = (text: string) => /^ {3}In the log: (.*)$/m.exec(text)?.[1] ?? null

async function told(...events: Record<string, unknown>[]): Promise<string> {
  const place = auditPlace({ settings: { keep_days: 365, events: 'all' } })
  for (const event of events) place.emit(event)
  return textOf(place, 'r-1')
}

it.each([
  ['unregistered_redirect_uri', 'what was sent of redirect_uri is in the line with request_id r-1'],
  ['unassigned_scope', 'what was sent of scope, resource is in the line with request_id r-1'],
  ['assertion_expired', 'what was sent of exp, now is in the line with request_id r-1'],
  ['expired_code', null],
  ['toString', null],
])('%s: the log has %s', async (reason, line) => {
  expect(inLog(await told({ ...REFUSED, reason }))).toBe(line)
})

it.each(
  Object.entries(LOGGED_FIELDS).filter(
    ([type, fields]) => fields.includes('reason') && !type.startsWith('audit.'),
  ),
)('%s: the line is told where the log has what was sent', async (type, fields) => {
  const text = await told({
    ...REFUSED,
    type,
    reason: 'assertion_expired',
    used_method: 'none',
    registered_methods: [],
  })
  expect([type, inLog(text) !== null]).toEqual([type, fields.includes('sent')])
})

it('once, with the advice, and without the client that the story names', async () => {
  const inLogOf = async (reason: string, client_id: string | null) => {
    const place = auditPlace()
    const refused = { ...REFUSED, route: 'oidc.token', reason, client_id }
    place.emit({ ...refused, type: 'client.authentication_failed', used_method: 'none' })
    place.emit(refused)
    return (await storiesOf(place, 'r-1')).flatMap(({ steps }) => steps.map(({ in_log }) => in_log))
  }
  expect(await inLogOf('assertion_expired', 'notes')).toEqual([
    'what was sent of exp, now is in the line with request_id r-1',
    null,
  ])
  expect(await inLogOf('wrong_method', 'notes')).toEqual([null, null])
  expect(await inLogOf('wrong_secret', 'notes')).toEqual([
    'what was sent of client_secret is in the line with request_id r-1',
    null,
  ])
  expect(await inLogOf('unknown_client', 'nope')).toEqual([
    'what was sent of client_id is in the line with request_id r-1',
    null,
  ])
})

it.each([
  [1, '192.0.2.7', ''],
  [2, '192.0.2.7', ', 2 times in that minute, from one address'],
  [2, undefined, ', 2 times in that minute'],
])('%i refusals from %s', async (count, address, end) => {
  const refused = { type: 'login.refused', reason: 'wrong_password', sub: 'ann-1', client_id: null, address }
  const events = Array.from({ length: count }, () => ({ ...refused, request_id: 'r-1' }))
  expect((await told(...events)).split('\n')[1]?.slice(25)).toBe(
    `A sign-in was refused (wrong_password)${end}`,
  )
})

it.each([
  ['the same reason of the same request', {}, 'For that reason the same request was refused at oidc.token'],
  [
    'another reason',
    { reason: 'unauthorized_client' },
    'The request was refused (unauthorized_client) at oidc.token',
  ],
  ['another event', { type: 'bearer.refused' }, 'An access token was refused (wrong_method)'],
])('a refusal after a failed authentication, for %s', async (_name, changes, what) => {
  const refused = { ...REFUSED, reason: 'wrong_method', route: 'oidc.token' }
  const failed = { ...refused, type: 'client.authentication_failed', route: undefined, used_method: 'none' }
  const place = auditPlace({ settings: { keep_days: 365, events: 'all' } })
  place.emit(failed)
  place.emit({ ...refused, ...changes })
  const [story] = await storiesOf(place, 'r-1')
  expect(story?.steps.map((step) => step.what)).toEqual([
    'The application did not authenticate (wrong_method), with none',
    what,
  ])
})

it('two refusals of one request are told of by their reasons where the client has authenticated', async () => {
  const [first, second] = (await told(REFUSED, { ...REFUSED, client_id: 'other' })).match(/Z {2}.*/g) ?? []
  expect([first, second]).toEqual(Array(2).fill('Z  The request was refused at oidc.authorize'))
})

it('the refusal of another request is not that of the failed authentication before it', async () => {
  const place = auditPlace()
  const refused = { ...REFUSED, reason: 'wrong_method', route: 'oidc.token' }
  const request = new Request('https://id.example.com/token')
  for (const [request_id, type] of [
    ['r-1', 'client.authentication_failed'],
    ['r-2', 'request.refused'],
  ])
    await place.audit.during({ request, request_id: `${request_id}` }, async () => {
      place.audit.onFlow(request, 'flow-of-16-chars')
      place.emit({ ...refused, type, request_id })
    })
  const [story] = await storiesOf(place, 'flow-of-16-chars')
  expect(story?.steps.map(({ what }) => what)).toEqual([
    'The application did not authenticate (wrong_method)',
    'The request was refused (wrong_method) at oidc.token',
  ])
})
