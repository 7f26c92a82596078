/** The handlers of the paths of other providers: a sign-in begins, and the browser comes back. */

import { badForm } from '../../pages/bad-form.js'
import type { SignInPrompt } from '../../pages/sign-in.js'
import { pickFields, readForm } from '../../web/form.js'
import { seeOther } from '../../web/see-other.js'
import type { UpstreamContext } from '../context.js'
import { afterUpstream, expiredSignIn } from '../finish.js'
import { findPrompt, inLanguageOf, refuse } from '../login.js'
import { beginSignIn, finishTrip, redirectUri, refused } from './flow.js'
import type { UpstreamOutcome, UpstreamRefused } from './seam.js'
import { endTrip, readTrip, type Trip, type TripPurpose } from './trip.js'

/** Ends the round trip of a signed-in user, on the account page. */
export type AtAccount = (c: UpstreamContext, arrival: AccountArrival) => Promise<Response>

export interface AccountArrival {
  trip: Trip
  purpose: Exclude<TripPurpose, { kind: 'sign_in' }>
}

interface UpstreamCall {
  id: string
  step: 'start' | 'callback'
  method: 'get' | 'post'
  at_account: AtAccount
}

export function answerUpstream(
  c: UpstreamContext,
  { id, step, method, at_account }: UpstreamCall,
): Promise<Response> {
  if (step === 'start') return postStart(c, id)
  return method === 'post' ? postCallback(c, id) : getCallback(c, id, at_account)
}

async function postStart(page: UpstreamContext, id: string): Promise<Response> {
  const sent = await readForm(page)
  const form = 'fault' in sent ? sent : pickFields(sent.params, ['return_to', 'csrf_token'])
  if ('fault' in form) return badForm(page, { fault: form.fault, advice: 'error.go_back' })
  const { return_to, csrf_token } = form.fields
  const prompt = await findPrompt(page, return_to)
  if (!prompt) return expiredSignIn(page)
  const c = { ...page, ...inLanguageOf(page, prompt), upstreams: page.upstreams }
  if (!c.csrf.valid(c.request, { realm: c.realm, bound_to: return_to }, csrf_token))
    return refuse(c, { prompt, reason: 'csrf' })
  return beginSignIn(c, { id, return_to, login_hint: prompt.login_hint })
}

/** What a provider may send, by a form too. */
const ANSWER_FIELDS = ['code', 'state', 'iss', 'error', 'user']

/**
 * A provider that posts its answer: the request comes from its page, without the cookies, so that nothing is done here but to ask the
 * browser for the same by GET, which has them.
 */
async function postCallback(c: UpstreamContext, id: string): Promise<Response> {
  const sent = await readForm(c)
  if ('fault' in sent) return badForm(c, { fault: sent.fault, advice: 'error.go_back' })
  const query = new URLSearchParams([...sent.params].filter(([name]) => ANSWER_FIELDS.includes(name)))
  return seeOther(`${redirectUri(c, id)}?${query}`)
}

async function getCallback(page: UpstreamContext, id: string, at_account: AtAccount): Promise<Response> {
  const trip = readTrip(page, id)
  if (trip === null || !(await page.upstreams.claim(trip.id, trip.expires_at)))
    return refused(page, { id, refusal: { reason: 'state_unknown', sub: null }, purpose: null })
  const { purpose } = trip
  if (purpose.kind !== 'sign_in') return at_account(page, { trip, purpose })
  const prompt = await findPrompt(page, purpose.return_to)
  if (!prompt) return expiredSignIn(page)
  const c = { ...page, ...inLanguageOf(page, prompt), upstreams: page.upstreams }
  const outcome = await finishTrip(c, trip, null)
  return 'reason' in outcome
    ? refused(c, { id, refusal: outcome, purpose, prompt })
    : signIn(c, prompt, outcome)
}

async function signIn(
  c: UpstreamContext,
  prompt: SignInPrompt,
  { user, link, added, second_factor }: Exclude<UpstreamOutcome, UpstreamRefused>,
): Promise<Response> {
  const { sub } = user
  if (added === 'user') c.emit({ type: 'user.signed_up', upstream: link.upstream, sub })
  if (added !== null) c.emit({ type: 'link.added', upstream: link.upstream, sub })
  if (second_factor && c.factors === null) {
    const refusal = { reason: 'second_factor', sub } as const
    return refused(c, { id: link.upstream, refusal, purpose: null, prompt })
  }
  return afterUpstream(c, { prompt, user, cookies: endTrip(c) }, second_factor)
}
