/** The first page of a link, the page of a link that does not work, and the end. */

import type { Realm } from '@ostiary/core'
import { type Html, html } from '../html.js'
import { type Page, renderPage } from '../page.js'
import type { Presentation } from '../presentation.js'

interface TicketView {
  realm: Realm
  username: string
  /** The path of the form. */
  action: string
  fields: Html
  /** A sentence; empty for none. */
  problem: string
  cookies: (string | null)[]
}

/** Says whose account it is, and what the button does. Nothing happens before. */
export function ticketPage(presentation: Presentation, page: TicketView): Response {
  const { text } = presentation.language
  const { realm, username, action, fields, problem, cookies } = page
  const body = html`${opening(presentation, username)}
${problem !== '' && html`<p class="note" id="error" role="alert">${problem}</p>`}
<p>${text('ticket.effect')}</p>
<p>${text('ticket.then')}</p>
<form method="post" action="${action}">
${fields}
<button type="submit">${text('ticket.submit')}</button>
</form>`
  return ticketDocument(presentation, { realm, body, cookies, status: problem === '' ? 200 : 403 })
}

const opening = (
  { language }: Presentation,
  username: string,
): Html => html`<h1>${language.text('ticket.title')}</h1>
<p class="aside">${language.markup('step.account', { username: html`<bdi>${username}</bdi>` })}</p>`

const ticketDocument = (presentation: Presentation, page: Omit<Page, 'title'>): Response =>
  renderPage(presentation, {
    ...page,
    title: presentation.language.text('ticket.title'),
    form_leads_to: 'self',
  })

/** For a link that is unknown, used, too old, replaced, or whose account has changed. */
export function unknownTicketPage(presentation: Presentation, realm: Realm): Response {
  const { text } = presentation.language
  const title = text('ticket.bad')
  const body = html`<h1>${title}</h1>
<p>${text('ticket.bad_why')}</p>
<p>${text('ticket.bad_advice')}</p>`
  return renderPage(presentation, { realm, title, body, status: 400 })
}

interface DoneView {
  realm: Realm
  username: string
  /** Null where there is no account page: then nothing is left to do here. */
  target: { action: string; fields: Html } | null
  cookies?: (string | null)[]
}

/** After the last step. */
export function donePage(
  presentation: Presentation,
  { realm, username, target, cookies = [] }: DoneView,
): Response {
  const { text } = presentation.language
  const body = html`${opening(presentation, username)}
<p>${text('regain.done')}</p>
${
  target !== null &&
  html`<form method="post" action="${target.action}">
${target.fields}
<button type="submit">${text('regain.finish')}</button>
</form>`
}`
  return ticketDocument(presentation, { realm, body, cookies })
}
