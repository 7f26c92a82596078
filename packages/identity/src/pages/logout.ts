import type { LogoutPrompt, SignedOutPrompt } from '@ostiary/core'
import { clientName } from './client-name.js'
import { html } from './html.js'
import { renderPage } from './page.js'
import type { ResolvedTheme } from './theme.js'
import { userCard } from './user-card.js'

export function logoutPage(theme: ResolvedTheme, prompt: LogoutPrompt): Response {
  const { realm, client, user, redirect_uri } = prompt
  const body = html`<h1>Sign out?</h1>
${client && html`<p>${clientName(client)} asks to sign you out.</p>`}
${user && userCard(user)}
<form method="post" action="${prompt.action}">
<input type="hidden" name="confirmation_token" value="${prompt.confirmation_token}">
<button type="submit">Sign out</button>
</form>
<p class="small">To stay signed in, close this page.</p>`
  return renderPage({ theme, realm, title: 'Sign out', body, form_leads_to: [redirect_uri] })
}

export function signedOutPage(theme: ResolvedTheme, { realm }: SignedOutPrompt): Response {
  const body = html`<h1>You are signed out</h1>
<p>You can close this page.</p>`
  return renderPage({ theme, realm, title: 'Signed out', body })
}
