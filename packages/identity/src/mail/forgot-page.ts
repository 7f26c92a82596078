import type { Realm } from '@ostiary/core'
import { MAX_USERNAME_LENGTH } from '@ostiary/core/common'
import { AS_TYPED, type Html, html } from '../pages/html.js'
import { alertNote, renderPage } from '../pages/page.js'
import type { Presentation } from '../pages/presentation.js'

export interface ForgotView {
  realm: Realm
  title: string
  /** The path of the form. */
  action: string
  fields: Html
  username: string
  /** A sentence; empty for none. */
  problem: string
  /** What the form has too. */
  more: Html | null
  /** The path of the sign-in; null for none. */
  back: string | null
  /** `client`: also to another provider, where a name may lead. */
  form_leads_to: 'client' | 'self'
  cookies: (string | null)[]
  status: 200 | 403 | 422
}

/** Asks for the user name. */
export function forgotPage(presentation: Presentation, page: ForgotView): Response {
  const { text } = presentation.language
  const { realm, title, action, fields, username, problem, more, back, cookies } = page
  const body = html`<h1>${title}</h1>
<p>${text('forgot.explained')}</p>
${problem !== '' && alertNote(problem)}
<form method="post" action="${action}">
${fields}
<div>
<label for="username">${text('sign_in.username')}</label>
<input id="username" name="username" type="text" value="${username}" required maxlength="${MAX_USERNAME_LENGTH}"
 autocomplete="username"${AS_TYPED} autofocus>
</div>
${more}${more && '\n'}<button type="submit">${text('forgot.submit')}</button>
</form>
${backLink(presentation, back)}`
  return renderPage(presentation, {
    realm,
    title,
    body,
    status: page.status,
    cookies,
    form_leads_to: page.form_leads_to,
  })
}

/** The same for every name. */
export function sentPage(
  presentation: Presentation,
  { realm, back }: Pick<ForgotView, 'realm' | 'back'>,
): Response {
  const { text } = presentation.language
  const title = text('forgot.sent_title')
  const body = html`<h1>${title}</h1>
<p>${text('forgot.sent')}</p>
<p>${text('forgot.sent_hint')}</p>
${backLink(presentation, back)}`
  return renderPage(presentation, { realm, title, body })
}

const backLink = ({ language }: Presentation, back: string | null): Html | false =>
  back !== null &&
  html`<p class="small"><a class="switch" href="${back}">${language.text('forgot.back')}</a></p>`
