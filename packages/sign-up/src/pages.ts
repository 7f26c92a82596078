/** The pages. */

import type { Html, SignUpVisit } from '@ostiary/identity'
import type { SignUpSettings } from './settings.js'
import { textsOf } from './texts.js'

export const PATH = '/login/signup'

/** What a page leads back to. */
const queryOf = ({ return_to }: SignUpVisit): string =>
  return_to === '' ? '' : `?${new URLSearchParams({ return_to })}`

interface Shown {
  /** A sentence; empty for none. */
  problem: string
  status: number
}

const FINE: Shown = { problem: '', status: 200 }

/** A form with a POST to this page, and a link below. */
function formPage(c: SignUpVisit, { problem, status }: Shown, page: { title: string; form: Html }): Response {
  const { html, realm, csrf_token, csrf_cookie } = c
  const body = html`<h1>${page.title}</h1>
${problem !== '' && html`<p class="note" id="error" role="alert">${problem}</p>`}
<form method="post" action="${realm.path + PATH + queryOf(c)}">
<input type="hidden" name="csrf_token" value="${csrf_token}">
${page.form}
</form>
${signInLink(c)}`
  return c.page({
    title: page.title,
    body,
    status,
    form_leads_to: 'self',
    cookies: csrf_cookie === null ? [] : [csrf_cookie],
  })
}

const signInLink = (c: SignUpVisit): Html =>
  c.html`<p class="small"><a class="switch" href="${`${c.realm.path}/login${queryOf(c)}`}">${c.text('forgot.back')}</a></p>`

/** Which addresses can be used; empty for all. */
export const domainsText = (c: SignUpVisit, { signup_domains = [] }: SignUpSettings): string =>
  signup_domains.length === 0 ? '' : `${textsOf(c.language.tag).domains} ${signup_domains.join(', ')}`

/** Asks for the address. */
export function askPage(
  c: SignUpVisit,
  settings: SignUpSettings,
  { address = '', more = null, ...shown }: Partial<Shown> & { address?: string; more?: Html | null } = {},
): Response {
  const { html } = c
  const texts = textsOf(c.language.tag)
  const { problem, status } = { ...FINE, ...shown }
  const domains = domainsText(c, settings)
  const described = problem !== '' && html` aria-describedby="error"`
  const form = html`<p>${texts.explained}</p>
${domains !== '' && domains !== problem && html`<p class="aside">${domains}</p>`}
<div>
<label for="address">${texts.address}</label>
<input id="address" name="address" type="text" inputmode="email" value="${address.slice(0, 255)}" required maxlength="255"
 autocomplete="email" autocapitalize="none" autocorrect="off" spellcheck="false"${described} autofocus>
</div>
${more}${more && '\n'}<button type="submit">${c.text('forgot.submit')}</button>`
  return formPage(c, { problem, status }, { title: texts.title, form })
}

/** The button of a link: nothing happens before. */
export function linkPage(
  c: SignUpVisit,
  { to, t }: { to: string; t: string },
  shown: Partial<Shown> = {},
): Response {
  const { html } = c
  const { confirm, confirm_text, lasts } = textsOf(c.language.tag)
  const form = html`<p>${confirm_text} <bdi>${to}</bdi></p>
<p>${lasts}</p>
<input type="hidden" name="t" value="${t}">
<button type="submit">${c.text('ticket.submit')}</button>`
  return formPage(c, { ...FINE, ...shown }, { title: confirm, form })
}

/** A page of sentences. */
function saysPage(
  c: SignUpVisit,
  title: string,
  { status, sentences }: { status: number; sentences: string[] },
): Response {
  const { html } = c
  return c.page({
    title,
    body: html`<h1>${title}</h1>
${sentences.map((sentence) => html`<p>${sentence}</p>\n`)}${signInLink(c)}`,
    status,
  })
}

/** The same for every address. */
export const sentPage = (c: SignUpVisit): Response =>
  saysPage(c, c.text('forgot.sent_title'), { status: 200, sentences: [textsOf(c.language.tag).sent] })

/** For a link that is of another realm, used, too old, or none. */
export const badLinkPage = (c: SignUpVisit): Response =>
  saysPage(c, c.text('ticket.bad'), {
    status: 400,
    sentences: [c.text('ticket.bad_why'), c.text('reset.bad_advice')],
  })

/** For who has used a link, and has an account. */
export function knownPage(c: SignUpVisit): Response {
  const { known, known_text } = textsOf(c.language.tag)
  return saysPage(c, known, { status: 409, sentences: [known_text] })
}
