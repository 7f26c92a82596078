import type { Realm } from '@ostiary/core'
import { MAX_PASSWORD_LENGTH } from '../users/passwords.js'
import { ACCOUNT_PATH, pathIn } from '../web/paths.js'
import type { FormProblem } from './account-view.js'
import { html } from './html.js'
import { renderPage } from './page.js'
import type { ResolvedTheme } from './theme.js'

export interface ConfirmView {
  realm: Realm
  username: string
  csrf_token: string
  action: 'end_session' | 'end_others'
  sid?: string
  problem?: FormProblem
}

/** Asks for the password before other sessions are ended. */
export function confirmPage(theme: ResolvedTheme, page: ConfirmView): Response {
  const { realm, username, csrf_token, action, sid, problem } = page
  const devices = action === 'end_others' ? 'all other devices' : 'the other device'
  const ariaInvalid = problem?.status === 422 && html` aria-invalid="true"`
  const ariaAttributes = problem && html` aria-describedby="error"${ariaInvalid}`
  const body = html`<h1>Confirm that it is you</h1>
<p>You signed in here some time ago. To sign out ${devices}, enter the password of <bdi>${username}</bdi>.</p>
${problem && html`<p class="note" id="error" role="alert">${problem.text}</p>`}
<form method="post" action="${pathIn(realm, ACCOUNT_PATH)}">
<input type="hidden" name="csrf_token" value="${csrf_token}">
<input type="hidden" name="action" value="${action}">
${sid !== undefined && html`<input type="hidden" name="sid" value="${sid}">`}
<div>
<label for="current_password">Password</label>
<input id="current_password" name="current_password" type="password" required maxlength="${MAX_PASSWORD_LENGTH}"
 autocomplete="current-password" autofocus${ariaAttributes}>
</div>
<button type="submit">Sign out ${devices}</button>
</form>
<p class="small"><a class="switch" href="${pathIn(realm, ACCOUNT_PATH)}">Back to your account</a></p>`
  const retry_after = problem?.retry_after
  const headers = retry_after === undefined ? {} : { 'retry-after': String(retry_after) }
  const status = problem?.status ?? 200
  return renderPage({
    theme,
    realm,
    title: 'Confirm that it is you',
    body,
    status,
    headers,
    form_leads_to: 'self',
  })
}
