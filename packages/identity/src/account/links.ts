/** The section of the account page for accounts at other providers, and its actions: a link is added, used as a proof, or removed. */

import type { AccountAction } from '../events.js'
import { withCookies } from '../sign-in/complete-sign-in.js'
import type { UpstreamContext } from '../sign-in/context.js'
import { hasPassword } from '../sign-in/passwords-of.js'
import { beginTrip, finishTrip, refused } from '../sign-in/upstreams/flow.js'
import type { AccountArrival } from '../sign-in/upstreams/pages.js'
import type { UpstreamRefused } from '../sign-in/upstreams/seam.js'
import { endTrip } from '../sign-in/upstreams/trip.js'
import type { Link } from '../users/link-store.js'
import { pickFields } from '../web/form.js'
import { type AccountContext, accountContext, redirectWithNotice } from './context.js'
import { FRESH_SECONDS, type Fresh, raise, requireFresh } from './fresh.js'
import { report } from './password-problem.js'
import { showAccount } from './view.js'

type LinkContext = AccountContext & UpstreamContext
type Action = (c: AccountContext, params: URLSearchParams) => Promise<Response | null>

const withUpstreams =
  (action: (c: LinkContext, params: URLSearchParams) => Promise<Response | null>): Action =>
  async (c, params) =>
    c.upstreams === null ? null : action({ ...c, upstreams: c.upstreams }, params)

/** Where the realm has no factors, only a new sign-in is a fresh proof. */
async function proved(
  c: LinkContext,
  params: URLSearchParams,
  question: { action: AccountAction; fields: Record<string, string> },
): Promise<Response | Fresh> {
  const { auth_time } = c.session
  if (c.factors !== null) return requireFresh(c, params, { ...question, seconds: FRESH_SECONDS })
  if (auth_time !== null && c.now() - auth_time < FRESH_SECONDS) return { cookies: [], proofs: [] }
  report(c, { action: question.action, reason: 'not_fresh' })
  const text = c.upstreams.texts(c.language.tag).not_fresh
  return showAccount(c, { at: 'page', status: 403, text })
}

const idOf = ({ upstreams }: LinkContext, params: URLSearchParams): string | null => {
  const form = pickFields(params, ['upstream'])
  const id = 'fault' in form ? '' : form.fields.upstream
  return upstreams.list.some((one) => one.id === id) ? id : null
}

/** The round trip is bound to this session, and to the account as it is now. */
const purposeOf = (kind: 'link' | 'confirm', { session, user }: LinkContext) => ({
  kind,
  sid: session.sid,
  sub: user.sub,
  credential_version: user.credential_version,
})

export const link = withUpstreams(async (c, params) => {
  const id = idOf(c, params)
  if (id === null) return null
  const fresh = await proved(c, params, { action: 'link', fields: { upstream: id } })
  if (fresh instanceof Response) return fresh
  const begun = await beginTrip(c, { id, login_hint: null, purpose: purposeOf('link', c) })
  return withCookies(begun, fresh.cookies)
})

/** A proof by the account elsewhere, for a user who has no other. */
export const confirmUpstream = withUpstreams(async (c, params) => {
  const id = idOf(c, params)
  return id === null ? null : beginTrip(c, { id, login_hint: null, purpose: purposeOf('confirm', c) })
})

/** The browser of a signed-in user has come back: it is still the same session, and the same account. */
export async function finishAtAccount(
  page: UpstreamContext,
  { trip, purpose }: AccountArrival,
): Promise<Response> {
  const found = await accountContext(page)
  const refusal = (reason: UpstreamRefused['reason']) =>
    refused(page, { id: trip.upstream, refusal: { reason, sub: purpose.sub }, purpose })
  if (!found || found.session.sid !== purpose.sid || found.user.sub !== purpose.sub)
    return refusal('state_unknown')
  if (found.user.credential_version !== purpose.credential_version) return refusal('changed_meanwhile')
  const c = { ...found, upstreams: page.upstreams }
  const adds_link = purpose.kind === 'link'
  const outcome = await finishTrip(c, trip, { user: c.user, adds_link })
  if ('reason' in outcome) return refusal(outcome.reason)
  if (outcome.added !== null) c.emit({ type: 'link.added', upstream: trip.upstream, sub: c.user.sub })
  if (adds_link) return redirectWithNotice(c, 'factor_added', endTrip(c))
  const proof = { kind: 'upstream', at: c.now(), second_factor: false } as const
  const raised = await raise(c, { user: outcome.user, proofs: [proof] })
  return raised instanceof Response
    ? raised
    : redirectWithNotice(c, 'confirmed', [...raised.cookies, ...endTrip(c)])
}

export const unlink = withUpstreams(async (c, params) => {
  const form = pickFields(params, ['issuer', 'subject'])
  if ('fault' in form) return null
  const fresh = await proved(c, params, { action: 'unlink', fields: form.fields })
  if (fresh instanceof Response) return fresh
  const { issuer, subject } = form.fields
  const links = await c.upstreams.links.list(c.user.sub)
  const removed = links.find((one) => one.issuer === issuer && one.subject === subject)
  if (!removed) return redirectWithNotice(c, 'factor_gone', fresh.cookies)
  if (!(await canSignInWithout(c, links, removed))) {
    report(c, { action: 'unlink', reason: 'last_way_in' })
    const text = c.upstreams.texts(c.language.tag).last_way_in
    return showAccount(c, { at: 'page', status: 422, text }, fresh.cookies)
  }
  const { credential_version } = c.user
  if (!(await c.upstreams.links.remove(removed, { credential_version, now: c.now() }))) {
    report(c, { action: 'unlink', reason: 'changed_meanwhile' })
    const text = c.language.text('account.changed_meanwhile')
    return showAccount(c, { at: 'page', status: 409, text }, fresh.cookies)
  }
  c.emit({ type: 'link.removed', upstream: removed.upstream, sub: c.user.sub })
  return redirectWithNotice(c, 'factor_removed', fresh.cookies)
})

async function canSignInWithout(c: LinkContext, links: readonly Link[], removed: Link): Promise<boolean> {
  if (hasPassword(c, c.user) || links.some((one) => one !== removed && isOffered(c, one))) return true
  const factors = c.factors === null ? [] : await c.factors.store.list(c.user.sub)
  return c.factors !== null && c.factors.passkeysIn(factors).length > 0
}

const isOffered = ({ upstreams }: UpstreamContext, { upstream }: Link): boolean =>
  upstreams.list.some(({ id }) => id === upstream)
