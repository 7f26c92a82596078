import type { ConsentPrompt } from '@ostiary/core'
import { LOGIN_PATH, pathIn } from '../web/paths.js'
import { clientName, clientNameText } from './client-name.js'
import { answerTarget, selfRegisteredNote } from './client-notes.js'
import { html } from './html.js'
import { renderPage } from './page.js'
import type { ResolvedTheme } from './theme.js'
import { userCard } from './user-card.js'

export function consentPage(theme: ResolvedTheme, prompt: ConsentPrompt): Response {
  const { realm, client, scopes, resources, redirect_host, redirect_uri } = prompt
  const another = `${pathIn(realm, LOGIN_PATH)}?return_to=${encodeURIComponent(prompt.return_to)}`
  const body = html`<h1>Allow ${clientName(client)} to use your account?</h1>
${userCard(prompt.user, html`<a class="switch" href="${another}">Use another account</a>`)}
${selfRegisteredNote(client)}
<h2 id="scopes">It will be able to</h2>
<ul class="scopes" aria-labelledby="scopes">
${scopes.length === 0 && html`<li>Know that you are signed in</li>`}
${scopes.map(({ value, description }) => html`<li>${description ?? html`<code>${value}</code>`}</li>`)}
${prompt.offline_access && html`<li>Keep this access when you are not using it</li>`}
</ul>
<dl class="facts">
${resources.length > 0 && html`<div><dt>With your account at</dt>${resources.map((uri) => html`<dd>${uri}</dd>`)}</div>`}
<div><dt>Your answer goes to</dt><dd>${answerTarget(redirect_uri, redirect_host)}</dd></div>
</dl>
<form method="post" action="${prompt.action}">
<input type="hidden" name="auth_token" value="${prompt.auth_token}">
<div class="choice">
<button type="submit">Allow</button>
<button type="submit" class="quiet" name="_method" value="DELETE">Deny</button>
</div>
</form>`
  const title = `Allow ${clientNameText(client)}?`
  return renderPage({ theme, realm, title, body, form_leads_to: [redirect_uri] })
}
