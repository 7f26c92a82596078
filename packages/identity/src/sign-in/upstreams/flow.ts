/** What the paths of other providers and the account page share: the way to a provider, its answer, and the page of a refusal. */

import type { UpstreamReason } from '../../events.js'
import { html } from '../../pages/html.js'
import { renderPage } from '../../pages/page.js'
import type { SignInPrompt } from '../../pages/sign-in.js'
import { LOGIN_PATH, pathIn, urlIn } from '../../web/paths.js'
import { seeOther } from '../../web/see-other.js'
import { withCookies } from '../complete-sign-in.js'
import type { UpstreamContext } from '../context.js'
import { countAnswer } from './limits.js'
import { callbackPath } from './parts.js'
import type { UpstreamOutcome, UpstreamRefused } from './seam.js'
import { endTrip, type Trip, type TripPurpose, writeTrip } from './trip.js'

interface SignInStart {
  id: string
  return_to: string
  login_hint: string | null
}

export const beginSignIn = (
  c: UpstreamContext,
  { id, return_to, login_hint }: SignInStart,
): Promise<Response> => beginTrip(c, { id, login_hint, purpose: { kind: 'sign_in', return_to } })

interface TripStart {
  id: string
  login_hint: string | null
  purpose: TripPurpose
}

/** Sends the browser to the provider. */
export async function beginTrip(
  c: UpstreamContext,
  { id, login_hint, purpose }: TripStart,
): Promise<Response> {
  const { realm, upstreams } = c
  const fresh = purpose.kind !== 'sign_in'
  const begun = await upstreams.begin({ realm, id, redirect_uri: redirectUri(c, id), login_hint, fresh })
  if ('reason' in begun) return refused(c, { id, refusal: begun, purpose })
  const cookies = writeTrip(c, { upstream: id, secrets: begun.secrets, purpose })
  return withCookies(seeOther(begun.location), cookies)
}

export const redirectUri = ({ realm }: UpstreamContext, id: string): string => urlIn(realm, callbackPath(id))

/** What the answer means. The limit is for requests to the provider. */
export async function finishTrip(
  c: UpstreamContext,
  trip: Trip,
  signed_in: Parameters<UpstreamContext['upstreams']['finish']>[0]['signed_in'],
): Promise<UpstreamOutcome> {
  if ((await countAnswer(c)) !== null) return { reason: 'throttled', sub: null }
  const { realm, upstreams } = c
  const now = c.now()
  return upstreams.finish({
    realm,
    id: trip.upstream,
    redirect_uri: redirectUri(c, trip.upstream),
    secrets: trip.secrets,
    params: new URL(c.request.url).searchParams,
    users: c.users(realm.id),
    links: upstreams.links,
    signed_in,
    claim: (key, seconds) => upstreams.claim(key, now + seconds),
    now,
  })
}

interface Refusal {
  id: string
  refusal: UpstreamRefused
  purpose: TripPurpose | null
  prompt?: SignInPrompt
}

const STATUS: Partial<Record<UpstreamReason, number>> = {
  access_denied: 200,
  unreachable: 503,
  throttled: 429,
  busy: 503,
}

/** The page that names the provider and says what to do; and the event, with the reason. */
export function refused(c: UpstreamContext, { id, refusal, purpose, prompt }: Refusal): Response {
  const { reason, sub } = refusal
  const client_id = prompt?.client?.client_id ?? null
  if (purpose === null || purpose.kind === 'sign_in')
    c.emit({ type: 'login.refused', reason: `upstream_${reason}`, client_id, upstream: id, sub })
  else
    c.emit({
      type: 'account.refused',
      reason: `upstream_${reason}`,
      action: purpose.kind === 'link' ? 'link' : null,
      sub: purpose.sub,
    })
  const name = c.upstreams.list.find((one) => one.id === id)?.name ?? id
  const { title, sentences } = c.upstreams.texts(c.language.tag).refused(reason, name)
  const query = purpose?.kind === 'sign_in' ? `?${new URLSearchParams({ return_to: purpose.return_to })}` : ''
  const body = html`<h1>${title}</h1>
${sentences.map((sentence) => html`<p>${sentence}</p>\n`)}<p><a href="${pathIn(c.realm, LOGIN_PATH) + query}">${c.upstreams.texts(c.language.tag).back}</a></p>`
  return renderPage(c, { realm: c.realm, title, body, status: STATUS[reason] ?? 403, cookies: endTrip(c) })
}
