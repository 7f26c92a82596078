/** A sign-in of a user whose account waits for its deletion: a page offers to keep the account, and does nothing else. */

import { randomBytes } from 'node:crypto'
import type { Arrival, Html, Interruption, Ticket, User, Visit } from '@ostiary/identity'
import type { Place } from './place.js'
import { dueAt, findRequest } from './request-record.js'
import { dateIn, textsOf } from './texts.js'

/** The page that offers it, below the realm. */
export const RESTORE_PATH = '/login/restore'

/** How long the page works after the sign-in, in seconds. */
const OFFER_SECONDS = 600

/** What the cookie seals. */
interface Offer {
  /** Claimed by the form, so that a copied cookie does nothing later. */
  id: string
  sub: string
  /** Of the user, when the sign-in has ended here: a change of the account's credentials ends it. */
  credential_version: number
  /** Epoch seconds. */
  expires_at: number
}

const cookieOf = (c: Visit) => c.cookie('ostiary_restore', /^[\w-]+$/)

/** In the place of the session. Null: the account does not wait for a deletion. */
export async function interrupted(c: Interruption, { tickets }: Place): Promise<Response | null> {
  const { user, return_to } = c
  const { sub, credential_version } = user
  if ((await findRequest(tickets(c.realm.id), sub, c.now())) === null) return null
  const id = randomBytes(16).toString('base64url')
  const offer: Offer = { id, sub, credential_version, expires_at: c.now() + OFFER_SECONDS }
  const cookie = cookieOf(c).write(c.seal(offer), OFFER_SECONDS)
  return c.redirect(`${c.realm.urls.issuer}${RESTORE_PATH}?${new URLSearchParams({ return_to })}`, [cookie])
}

interface Offered {
  offer: Offer
  user: User
  request: Ticket
}

/** Null without a cookie, after its time, and when the account has changed since. */
async function findOffer(c: Arrival, { tickets }: Place): Promise<Offered | null> {
  const text = cookieOf(c).read()
  const offer = text === null ? null : (c.open(text) as Offer | null)
  if (offer === null || c.now() >= offer.expires_at) return null
  // What the form seals is no offer.
  if (typeof offer.sub !== 'string') return null
  const user = await c.users.find(offer.sub)
  if (user === null || user.disabled_at !== null) return null
  if (user.credential_version !== offer.credential_version) return null
  const request = await findRequest(tickets(c.realm.id), offer.sub, c.now())
  return request && { offer, user, request }
}

/** The sign-in begins again: its next end comes here, where there is still something to decide. */
const toSignIn = (c: Arrival): Response =>
  c.redirect(`${c.realm.urls.issuer}/account`, [cookieOf(c).write('', 0)])

/** Answers GET. */
export async function restorePage(c: Arrival, place: Place): Promise<Response> {
  const offered = await findOffer(c, place)
  const return_to = new URL(c.request.url).searchParams.get('return_to') ?? ''
  return offered === null ? toSignIn(c) : offerPage(c, { ...offered, return_to })
}

interface Shown extends Offered {
  /** Where the next sign-in begins; the sign-in checks it. */
  return_to: string
  problem?: Html
}

function offerPage(c: Arrival, { offer, user, request, return_to, problem }: Shown): Response {
  const { html, realm } = c
  const texts = textsOf(c.language.tag)
  const body = html`<h1>${texts.waits}</h1>
<p class="aside"><bdi>${user.username}</bdi></p>
${problem ?? ''}<p>${texts.waits_text(dateIn(c.language.tag, dueAt(request)))}</p>
<form method="post" action="${realm.path + RESTORE_PATH}">
<input type="hidden" name="confirm" value="${c.seal(offer.id)}">
<input type="hidden" name="return_to" value="${return_to}">
<button type="submit">${texts.keep}</button>
</form>
<p class="small">${texts.or_close}</p>`
  return c.page({
    title: texts.waits,
    body,
    status: problem === undefined ? 200 : 403,
    form_leads_to: 'self',
  })
}

/** Ends the request. Whether the account is still there is read after that, as the deletion reads the request after it has disabled the user. */
export async function postedRestore(c: Arrival, place: Place): Promise<Response> {
  const form = await c.form()
  if (form instanceof Response) return form
  const offered = await findOffer(c, place)
  if (offered === null) return toSignIn(c)
  const { html } = c
  const { offer, request } = offered
  const { sub } = offer
  const return_to = form.get('return_to') ?? ''
  if (c.open(form.get('confirm') ?? '') !== offer.id) {
    c.emit({ type: 'login.refused', reason: 'csrf', client_id: null, sub })
    const text = c.text('sign_in.not_confirmed')
    const problem = html`<p class="note" id="error" role="alert">${text}</p>\n`
    return offerPage(c, { ...offered, return_to, problem })
  }
  const is_first = await c.claim(offer.id, offer.expires_at)
  const ended = is_first ? await place.tickets(c.realm.id).take(request.ticket_hash) : null
  if (ended === null) return toSignIn(c)
  const user = await c.users.find(sub)
  if (user === null || user.disabled_at !== null) return endPage(c, { is_kept: false, return_to })
  c.emit({ type: 'account.deletion_withdrawn', sub })
  return endPage(c, { is_kept: true, return_to })
}

function endPage(c: Arrival, { is_kept, return_to }: { is_kept: boolean; return_to: string }): Response {
  const { html, realm } = c
  const texts = textsOf(c.language.tag)
  const [title, text] = is_kept ? [texts.kept, texts.kept_text] : [texts.gone, texts.gone_text]
  const sign_in = `${realm.path}/login?${new URLSearchParams({ return_to })}`
  const body = html`<h1>${title}</h1>
<p>${text}</p>
${is_kept && html`<p><a class="switch" href="${sign_in}">${texts.sign_in}</a></p>`}`
  const cookies = [cookieOf(c).write('', 0)]
  return c.page({ title, body, status: is_kept ? 200 : 409, cookies })
}
