import type { Realm } from '@ostiary/core'
import { html } from './html.js'
import { linkTo, renderPage } from './page.js'
import type { Presentation } from './presentation.js'

/**
 * The page at the root of a realm, for a user who has come without an application's request.
 * @param account_path The address of the account page; null when it is disabled.
 */
export function landingPage(presentation: Presentation, realm: Realm, account_path: string | null): Response {
  const { text } = presentation.language
  const body = html`<h1>${text('landing.heading')}</h1>
<p>${text('landing.advice')}</p>
${linkTo(account_path, text('landing.account'))}`
  return renderPage(presentation, { realm, title: text('landing.title'), body })
}
