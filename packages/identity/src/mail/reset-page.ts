import type { Realm } from '@ostiary/core'
import type { FormProblem, NewPasswordView } from '../pages/account-view.js'
import { type Html, html } from '../pages/html.js'
import { alertNote, renderPage } from '../pages/page.js'
import { newPasswordFields } from '../pages/password-section.js'
import type { Presentation } from '../pages/presentation.js'
import { accountLine } from '../pages/user-card.js'

interface ResetView extends NewPasswordView {
  realm: Realm
  username: string
  /** The path of the form. */
  action: string
  fields: Html
  problem: FormProblem | null
  cookies: (string | null)[]
}

/** The form for the new password. */
export function resetPage(presentation: Presentation, page: ResetView): Response {
  const { language } = presentation
  const { text } = language
  const { realm, username, action, fields, problem, min_length, can_show, cookies } = page
  const title = text('forgot.title')
  const body = html`<h1>${title}</h1>
${accountLine(language, username)}
${problem !== null && alertNote(problem.text, 'password-error')}
<p>${text('reset.effect')}</p>
<form method="post" action="${action}">
${fields}
<label hidden>${text('account.username')} <input type="text" value="${username}" autocomplete="username" readonly></label>
${newPasswordFields(language, { problem, min_length, can_show })}
<button type="submit">${text('reset.submit')}</button>
</form>`
  return renderPage(presentation, {
    realm,
    title,
    body,
    status: problem?.status ?? 200,
    headers: problem?.retry_after === undefined ? {} : { 'retry-after': String(problem.retry_after) },
    cookies,
    form_leads_to: 'self',
    script: can_show,
  })
}

/** For a link that is unknown, used, too old, replaced, or whose account has changed. */
export function badLinkPage(
  presentation: Presentation,
  { realm, again }: { realm: Realm; again: string },
): Response {
  const { text } = presentation.language
  const title = text('ticket.bad')
  const body = html`<h1>${title}</h1>
<p>${text('ticket.bad_why')}</p>
<p><a href="${again}">${text('reset.bad_advice')}</a></p>`
  return renderPage(presentation, { realm, title, body, status: 400 })
}

/** @param next The path of the account page, which asks for the sign-in; null where there is none. */
export function resetDonePage(
  presentation: Presentation,
  { realm, next }: { realm: Realm; next: string | null },
): Response {
  const { text } = presentation.language
  const title = text('forgot.title')
  const body = html`<h1>${title}</h1>
<p class="note done" role="status">${text('reset.done')}</p>
${next !== null && html`<p class="small"><a class="switch" href="${next}">${text('sign_in.submit')}</a></p>`}`
  return renderPage(presentation, { realm, title, body })
}
