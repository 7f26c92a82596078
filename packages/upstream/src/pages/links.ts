/** The forms of the account page: a link is added, used as a proof, or removed. */

import type { AccountVisit, Arrival } from '@ostiary/identity'
import type { UpstreamRefused } from '../rules/outcome.js'
import { textsOf } from '../texts.js'
import type { Ways } from '../ways.js'
import { beginTrip, finishTrip, refused } from './flow.js'
import { signsIn } from './sections.js'
import { endTrip, type Trip, type TripPurpose } from './trip.js'

type Action = (c: AccountVisit, ways: Ways, params: URLSearchParams) => Promise<Response | null>

/** Null for a form that is not whole. */
export async function act(
  c: AccountVisit,
  ways: Ways,
  { action, params }: { action: string; params: URLSearchParams },
): Promise<Response | null> {
  return (await ACTIONS.get(action)?.(c, ways, params)) ?? null
}

/** The only value of a field. */
function fieldOf(params: URLSearchParams, name: string): string | null {
  const [value, ...more] = params.getAll(name)
  return value === undefined || more.length > 0 ? null : value
}

function idOf({ realm }: AccountVisit, ways: Ways, params: URLSearchParams): string | null {
  const id = fieldOf(params, 'upstream')
  return ways.list(realm.id).some((one) => one.id === id) ? id : null
}

/** The cookies of a fresh proof, or the page that asks for it. */
async function proved(
  c: AccountVisit,
  params: URLSearchParams,
  form: Parameters<AccountVisit['fresh']>[1],
): Promise<Response | { cookies: string[] }> {
  const text = textsOf(c.language.tag).not_fresh
  const fresh = await c.fresh(params, form)
  return fresh ?? c.refuse(form.action, { reason: 'not_fresh', status: 403, text })
}

/** The round trip is bound to this session, and to the account as it is now. */
const purposeOf = (kind: 'link' | 'confirm', { session, user }: AccountVisit) => ({
  kind,
  sid: session.sid,
  sub: user.sub,
  credential_version: user.credential_version,
})

const link: Action = async (c, ways, params) => {
  const id = idOf(c, ways, params)
  if (id === null) return null
  const fresh = await proved(c, params, { action: 'link', fields: { upstream: id } })
  if (fresh instanceof Response) return fresh
  const { cookies } = fresh
  return beginTrip(c, ways, { id, login_hint: null, purpose: purposeOf('link', c), cookies })
}

/** A proof by the account elsewhere, for a user who has no other. */
const confirm: Action = async (c, ways, params) => {
  const id = idOf(c, ways, params)
  return id === null ? null : beginTrip(c, ways, { id, login_hint: null, purpose: purposeOf('confirm', c) })
}

const unlink: Action = async (c, ways, params) => {
  const { user, realm, now } = c
  const issuer = fieldOf(params, 'issuer')
  const subject = fieldOf(params, 'subject')
  if (issuer === null || subject === null) return null
  const fresh = await proved(c, params, { action: 'unlink', fields: { issuer, subject } })
  if (fresh instanceof Response) return fresh
  const { cookies } = fresh
  const texts = textsOf(c.language.tag)
  const store = ways.links(realm.id)
  const links = await store.list(user.sub)
  const removed = links.find((one) => one.issuer === issuer && one.subject === subject)
  if (!removed) return c.done('factor_gone', cookies)
  const left = signsIn(
    ways.list(realm.id),
    links.filter((one) => one !== removed),
  )
  if (!(await c.canSignIn(left)))
    return c.refuse('unlink', { reason: 'last_way_in', status: 422, text: texts.last_way_in, cookies })
  const { credential_version } = user
  if (!(await store.remove(removed, { credential_version, now: now() })))
    return c.refuse('unlink', { reason: 'changed_meanwhile', status: 409, text: texts.changed, cookies })
  c.emit({ type: 'link.removed', upstream: removed.upstream, sub: user.sub })
  return c.done('factor_removed', cookies)
}

const ACTIONS = new Map<string, Action>([
  ['link', link],
  ['unlink', unlink],
  ['confirm_upstream', confirm],
])

export interface AccountArrival {
  trip: Trip
  purpose: Exclude<TripPurpose, { kind: 'sign_in' }>
}

/** The browser of a signed-in user has come back: it is still the same session, and the same account. */
export async function finishAtAccount(
  page: Arrival,
  ways: Ways,
  { trip, purpose }: AccountArrival,
): Promise<Response> {
  const c = await page.account()
  const refusal = (reason: UpstreamRefused['reason']) =>
    refused(page, ways, { id: trip.upstream, refusal: { reason, sub: purpose.sub }, purpose })
  if (!c || c.session.sid !== purpose.sid || c.user.sub !== purpose.sub) return refusal('state_unknown')
  if (c.user.credential_version !== purpose.credential_version) return refusal('changed_meanwhile')
  const adds_link = purpose.kind === 'link'
  const outcome = await finishTrip(c, ways, { trip, signed_in: { user: c.user, adds_link } })
  if ('reason' in outcome) return refusal(outcome.reason)
  if (outcome.added !== null) c.emit({ type: 'link.added', upstream: trip.upstream, sub: c.user.sub })
  return adds_link ? c.done('factor_added', endTrip(c)) : c.confirmed(outcome.user, endTrip(c))
}
