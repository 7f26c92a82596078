import type { Client, LoginPrompt } from '@ostiary/core'
import { MAX_PASSWORD_LENGTH } from '../users/passwords.js'
import { MAX_USERNAME_LENGTH } from '../users/user-store.js'
import { LOGIN_PATH, pathIn } from '../web/paths.js'
import { clientName } from './client-name.js'
import { answerTarget, selfRegisteredNote } from './client-notes.js'
import { html } from './html.js'
import { renderPage } from './page.js'
import type { ResolvedTheme } from './theme.js'

/** What the sign-in is for: the authorization request of a client, or the account page when `client` is null. */
export interface SignInPrompt extends Pick<LoginPrompt, 'realm' | 'reason' | 'return_to'> {
  client: Client | null
  redirect_uri: string | null
}

export interface SignInView {
  prompt: SignInPrompt
  csrf_token: string
  username: string
  /** Why the last attempt was refused: a sentence for the user. */
  error: string | null
  status?: number
  headers?: Record<string, string>
}

export function signInPage(theme: ResolvedTheme, page: SignInView): Response {
  const { prompt, csrf_token, username, error, status = 200, headers = {} } = page
  const ariaInvalid = status === 422 && html` aria-invalid="true"`
  const ariaAttributes = error !== null && html` aria-describedby="error"${ariaInvalid}`
  const autofocus = html` autofocus`
  const { client } = prompt
  const purpose = client ? html`to continue to ${clientName(client)}` : html`to see your account`
  const { realm, redirect_uri } = prompt
  const self_registered = client?.self_registered === true
  const body = html`<h1>Sign in</h1>
<p>${prompt.reason === 'signed_out' ? purpose : html`Confirm that it is you, ${purpose}`}</p>
${client && selfRegisteredNote(client)}
${self_registered && redirect_uri !== null && html`<p>The answer goes to ${answerTarget(redirect_uri)}.</p>`}
${error !== null && html`<p class="note" id="error" role="alert">${error}</p>`}
<form method="post" action="${pathIn(prompt.realm, LOGIN_PATH)}">
<input type="hidden" name="return_to" value="${prompt.return_to}">
<input type="hidden" name="csrf_token" value="${csrf_token}">
<div>
<label for="username">Username</label>
<input id="username" name="username" type="text" value="${username}" required maxlength="${MAX_USERNAME_LENGTH}"
 autocomplete="username" autocapitalize="none" autocorrect="off" spellcheck="false"${ariaAttributes}${username === '' && autofocus}>
</div>
<div>
<label for="password">Password</label>
<input id="password" name="password" type="password" required maxlength="${MAX_PASSWORD_LENGTH}"
 autocomplete="current-password"${ariaAttributes}${username !== '' && autofocus}>
</div>
<button type="submit">Sign in</button>
</form>`
  return renderPage({ theme, realm, title: 'Sign in', body, status, headers, form_leads_to: [redirect_uri] })
}
