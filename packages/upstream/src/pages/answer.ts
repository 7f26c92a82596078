/** The paths of upstreams: a sign-in begins, and the browser comes back. */

import type { Arrival, SignInVisit } from '@ostiary/identity'
import type { UpstreamSuccess } from '../rules/outcome.js'
import type { Ways } from '../ways.js'
import { beginTrip, finishTrip, refused } from './flow.js'
import { finishAtAccount } from './links.js'
import { postLogout } from './logout.js'
import { pathStep, redirectUri } from './paths.js'
import { endTrip, readTrip } from './trip.js'

export async function answerPath(c: Arrival, ways: Ways): Promise<Response> {
  const { id, step } = pathStep(c.path) ?? { id: '', step: 'callback' }
  if (step === 'logout') return postLogout(c, ways, id)
  if (step === 'start') return postStart(c, ways, id)
  return c.request.method === 'POST' ? postCallback(c, id) : getCallback(c, ways, id)
}

async function postStart(page: Arrival, ways: Ways, id: string): Promise<Response> {
  const c = await page.posted()
  if (c instanceof Response) return c
  const { return_to, login_hint } = c
  return beginTrip(c, ways, { id, login_hint, purpose: { kind: 'sign_in', return_to } })
}

/** What an upstream may send, by a form too. */
const ANSWER_FIELDS = ['code', 'state', 'iss', 'error', 'user']

/**
 * An upstream that posts its answer: the request comes from its page, without the cookies, so that nothing is done here but to ask the
 * browser for the same by GET, which has them.
 */
async function postCallback(c: Arrival, id: string): Promise<Response> {
  const form = await c.form()
  if (form instanceof Response) return form
  const query = new URLSearchParams([...form].filter(([name]) => ANSWER_FIELDS.includes(name)))
  return c.redirect(`${redirectUri(c.realm, id)}?${query}`)
}

async function getCallback(page: Arrival, ways: Ways, id: string): Promise<Response> {
  const trip = readTrip(page, id)
  if (trip === null || !(await page.claim(trip.id, trip.expires_at)))
    return refused(page, ways, { id, refusal: { reason: 'state_unknown', sub: null }, purpose: null })
  const { purpose } = trip
  if (purpose.kind !== 'sign_in') return finishAtAccount(page, ways, { trip, purpose })
  const c = await page.waiting(purpose.return_to)
  if (c instanceof Response) return c
  const outcome = await finishTrip(c, ways, { trip, signed_in: null })
  const { client_id } = c
  return 'reason' in outcome
    ? refused(c, ways, { id, refusal: outcome, purpose, client_id })
    : signIn(c, ways, outcome)
}

async function signIn(
  c: SignInVisit,
  ways: Ways,
  { user, link, added, ignores_groups, second_factor, marks }: UpstreamSuccess,
): Promise<Response> {
  const { sub } = user
  const { upstream } = link
  if (added === 'user') c.emit({ type: 'user.signed_up', upstream, sub })
  if (added !== null) c.emit({ type: 'link.added', upstream, sub })
  if (ignores_groups) c.emit({ type: 'groups.ignored', upstream, sub })
  if (second_factor && !c.has_factors) {
    const refusal = { reason: 'second_factor', sub } as const
    return refused(c, ways, { id: upstream, refusal, purpose: null, client_id: c.client_id })
  }
  return c.finish({ user, second_factor, marks, cookies: endTrip(c) })
}
