import type { Realm } from '@ostiary/core'
import { html } from '../html.js'
import { renderPage } from '../page.js'
import type { Look } from '../theme.js'

/** As the provider's own 503. */
const RETRY_SECONDS = 5

/** The storage is away for now. Loading the page again is right after a form too: what it sent is sent once more. */
export function unavailablePage(look: Look, realm: Realm): Response {
  const title = 'Not available right now'
  const body = html`<h1>${title}</h1>
<p>This service cannot answer at the moment. It has nothing to do with you or your account.</p>
<p>Please wait a few seconds, then load this page again. If that does not help, go back to the application and start again.</p>
<p class="small">Code: temporarily_unavailable</p>`
  return renderPage({ look, realm, title, body, status: 503, headers: { 'retry-after': `${RETRY_SECONDS}` } })
}
