import type { ConsentPrompt } from '@ostiary/core'
import { html } from '../html.js'
import { clientName, loginPath, renderPage } from '../page.js'
import type { Look } from '../theme.js'
import { personCard } from './person.js'

export function consentPage(look: Look, prompt: ConsentPrompt): Response {
  const { realm, client, scopes, resources, redirect_host, redirect_uri } = prompt
  const name = clientName(client)
  const another = `${loginPath(realm)}?return_to=${encodeURIComponent(prompt.return_to)}`
  const body = html`<h1>Allow <bdi>${name}</bdi> to use your account?</h1>
${personCard(prompt.user, html`<a class="switch" href="${another}">Use another account</a>`)}
${client.self_registered && html`<p class="note warning"><strong>This application registered itself.</strong> Make sure that you know it.</p>`}
<h2 id="scopes">It will be able to</h2>
<ul class="scopes" aria-labelledby="scopes">
${scopes.length === 0 && html`<li>Know that you are signed in</li>`}
${scopes.map(({ value, description }) => html`<li>${description ?? html`<code>${value}</code>`}</li>`)}
</ul>
<dl class="facts">
${resources.length > 0 && html`<div><dt>With your account at</dt>${resources.map((uri) => html`<dd>${uri}</dd>`)}</div>`}
<div><dt>Your answer goes to</dt><dd><bdi>${redirect_host}</bdi></dd></div>
</dl>
<form method="post" action="${prompt.action}">
<input type="hidden" name="auth_token" value="${prompt.auth_token}">
<div class="choice">
<button type="submit">Allow</button>
<button type="submit" class="quiet" name="_method" value="DELETE">Deny</button>
</div>
</form>`
  return renderPage({ look, realm, title: `Allow ${name}?`, body, form_leads_to: [redirect_uri] })
}
