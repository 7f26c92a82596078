/** The pages. */

import type { Html, SignInVisit } from '@ostiary/identity'
import type { TermsSettings } from './settings.js'
import { textsOf } from './texts.js'
import type { WaitingSignIn } from './waiting.js'

export const PATH = '/login/terms'

/** What the page needs. */
export interface Asked extends WaitingSignIn {
  settings: TermsSettings
  /** Whether the last form was not that of this page. */
  not_confirmed?: boolean
}

/** Asks for the terms, in the place of the session. */
export function termsPage(c: SignInVisit, asked: Asked): Response {
  const { html } = c
  const { user, settings, not_confirmed = false } = asked
  const texts = textsOf(c.language.tag)
  const { version, url, privacy_url } = settings
  const body = html`<h1>${texts.title}</h1>
<p class="aside"><bdi>${user.username}</bdi></p>
${not_confirmed && html`<p class="note" id="error" role="alert">${texts.not_confirmed}</p>\n`}<p>${user.terms ? texts.changed : texts.asked}</p>
<p>${opened(c, url, texts.terms)}<br>
<span class="hint">${texts.version} <bdi>${version}</bdi> ${texts.new_tab}</span></p>
${
  privacy_url !== undefined &&
  html`<p>${opened(c, privacy_url, texts.privacy)}<br>
<span class="hint">${texts.privacy_hint} ${texts.new_tab}</span></p>\n`
}${form(c, asked, { action: 'accept', button: texts.accept })}
${form(c, asked, { action: 'decline', button: texts.decline, quiet: true })}
<p class="small">${texts.effect}</p>`
  return c.page({
    title: texts.title,
    body,
    status: not_confirmed ? 403 : 200,
    form_leads_to: c.client_id === null ? 'self' : 'client',
  })
}

/** A link that leaves this page open: the sign-in waits on it. */
const opened = ({ html }: SignInVisit, url: string, text: string): Html =>
  html`<a href="${url}" target="_blank" rel="noopener noreferrer">${text}</a>`

function form(
  c: SignInVisit,
  { waiting, settings }: Asked,
  { action, button, quiet = false }: { action: string; button: string; quiet?: boolean },
): Html {
  const { html } = c
  const fields = {
    return_to: c.return_to,
    // Who cannot read this page does not know it: the cookie has the id alone.
    confirm: c.seal(waiting.id),
    version: settings.version,
    action,
  }
  return html`<form${quiet && html` class="back"`} method="post" action="${c.realm.path + PATH}">
${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">\n`)}<button type="submit"${quiet && html` class="quiet"`}>${button}</button>
</form>`
}

/** Where there is no application to go back to. */
export function declinedPage(c: SignInVisit, cookies: string[]): Response {
  const { html, realm, return_to } = c
  const texts = textsOf(c.language.tag)
  const body = html`<h1>${texts.declined}</h1>
<p>${texts.declined_text}</p>
<p class="small"><a class="switch" href="${`${realm.path}/login?${new URLSearchParams({ return_to })}`}">${texts.back}</a></p>`
  return c.page({ title: texts.declined, body, status: 200, cookies })
}
