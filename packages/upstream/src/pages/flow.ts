/** What the pages share: the way to an upstream, its answer, and the page of a refusal. */

import type { SignInVisit, Visit } from '@ostiary/identity'
import { HINTS } from '../hints.js'
import type { UpstreamReason } from '../refusal.js'
import type { UpstreamArrival, UpstreamOutcome, UpstreamRefused } from '../rules/outcome.js'
import { textsOf } from '../texts.js'
import type { Ways } from '../ways.js'
import { countAnswer } from './limits.js'
import { loginPath, redirectUri } from './paths.js'
import { endTrip, type Trip, type TripPurpose, writeTrip } from './trip.js'

interface TripStart {
  id: string
  login_hint: string | null
  purpose: TripPurpose
  cookies?: string[]
}

/** Sends the browser to the upstream. */
export async function beginTrip(
  c: Visit,
  ways: Ways,
  { id, login_hint, purpose, cookies = [] }: TripStart,
): Promise<Response> {
  const { realm } = c
  const fresh = purpose.kind !== 'sign_in'
  const redirect_uri = redirectUri(realm, id)
  const begun = await ways.begin({ realm: realm.id, id, redirect_uri, login_hint, fresh })
  if ('reason' in begun) return refused(c, ways, { id, refusal: begun, purpose, cookies })
  const trip = writeTrip(c, { upstream: id, secrets: begun.secrets, purpose })
  return c.redirect(begun.location, [...trip, ...cookies])
}

/** What the answer means. The limit is for requests to the upstream. */
export async function finishTrip(
  c: Visit,
  ways: Ways,
  { trip, signed_in }: { trip: Trip } & Pick<UpstreamArrival, 'signed_in'>,
): Promise<UpstreamOutcome> {
  if (!(await countAnswer(c))) return { reason: 'throttled', sub: null }
  const { realm } = c
  const now = c.now()
  return ways.finish({
    realm: realm.id,
    id: trip.upstream,
    redirect_uri: redirectUri(realm, trip.upstream),
    secrets: trip.secrets,
    params: new URL(c.request.url).searchParams,
    users: c.users,
    links: ways.links(realm.id),
    signed_in,
    claim: (key, seconds) => c.claim(key, now + seconds),
    now,
  })
}

interface Refusal {
  id: string
  refusal: UpstreamRefused
  purpose: TripPurpose | null
  client_id?: SignInVisit['client_id']
  cookies?: string[]
}

const STATUS: Partial<Record<UpstreamReason, number>> = {
  access_denied: 200,
  unreachable: 503,
  throttled: 429,
  busy: 503,
}

/** The page that names the upstream and says what to do; and the event, with the reason. */
export function refused(c: Visit, ways: Ways, refused: Refusal): Response {
  const { id, refusal, purpose, cookies = [] } = refused
  report(c, refused)
  const { html, realm } = c
  const texts = textsOf(c.language.tag)
  const name = ways.list(realm.id).find((one) => one.id === id)?.name ?? id
  const { title, sentences } = texts.refused(refusal.reason, name)
  const query = purpose?.kind === 'sign_in' ? `?${new URLSearchParams({ return_to: purpose.return_to })}` : ''
  const body = html`<h1>${title}</h1>
${sentences.map((sentence) => html`<p>${sentence}</p>\n`)}<p><a href="${loginPath(realm) + query}">${texts.back}</a></p>`
  const status = STATUS[refusal.reason] ?? 403
  return c.page({ title, body, status, cookies: [...endTrip(c), ...cookies] })
}

function report(c: Visit, { id, refusal, purpose, client_id = null }: Refusal): void {
  const reason = `upstream_${refusal.reason}` as const
  const hint = HINTS[refusal.reason]
  if (purpose === null || purpose.kind === 'sign_in')
    c.emit({ type: 'login.refused', reason, client_id, upstream: id, sub: refusal.sub, hint })
  else
    c.emit({
      type: 'account.refused',
      reason,
      action: purpose.kind === 'link' ? 'link' : null,
      sub: purpose.sub,
      hint,
    })
}
