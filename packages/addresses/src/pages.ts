/** The pages of the links. */

import type { Html, PageVisit } from '@ostiary/identity'
import { PATH } from './link.js'
import { filled, textsOf } from './texts.js'

/** What a form was refused for. */
export interface Refused {
  /** A sentence. */
  text: string
  status: number
}

interface Shown {
  t: string
  to: string
  username: string
}

interface LinkPage extends Shown {
  title: string
  /** Above the address. */
  text: string
  /** Below it. */
  sentences: readonly string[]
  button: string
}

/** Nothing happens before the button is pressed. */
function linkPage(c: PageVisit, page: LinkPage, refused: Refused | null): Response {
  const { html } = c
  const body = html`<h1>${page.title}</h1>
<p class="aside"><bdi>${page.username}</bdi></p>
${refused !== null && html`<p class="note" id="error" role="alert">${refused.text}</p>`}
<form method="post" action="${c.realm.path + PATH}">
<input type="hidden" name="csrf_token" value="${c.csrf_token}">
<input type="hidden" name="t" value="${page.t}">
<div>
<p>${page.text} <bdi>${page.to}</bdi></p>
${page.sentences.map((sentence) => html`<p>${sentence}</p>\n`)}</div>
<button type="submit">${page.button}</button>
</form>`
  return c.page({
    title: page.title,
    body,
    status: refused?.status ?? 200,
    form_leads_to: 'self',
    cookies: c.csrf_cookie === null ? [] : [c.csrf_cookie],
  })
}

/** Of the link in the mail to the new address. */
export function verifyPage(c: PageVisit, shown: Shown, refused: Refused | null): Response {
  const texts = textsOf(c.language.tag)
  const sentences = [texts.confirm_effect, texts.confirm_not_you]
  const page = {
    ...shown,
    title: texts.confirm_title,
    text: texts.confirm_text,
    sentences,
    button: texts.confirm,
  }
  return linkPage(c, page, refused)
}

/** Of the link in the mail to the former address. */
export function undoPage(c: PageVisit, shown: Shown, refused: Refused | null): Response {
  const texts = textsOf(c.language.tag)
  const sentences = [c.text('ticket.effect')]
  return linkPage(
    c,
    { ...shown, title: texts.undo_title, text: texts.undo_text, sentences, button: texts.undo },
    refused,
  )
}

/** A page of sentences. */
function saysPage(
  c: PageVisit,
  title: string,
  { sentences, status = 200, next }: { sentences: readonly string[]; status?: number; next?: Html },
): Response {
  const { html } = c
  const body = html`<h1>${title}</h1>
${sentences.map((sentence) => html`<p>${sentence}</p>\n`)}
<p class="small">${next ?? accountLink(c)}</p>`
  return c.page({ title, body, status })
}

/** The page asks for the sign-in where the browser has no session. */
const accountLink = (c: PageVisit): Html =>
  c.html`<a class="switch" href="${`${c.realm.path}/account`}">${c.text('account.title')}</a>`

/** The same for every address. */
export const sentPage = (c: PageVisit): Response =>
  saysPage(c, c.text('forgot.sent_title'), { sentences: [textsOf(c.language.tag).sent] })

export function donePage(c: PageVisit, what: 'changed' | 'undone'): Response {
  const texts = textsOf(c.language.tag)
  if (what === 'changed') return saysPage(c, texts.changed, { sentences: [texts.changed_text] })
  const next = c.html`<a class="switch" href="${`${c.realm.path}/login/recover`}">${c.text('forgot.title')}</a>`
  return saysPage(c, texts.undone, { sentences: [texts.undone_text], next })
}

/** The same for every link that does not work. */
export const badLinkPage = (c: PageVisit): Response =>
  saysPage(c, c.text('ticket.bad'), { sentences: [c.text('ticket.bad_why')], status: 400 })

/** Who is signed in to an own account, and gets the link of another one, shall not confirm the own address there. */
export function otherUserPage(c: PageVisit, username: string): Response {
  const texts = textsOf(c.language.tag)
  return saysPage(c, texts.other, { sentences: [filled(texts.other_text, { username })], status: 409 })
}

/** To who reads the mails to the address. */
export function takenPage(c: PageVisit): Response {
  const texts = textsOf(c.language.tag)
  return saysPage(c, texts.taken, { sentences: [texts.taken_text], status: 409 })
}
