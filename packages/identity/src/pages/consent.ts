import type { ConsentPrompt } from '@ostiary/core'
import { LOGIN_PATH, pathIn } from '../web/paths.js'
import { clientNameText, namingClient } from './client-name.js'
import { answerTarget, clientLinks, clientLogo, loopbackNote, originNote } from './client-notes.js'
import { html } from './html.js'
import { renderPage } from './page.js'
import type { Presentation } from './presentation.js'
import { askedScopes } from './scope-list.js'
import { userCard } from './user-card.js'

/** @param logo The path of the client's logo. */
export function consentPage(
  presentation: Presentation,
  prompt: ConsentPrompt,
  logo: string | null,
): Response {
  const { language } = presentation
  const { text, markup } = language
  const { realm, client, resources, redirect_host, redirect_uri } = prompt
  const another = `${pathIn(realm, LOGIN_PATH)}?return_to=${encodeURIComponent(prompt.return_to)}`
  const body = html`${clientLogo(logo)}<h1>${namingClient(language, 'consent.heading', client)}</h1>
${userCard(language, prompt.user, html`<a class="switch" href="${another}">${text('consent.another_account')}</a>`)}
${originNote(language, client)}
${loopbackNote(language, prompt)}
${askedScopes(language, prompt)}
${resources.length > 0 && html`<dl class="facts"><div><dt>${text('consent.resources')}</dt>${resources.map((uri) => html`<dd>${uri}</dd>`)}</div></dl>`}
<p class="target">${markup('consent.answer_target', { host: answerTarget(language, redirect_uri, redirect_host) })}</p>
<form method="post" action="${prompt.action}">
<input type="hidden" name="auth_token" value="${prompt.auth_token}">
<div class="choice">
<button type="submit">${text('consent.allow')}</button>
<button type="submit" class="quiet" name="_method" value="DELETE">${text('consent.deny')}</button>
</div>
</form>
${clientLinks(language, client)}`
  const title = text('consent.title', { application: clientNameText(language, client) })
  return renderPage(presentation, { realm, title, body, form_leads_to: 'client' })
}
