import type { LogoutPrompt, SignedOutPrompt } from '@ostiary/core'
import { clientName } from './client-name.js'
import { html } from './html.js'
import { renderPage } from './page.js'
import type { Presentation } from './presentation.js'
import { userCard } from './user-card.js'

export function logoutPage(presentation: Presentation, prompt: LogoutPrompt): Response {
  const { language } = presentation
  const { text, markup } = language
  const { realm, client, user, redirect_uri } = prompt
  const body = html`<h1>${text('sign_out.heading')}</h1>
${client && html`<p>${markup('sign_out.asked_by', { application: clientName(language, client) })}</p>`}
${user && userCard(language, user)}
<form method="post" action="${prompt.action}">
<input type="hidden" name="confirmation_token" value="${prompt.confirmation_token}">
<button type="submit">${text('sign_out.submit')}</button>
</form>
<p class="small">${text('sign_out.stay')}</p>`
  const title = text('sign_out.title')
  const form_leads_to = redirect_uri === null ? 'self' : 'client'
  return renderPage(presentation, { realm, title, body, form_leads_to })
}

export function signedOutPage(presentation: Presentation, { realm }: SignedOutPrompt): Response {
  const { text } = presentation.language
  const body = html`<h1>${text('signed_out.heading')}</h1>
<p>${text('signed_out.close')}</p>`
  return renderPage(presentation, { realm, title: text('signed_out.title'), body })
}
