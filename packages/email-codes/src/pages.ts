/** The pages. */

import { isAddress, MAX_USERNAME_LENGTH } from '@ostiary/core/common'
import type { ExtensionSection, Html, SignInVisit, UserVisit, Visit } from '@ostiary/identity'
import { MAX_TYPED_CHARACTERS } from './code.js'
import { partsOf, textsOf } from './texts.js'
import type { WaitingCode } from './waiting.js'

export const PATH = '/login/code'

/** In the form of the name and the password: it sends the name here, and the browser checks no password before. */
export const button = ({ html, realm, language }: Visit): Html => html`
<button type="submit" class="quiet" formaction="${realm.path + PATH}" formnovalidate>${textsOf(language.tag)('button')}</button>`

interface NameForm {
  /** Hidden. */
  fields: Html
  username: string
}

/** For the sign-in page where it has no form for the name: there is the button of the passkeys. */
export const form = (c: Visit, { fields, username }: NameForm): Html =>
  nameForm(c, { fields, username, button: c.html` class="quiet"` })

function nameForm(
  { html, realm, language, text }: Visit,
  {
    fields,
    username,
    field = null,
    button: ofButton = null,
  }: NameForm & { field?: Html | null; button?: Html | null },
): Html {
  return html`<form method="post" action="${realm.path + PATH}">
${fields}
<div>
<label for="username">${text('sign_in.username')}</label>
<input id="username" name="username" type="text" value="${username.slice(0, MAX_USERNAME_LENGTH)}" required maxlength="${MAX_USERNAME_LENGTH}"
 autocomplete="username" autocapitalize="none" autocorrect="off" spellcheck="false"${field}>
</div>
<button type="submit"${ofButton}>${textsOf(language.tag)('button')}</button>
</form>`
}

interface Shown {
  /** A sentence; empty for none. */
  problem: string
  status: number
  cookies: string[]
}

const FINE: Shown = { problem: '', status: 200, cookies: [] }

function page(c: SignInVisit, title: string, { body, ...shown }: Shown & { body: Html }): Response {
  const { html, realm, return_to, csrf_cookie } = c
  const { problem, status, cookies } = shown
  const other = `${realm.path}/login?${new URLSearchParams({ return_to })}`
  return c.page({
    title,
    body: html`<h1>${title}</h1>
${body}
<p class="small"><a class="switch" href="${other}">${textsOf(c.language.tag)('other')}</a></p>`,
    status: problem === '' ? 200 : status,
    // Also to another provider, where a name may lead.
    form_leads_to: 'client',
    cookies: csrf_cookie === null ? cookies : [...cookies, csrf_cookie],
  })
}

const note = ({ html }: Visit, problem: string): Html | false =>
  problem !== '' && html`\n<p class="note" id="error" role="alert">${problem}</p>`

const invalid = ({ html }: Visit, { problem, status }: Shown): Html | null =>
  problem === '' ? null : html` aria-describedby="error"${status === 422 && html` aria-invalid="true"`}`

/** Asks for the name. */
export function askPage(
  c: SignInVisit,
  { username, ...more }: Partial<Shown> & { username: string },
): Response {
  const { html, fields } = c
  const texts = textsOf(c.language.tag)
  const shown = { ...FINE, ...more }
  const field = html`${shown.problem !== '' && html` aria-describedby="error"`} autofocus`
  const body = html`<p>${texts('explained')}</p>${note(c, shown.problem)}
${nameForm(c, { fields, username, field })}`
  return page(c, texts('title'), { ...shown, body })
}

/** Asks for the code: the same page for each name. */
export function enterPage(
  c: SignInVisit,
  { username }: Pick<WaitingCode, 'username'>,
  more: Partial<Shown> = {},
): Response {
  const { html, realm, fields, text } = c
  const texts = textsOf(c.language.tag)
  const shown = { ...FINE, ...more }
  const [before, after] = partsOf(c.language.tag, 'sent')
  const action = realm.path + PATH
  const body = html`<p>${before}<bdi>${username}</bdi>${after}</p>${note(c, shown.problem)}
<form method="post" action="${action}">
${fields}
<div>
<label for="code">${texts('code')}</label>
<input id="code" name="code" type="text" inputmode="text" required maxlength="${MAX_TYPED_CHARACTERS}"
 autocomplete="one-time-code" autocapitalize="characters" autocorrect="off" spellcheck="false"${invalid(c, shown)} autofocus>
<p class="hint">${texts('hint')}</p>
</div>
<button type="submit">${text('sign_in.submit')}</button>
</form>
<form class="back" method="post" action="${action}">
${fields}
<button type="submit" class="quiet">${texts('again')}</button>
</form>`
  return page(c, text('forgot.sent_title'), { ...shown, body })
}

/**
 * Of the account page. A code is a way in as long as the account has a verified address: alone, or together with the factor of an account
 * that has one.
 */
export function section({ html, language, user, isElsewhere }: UserVisit): ExtensionSection | null {
  const { email, email_verified } = user.claims
  if (email_verified !== true || !isAddress(email) || isElsewhere(user)) return null
  const [before, after] = partsOf(language.tag, 'section_text')
  return {
    html: html`
<section aria-labelledby="email-codes">
<h2 id="email-codes">${textsOf(language.tag)('section')}</h2>
<p class="aside">${before}<bdi>${email}</bdi>${after}</p>
</section>`,
    signs_in: 'without_factor',
  }
}
