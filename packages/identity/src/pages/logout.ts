import type { Client, LogoutPrompt, SignedOutPrompt } from '@ostiary/core'
import { namingClient } from './client-name.js'
import { type Html, html } from './html.js'
import { linkTo, renderPage } from './page.js'
import type { Presentation } from './presentation.js'
import { userCard } from './user-card.js'

/** Where a client that an operator made begins: a link for the user. A client that registered itself could lead anywhere. */
function homeOf({ origin, client_uri, post_logout_redirect_uris }: Client): string | null {
  if (origin !== 'operator') return null
  return client_uri ?? post_logout_redirect_uris.find((uri) => /^https?:/.test(uri)) ?? null
}

export function logoutPage(presentation: Presentation, prompt: LogoutPrompt): Response {
  const { language } = presentation
  const { text } = language
  const { realm, client, user, redirect_uri } = prompt
  const body = html`<h1>${text('sign_out.heading')}</h1>
${client && html`<p>${namingClient(language, 'sign_out.asked_by', client)}</p>`}
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

const keptAccess = ({ language: { text } }: Presentation, account_path: string | null): Html =>
  html`<p>${text('signed_out.kept')}${
    account_path !== null && html` <a href="${account_path}">${text('signed_out.access')}</a>`
  }</p>`

/** @param account_path The address of the account page, where a signed-out user signs in; null when it is disabled. */
export function signedOutPage(
  presentation: Presentation,
  { realm, client, was_signed_in, redirect_refused }: SignedOutPrompt,
  account_path: string | null,
): Response {
  const { language } = presentation
  const { text } = language
  const application = client && { client, home: homeOf(client) }
  const heading = text(was_signed_in ? 'signed_out.heading' : 'signed_out.nobody')
  const body = html`<h1>${heading}</h1>
${redirect_refused && html`<p class="note">${text('signed_out.redirect_refused')}</p>`}
<p>${text('signed_out.close')}</p>
${was_signed_in && !realm.scopes.hidden.has('offline_access') && keptAccess(presentation, account_path)}
${
  application &&
  application.home !== null &&
  html`<p><a href="${application.home}">${namingClient(language, 'sign_in.back', application.client)}</a></p>`
}
${linkTo(account_path, text('signed_out.again'))}`
  const title = was_signed_in ? text('signed_out.title') : heading
  return renderPage(presentation, { realm, title, body })
}
