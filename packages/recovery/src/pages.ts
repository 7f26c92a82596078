/** The pages. */

import type { Html, RecoveryVisit, User } from '@ostiary/identity'
import { textsOf } from './texts.js'

export const PATH = '/login/regain'

/** What a form was refused for. */
export interface Refused {
  /** A sentence. */
  text: string
  status: number
}

interface FormsPage {
  title: string
  user: User
  refused: Refused | null
  forms: Html
  /** Where the forms lead; to this site when absent. */
  leads_to?: 'client' | 'self'
}

/** A page about an account, with forms. */
function formsPage(
  c: RecoveryVisit,
  { title, user, refused, forms, leads_to = 'self' }: FormsPage,
): Response {
  const { html } = c
  const body = html`<h1>${title}</h1>
<p class="aside"><bdi>${user.username}</bdi></p>
${refused !== null && html`<p class="note" id="error" role="alert">${refused.text}</p>`}
${forms}`
  return c.page({
    title,
    body,
    status: refused?.status ?? 200,
    form_leads_to: leads_to,
    cookies: c.csrf_cookie === null ? [] : [c.csrf_cookie],
  })
}

/** A form that does one thing. @param content Above its button. */
function form(
  c: RecoveryVisit,
  fields: Readonly<Record<string, string>>,
  { content = null, button, quiet = false }: { content?: Html | null; button: string; quiet?: boolean },
): Html {
  const { html } = c
  const all = { csrf_token: c.csrf_token, ...fields }
  return html`<form${quiet && html` class="back"`} method="post" action="${c.realm.path + PATH}">
${Object.entries(all).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">\n`)}${content}
<button type="submit"${quiet && html` class="quiet"`}>${button}</button>
</form>`
}

/** The same for an account with recovery codes, and for one without. @param until When a delay that begins now ends. */
export function askPage(
  c: RecoveryVisit,
  { user, t, until }: { user: User; t: string; until: number },
  refused: Refused | null = null,
): Response {
  const { html } = c
  const text = textsOf(c.language.tag)
  const described = refused !== null && html` aria-describedby="error"`
  const code = html`<div>
<label for="recovery_code">${c.text('recovery.code')}</label>
<input id="recovery_code" name="recovery_code" type="text" required maxlength="40" autocomplete="off"
 autocapitalize="none" autocorrect="off" spellcheck="false"${described} autofocus>
<p class="hint">${c.text('recovery.hint')}</p>
</div>`
  const forms = html`<p>${text('code')} ${c.text('ticket.effect')}</p>
${form(c, { t, action: 'code' }, { content: code, button: c.text('ticket.submit') })}
${form(c, { t, action: 'wait' }, { content: html`<p>${text('wait', { time: c.time(until) })}</p>`, button: text('wait_submit'), quiet: true })}`
  return formsPage(c, { title: text('title'), user, refused, forms })
}

/** After the delay: nothing happens before the button is pressed. */
export function beginPage(
  c: RecoveryVisit,
  { user, t }: { user: User; t: string },
  refused: Refused | null,
): Response {
  const { html } = c
  const forms = html`<p>${c.text('ticket.effect')}</p>
<p>${c.text('ticket.then')}</p>
${form(c, { t, action: 'begin' }, { button: c.text('ticket.submit') })}`
  return formsPage(c, { title: c.text('ticket.title'), user, refused, forms })
}

/** Of the link that cancels. */
export function cancelPage(
  c: RecoveryVisit,
  { user, link }: { user: User; link: string },
  refused: Refused | null,
): Response {
  const { html } = c
  const text = textsOf(c.language.tag)
  const forms = html`<p>${text('cancel_effect')}</p>
${form(c, { c: link, action: 'cancel' }, { button: text('cancel') })}`
  return formsPage(c, { title: text('cancel'), user, refused, forms })
}

/** What says that a recovery waits, and the button that ends it. @param next Sealed: where to go on. */
export function waitingNote(
  c: RecoveryVisit,
  { time, waits, next = '' }: { time: string; waits: string; next?: string },
): Html {
  const { html } = c
  const text = textsOf(c.language.tag)
  const fields = { action: 'end', waits, ...(next !== '' && { next }) }
  return html`<div class="note" role="alert">
<p>${text('banner', { time })}</p>
${form(c, fields, { button: text('cancel') })}
</div>`
}

/** Before a sign-in goes on. @param location Where it goes on. */
export function interruption(
  c: RecoveryVisit,
  { user, note, location }: { user: User; note: Html; location: string },
): Response {
  const { html } = c
  const text = textsOf(c.language.tag)
  const forms = html`${note}
<p class="small"><a class="switch" href="${location}">${text('go_on')}</a></p>`
  return formsPage(c, { title: text('notice_title'), user, refused: null, forms, leads_to: 'client' })
}

/** A page of sentences. */
function saysPage(
  c: RecoveryVisit,
  title: string,
  { sentences, status = 200 }: { sentences: readonly string[]; status?: number },
): Response {
  const { html } = c
  const body = html`<h1>${title}</h1>
${sentences.map((sentence) => html`<p>${sentence}</p>\n`)}
<p class="small"><a class="switch" href="${`${c.realm.path}/login`}">${c.text('forgot.back')}</a></p>`
  return c.page({ title, body, status })
}

/** The delay has begun. */
export function waitsPage(c: RecoveryVisit, until: number): Response {
  const text = textsOf(c.language.tag)
  return saysPage(c, text('waits_title'), { sentences: [text('waits', { time: c.time(until) })] })
}

/** The link of a recovery whose delay is not over. */
export function earlyPage(c: RecoveryVisit, until: number): Response {
  const text = textsOf(c.language.tag)
  return saysPage(c, text('title'), { sentences: [text('early', { time: c.time(until) })], status: 409 })
}

export function cancelledPage(c: RecoveryVisit): Response {
  const text = textsOf(c.language.tag)
  return saysPage(c, text('cancelled'), { sentences: [text('cancelled_advice')] })
}

/** There is nothing to cancel: the user must not believe that a recovery is cancelled that has begun. */
export function nonePage(c: RecoveryVisit): Response {
  const text = textsOf(c.language.tag)
  return saysPage(c, text('none'), { sentences: [text('none_why')], status: 409 })
}

/** The same for every link that does not work. */
export const badLinkPage = (c: RecoveryVisit): Response =>
  saysPage(c, c.text('ticket.bad'), {
    sentences: [c.text('ticket.bad_why'), c.text('reset.bad_advice')],
    status: 400,
  })
