/** What `explain` adds to the hint of a reason: who acts, and with what. */

import { hintOfEvent } from '@ostiary/core'
import { expect, it } from 'vitest'
import { auditPlace, NOW, REALM, storiesOf, userRecord } from './_place.ts'

const REFUSED = {
  type: 'request.refused',
  route: 'oidc.token',
  error: 'invalid_request',
  sub: 'ann-1',
  client_id: 'notes',
  request_id: 'r-1',
}

type Options = Parameters<typeof auditPlace>[0]

async function stepOf(refusal: Record<string, unknown>, cause?: Record<string, unknown>, more?: Options) {
  const place = auditPlace({ settings: { keep_days: 365, events: 'all' }, ...more })
  // A limit of long ago has ended.
  const now = Math.floor(Date.now() / 1000) - NOW
  place.at(now - 1)
  if (cause) place.emit(cause)
  place.at(now)
  place.emit({ ...REFUSED, ...refusal })
  const [story] = await storiesOf(place, 'r-1')
  return story?.steps[0]
}

const hintOf = (reason: string, type = 'request.refused') => `${hintOfEvent({ type, reason })}`

it.each([
  [
    'unregistered_redirect_uri',
    'The developer of the application does the first, an operator the second: ostiary client update --add-redirect-uri, or the configuration if that has the client.',
  ],
  [
    'wrong_method',
    'Either the developer sends the credentials in the registered way, or an operator registers the one that was used: ostiary client update --auth-method, or the configuration if that has the client.',
  ],
  [
    'closed_resource',
    'An operator adds it, if the client may use the resource: ostiary client update --optional-scope (for each entry, old and new), or the configuration if that has the client.',
  ],
  [
    'unassigned_scope',
    'The developer does the first, an operator the second: ostiary client update --optional-scope (for each entry, old and new), or the configuration if that has the client. The entry is a scope of the realm, or "<resource> <scope>".',
  ],
])('%s: says who acts, after the hint', async (reason, more) => {
  expect((await stepOf({ reason }))?.advice).toBe(`${hintOf(reason)} ${more}`)
})

it('a resource that only some clients may ask for does not read as one that is out of service', () => {
  expect(hintOf('closed_resource')).toMatch(/^Only clients with an entry .* may ask for this resource/)
})

it('names the groups that the client allows, as it is now', async () => {
  const place = auditPlace({ settings: { keep_days: 365, events: 'all' } })
  const { clients } = await place.provider.manage(REALM)
  const redirect_uris = ['https://notes.example.com/callback']
  await clients.create({ client_id: 'notes', redirect_uris, allowed_groups: ['staff', 'board'] })
  await place.users.create(userRecord({ sub: 'ann-1', groups: ['guests'] }))
  place.emit({ ...REFUSED, reason: 'user_in_no_allowed_group' })
  const [story] = await storiesOf(place, 'r-1')
  expect(story?.steps[0]?.advice).toBe(`${hintOf('user_in_no_allowed_group')} It allows staff, board.`)
})

it('names the seconds that a code is valid in this realm', async () => {
  const oidc = { tokens: { authorization_code: 45 } }
  expect((await stepOf({ reason: 'expired_code' }, undefined, { oidc }))?.advice).toBe(
    'The application redeemed the code after more than 45 seconds. The user has to sign in again. If it happens again, the developer redeems each code at once; an operator raises oidc.tokens.authorization_code only for an application that cannot.',
  )
})

const OF_ANN = { sub: 'ann-1', client_id: 'notes' }
const WITHDRAWN_KEY = { type: 'key.revoked', kid: 'k' }
const WITHDRAWN_CONSENT = { type: 'consent.revoked', resource: null, ...OF_ANN }
const BEARER = { type: 'bearer.refused', error: 'invalid_token', sub: null, client_id: null }

it.each([
  [
    'unknown_key',
    BEARER,
    WITHDRAWN_KEY,
    /^Compare the kid in the log, .* with those in Before\. If it is one of them, the application refreshes, .* If not, another server issued the token: the developer compares its iss/,
  ],
  [
    'revoked_grant',
    {},
    WITHDRAWN_CONSENT,
    /^What Before names ended the access .*: the user signs in again, .* If that was not meant, ask who is named after "by"\.$/,
  ],
])('%s: with a cause in Before the advice is about it, and without one it is the hint', async (...given) => {
  const [reason, event, cause, says] = given
  expect((await stepOf({ ...event, reason }, cause))?.advice).toMatch(says)
  expect((await stepOf({ ...event, reason }))?.advice).toBe(hintOf(reason, 'bearer.refused'))
})

it.each(['toString', 'expired_grant'])('%s: nothing is added', async (reason) => {
  const step = await stepOf({ reason })
  expect(step?.advice).toBe(reason === 'toString' ? null : hintOf(reason))
})

const LIMITED = { reason: 'throttled', limit: 'account_and_address', address: '192.0.2.7' }

it('a limit of sign-ins: whose address it is decides, and the log has it', async () => {
  const step = await stepOf({ ...LIMITED, type: 'login.refused' })
  expect(step?.advice).toBe(
    `${hintOf('throttled', 'login.refused')} If it is not, leave the limit: ostiary throttle list shows when it ends.`,
  )
  expect(step?.in_log).toBe('the address is in the line with request_id r-1')
})

it('the log is not named for an address that it does not have, and where nothing asks for one', async () => {
  const logOf = async (refusal: Record<string, unknown>, more?: Options) =>
    (await stepOf({ ...LIMITED, type: 'login.refused', ...refusal }, undefined, more))?.in_log
  expect(await logOf({}, { address: () => undefined })).toBeNull()
  expect(await logOf({ reason: 'wrong_password' })).toBeNull()
})

it('a limit that is not one of sign-ins has its own hint', async () => {
  const step = await stepOf(LIMITED)
  expect(step).toMatchObject({ advice: hintOf('throttled'), in_log: null })
})

it('what is mended is not advised', async () => {
  const place = auditPlace()
  const { clients } = await place.provider.manage('default')
  await clients.create({
    client_id: 'notes',
    client_secret: 's'.repeat(40),
    grant_types: ['client_credentials'],
    token_endpoint_auth_method: 'client_secret_basic',
  })
  await place.users.create(userRecord())
  const failed = { ...REFUSED, type: 'client.authentication_failed', reason: 'wrong_method' }
  place.emit({ ...failed, used_method: 'client_secret_basic' })
  const [story] = await storiesOf(place, 'r-1')
  expect(story?.steps[0]?.advice).toMatch(/^Mended: the client may use this method now/)
})
