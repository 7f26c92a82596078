import type { Realm } from '@ostiary/core'
import { MAX_PASSWORD_LENGTH } from '../users/passwords.js'
import { ACCOUNT_PATH, pathIn } from '../web/paths.js'
import type { FormProblem } from './account-view.js'
import { html } from './html.js'
import { alertNote, renderPage } from './page.js'
import type { Presentation } from './presentation.js'

export interface ConfirmView {
  realm: Realm
  username: string
  csrf_token: string
  action: 'end_session' | 'end_others'
  sid?: string
  problem?: FormProblem
}

/** Asks for the password before other sessions are ended. */
export function confirmPage(presentation: Presentation, page: ConfirmView): Response {
  const { text, markup } = presentation.language
  const { realm, username, csrf_token, action, sid, problem } = page
  const ariaInvalid = problem?.status === 422 && html` aria-invalid="true"`
  const ariaAttributes = problem && html` aria-describedby="error"${ariaInvalid}`
  const body = html`<h1>${text('confirm.title')}</h1>
<p>${markup(`confirm.${action}`, { username: html`<bdi>${username}</bdi>` })}</p>
${problem && alertNote(problem.text)}
<form method="post" action="${pathIn(realm, ACCOUNT_PATH)}">
<input type="hidden" name="csrf_token" value="${csrf_token}">
<input type="hidden" name="action" value="${action}">
${sid !== undefined && html`<input type="hidden" name="sid" value="${sid}">`}
<div>
<label for="current_password">${text('sign_in.password')}</label>
<input id="current_password" name="current_password" type="password" required maxlength="${MAX_PASSWORD_LENGTH}"
 autocomplete="current-password" autofocus${ariaAttributes}>
</div>
<button type="submit">${text(`confirm.submit_${action}`)}</button>
</form>
<p class="small"><a class="switch" href="${pathIn(realm, ACCOUNT_PATH)}">${text('confirm.back')}</a></p>`
  const retry_after = problem?.retry_after
  const headers = retry_after === undefined ? {} : { 'retry-after': String(retry_after) }
  const status = problem?.status ?? 200
  const title = text('confirm.title')
  return renderPage(presentation, { realm, title, body, status, headers, form_leads_to: 'self' })
}
