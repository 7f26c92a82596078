/** The first page of a link, the page of a link that does not work, and the end. */

import type { Realm } from '@ostiary/core'
import { type Html, html } from '../html.js'
import { alertNote, providerName, renderPage } from '../page.js'
import type { Presentation } from '../presentation.js'
import { timeFormats } from '../time.js'
import { accountLine } from '../user-card.js'

interface TicketView {
  realm: Realm
  username: string
  /** The path of the form. */
  action: string
  fields: Html
  /** When an invitation expires, in epoch seconds. Null for the link of a recovery. */
  invited_until: number | null
  /** A sentence; empty for none. */
  problem: string
  cookies: (string | null)[]
}

/** Says whose account it is, and what the button does. Nothing happens before. */
export function ticketPage(presentation: Presentation, page: TicketView): Response {
  const { text } = presentation.language
  const { realm, username, action, fields, invited_until, problem, cookies } = page
  const invited = invited_until !== null
  const body = html`${opening(presentation, { username, invited })}
${problem !== '' && alertNote(problem)}
${invited ? invitation(presentation, page, invited_until) : html`<p>${text('ticket.effect')}</p>\n<p>${text('ticket.then')}</p>`}
<form method="post" action="${action}">
${fields}
<button type="submit">${text('ticket.submit')}</button>
</form>`
  const status = problem === '' ? 200 : 403
  return renderPage(presentation, {
    realm,
    title: titleOf(presentation, invited),
    body,
    cookies,
    status,
    form_leads_to: 'self',
  })
}

/** @param until Epoch seconds. */
const invitation = (
  { language, theme }: Presentation,
  { realm, username }: TicketView,
  until: number,
): Html => html`<p>${language.markup('invite.made', {
  provider: providerName(theme, realm),
  username: html`<bdi>${username}</bdi>`,
})}</p>
<p>${language.markup('invite.then', { time: timeFormats(language, null).dateAndTime(until) })}</p>`

const titleOf = ({ language }: Presentation, invited: boolean): string =>
  language.text(invited ? 'invite.title' : 'ticket.title')

const opening = (
  presentation: Presentation,
  { username, invited }: Pick<DoneView, 'username' | 'invited'>,
): Html => html`<h1>${titleOf(presentation, invited)}</h1>
${accountLine(presentation.language, username)}`

/** For a link that is unknown, used, too old, replaced, or whose account has changed. @param next The account page, which asks for the sign-in; null where there is none. */
export function unknownTicketPage(
  presentation: Presentation,
  { realm, next }: { realm: Realm; next: string | null },
): Response {
  const { text } = presentation.language
  const title = text('ticket.bad')
  const body = html`<h1>${title}</h1>
<p>${text('ticket.bad_why')}</p>
<p>${text('ticket.bad_advice')}</p>
${next !== null && html`<p class="small"><a class="switch" href="${next}">${text('sign_in.submit')}</a></p>`}`
  return renderPage(presentation, { realm, title, body, status: 400 })
}

interface DoneView {
  realm: Realm
  username: string
  /** Whether the user was invited. */
  invited: boolean
  /** Null where there is no account page: then nothing is left to do here. */
  target: { action: string; fields: Html } | null
  cookies?: (string | null)[]
  form_leads_to?: 'client' | 'self'
}

/** After the last step. */
export function donePage(
  presentation: Presentation,
  { realm, username, invited, target, cookies = [], form_leads_to = 'self' }: DoneView,
): Response {
  const { text } = presentation.language
  const body = html`${opening(presentation, { username, invited })}
<p>${text('regain.done')}</p>
${
  target !== null &&
  html`<form method="post" action="${target.action}">
${target.fields}
<button type="submit">${text('regain.finish')}</button>
</form>`
}`
  const title = titleOf(presentation, invited)
  return renderPage(presentation, { realm, title, body, cookies, form_leads_to })
}
