/** What `explain` says of a client_assertion that had expired: by what was seen, and no guess. */

import { describe, expect, it } from 'vitest'
import { newRow } from '../../audit/src/row.ts'
import { auditPlace, NOW, REALM, storiesOf } from './_place.ts'

/** A refusal: seconds after the beginning of the first minute, and of its exp. */
interface Refusal {
  at: number
  exp: number | string
  client_id?: string
}

/** The advice about the newest of the refusals, or of the one at this place. */
async function adviceOf(refusals: readonly Refusal[], asked = refusals.length - 1): Promise<string | null> {
  const place = auditPlace()
  for (const [index, { at, exp, client_id = 'machine' }] of refusals.entries()) {
    place.at(at)
    const shown = typeof exp === 'number' ? `exp=${NOW + exp}, now=${NOW + at}` : exp
    const common = { client_id, reason: 'assertion_expired', sent: shown, request_id: `r-${index}` }
    place.emit({ type: 'client.authentication_failed', used_method: 'private_key_jwt', ...common })
    place.emit({ type: 'request.refused', route: 'oidc.token', error: 'invalid_client', ...common })
  }
  const [story] = await storiesOf(place, `r-${asked}`)
  expect(story?.steps.slice(1).map(({ advice, in_log }) => [advice, in_log])).toEqual([[null, null]])
  return story?.steps[0]?.advice ?? null
}

const CLOCK =
  /^Each .* comes 3600 seconds after its exp, a new one each time: the clock of the client is slow, by 3600 seconds and the time .* Who runs the client sets the clock/
const KEPT =
  /sends one client_assertion again and again, .*: its developer has to make a new one for each request/
const OPEN =
  /^The client_assertion came \d+ seconds after its exp\..* does not say why: the clock of the client is slow, or it sends an assertion that it has kept\. Let it try again after a minute, and explain that request/
const HINT = /^The exp of the client_assertion had passed: compare exp and now in the log/
const MINUTE = 60
const DAY = 86_400

const late = (at: number, seconds = 3600): Refusal => ({ at, exp: at - seconds })
const kept = (at: number): Refusal => ({ at, exp: -3600 })

describe('one client', () => {
  it.each<[string, Refusal[], RegExp]>([
    ['one refusal', [late(0)], OPEN],
    ['another exp in the same minute', [late(0), late(11)], CLOCK],
    // Two processes that have kept theirs since the same start.
    ['another exp, 10 seconds later', [late(0), late(10)], OPEN],
    ['another exp in a later minute', [late(0), late(5 * MINUTE)], CLOCK],
    ['three of a minute, and one of the next', [late(0), late(2), late(9), late(MINUTE)], CLOCK],
    ['the newest of a minute, which says how late', [late(0, 3590), late(11)], CLOCK],
    ['as late as 10 seconds more or less', [late(0, 3590), late(MINUTE)], CLOCK],
    ['as late as 11 seconds more or less', [late(0, 3589), late(MINUTE)], OPEN],
    ['one among them that was as late as 11 seconds more', [late(0), late(60), late(120, 3611)], OPEN],
    ['the same exp in the same minute', [kept(0), kept(11)], KEPT],
    ['the same exp in a later minute', [kept(0), kept(5 * MINUTE)], KEPT],
    // Two of one second have one exp.
    ['the same exp, 10 seconds later', [kept(0), kept(10)], OPEN],
    ['the same exp among others', [kept(0), late(MINUTE, 9), kept(2 * MINUTE)], KEPT],
    ['another one was kept before', [kept(0), kept(MINUTE), late(3 * MINUTE)], OPEN],
    ['a day before', [late(0), late(DAY)], CLOCK],
    ['more than a day before', [late(0), late(DAY + 1)], OPEN],
    ['no exp', [{ at: 0, exp: 'no exp, now=1' }], HINT],
    ['an exp to come, which was a text', [{ at: 0, exp: 60 }], HINT],
  ])('%s', async (_name, refusals, says) => {
    expect(await adviceOf(refusals)).toMatch(says)
  })

  it('says how long one was kept, in seconds', async () => {
    expect(await adviceOf([kept(0), kept(5), kept(400)])).toContain('here after 400 seconds')
  })

  it.each([
    [DAY, CLOCK],
    [DAY + 1, OPEN],
  ])('also looks at what came %i seconds later', async (seconds, says) => {
    expect(await adviceOf([late(0), late(seconds)], 0)).toMatch(says)
  })

  it.each([
    [199, CLOCK],
    [200, /does not say why/],
  ] as const)('looks through the newest 200 rows: %i came later', async (count, says) => {
    const place = auditPlace()
    const failed = { realm: REALM, type: 'client.authentication_failed', client_id: 'machine' } as const
    const refused = { ...failed, outcome: 'refused', actor: 'stranger' } as const
    const expired = { reason: 'assertion_expired', exp: NOW - 3600 }
    const asked = { ...expired, exp: NOW - 3540, request_id: 'r-1' }
    const refs = [...(await referencesOf('r-1'))]
    await place.store.put([newRow({ ...refused, time: NOW + 60, data: asked, refs })])
    await place.store.put([newRow({ ...refused, time: NOW, data: expired })])
    const others = Array.from({ length: count }, () =>
      newRow({ ...refused, time: NOW + 60, data: { reason: 'wrong_method' } }),
    )
    await place.store.put(others)
    const [story] = await storiesOf(place, 'r-1')
    expect(story?.steps[0]?.advice).toMatch(says)
  })
})

const referencesOf = async (request_id: string): Promise<string[]> => {
  const place = auditPlace()
  place.emit({ type: 'client.authentication_failed', reason: 'wrong_secret', client_id: 'x', request_id })
  return (await place.rows())[0]?.refs ?? []
}

describe('two clients', () => {
  const other = (refusal: Refusal): Refusal => ({ ...refusal, client_id: 'other' })

  it.each<[string, Refusal[], RegExp]>([
    [
      'a third one with the exp of the other: the other has kept nothing',
      [other(late(0)), { ...kept(20), client_id: 'third' }, late(21), late(32)],
      /One of another client came as late/,
    ],
    ['are each on their own', [other(kept(0)), other(kept(MINUTE)), late(0), late(MINUTE)], CLOCK],
    ['one each, with the same exp', [other(kept(0)), kept(400)], OPEN],
    ['one each, with another exp', [other(late(0)), late(400)], OPEN],
    [
      'both as late: the clock of this server',
      [other(late(0)), late(1), late(12)],
      /comes 3600 seconds after its exp\. One of another client came as late: compare the clock of this server first\. If that is right, the clocks of both clients are slow/,
    ],
    [
      '10 seconds later',
      [other(late(0, 3610)), late(1), late(12)],
      /comes 3600 seconds after its exp\. One of another client came as late: compare/,
    ],
    ['11 seconds later', [other(late(0, 3611)), late(1), late(12)], CLOCK],
    ['one each: the clock of this server comes first', [other(late(0)), late(1)], /this server first/],
    ['what one kept says nothing of a clock', [other(late(0)), kept(1), kept(MINUTE)], KEPT],
  ])('%s', async (_name, refusals, says) => {
    expect(await adviceOf(refusals)).toMatch(says)
  })

  it('of one refusal each that were not as late, nothing is said of this server', async () => {
    expect(await adviceOf([other(late(0, 3611)), late(1)])).not.toMatch(/this server/)
  })
})

it('an expired assertion of another realm says nothing', async () => {
  const place = auditPlace()
  const refused = { type: 'client.authentication_failed', client_id: 'machine', reason: 'assertion_expired' }
  place.emit({ ...refused, sent: `exp=${NOW - 60}, now=${NOW}`, realm: 'other' })
  place.at(1)
  place.emit({ ...refused, sent: `exp=${NOW - 59}, now=${NOW + 1}`, request_id: 'r-1' })
  const [story] = await storiesOf(place, 'r-1')
  expect(story?.steps[0]?.advice).toMatch(OPEN)
})
