/** A user asks for the deletion: on the account page, and on a page that says what it does. */

import { MAX_USERNAME_LENGTH, usernameKey } from '@ostiary/core/common'
import type { AccountVisit, Arrival, ExtensionSection, UserVisit } from '@ostiary/identity'
import { mailRequest } from './notice.js'
import type { Place } from './place.js'
import { dueAt, storeRequest } from './request-record.js'
import { dateIn, textsOf } from './texts.js'

/** The page that asks, below the realm. */
export const DELETE_PATH = '/login/delete'
/** The action of the form of the account page. */
export const DELETES = 'delete_account'

const FORM = { action: DELETES, fields: {} } as const

/** The section of the account page. */
export function section(c: UserVisit): ExtensionSection {
  const { html } = c
  const texts = textsOf(c.language.tag)
  const { action, fields } = c.target(DELETES, {})
  return {
    place: 'end',
    html: html`
<section aria-labelledby="delete-account">
<h2 id="delete-account">${texts.section}</h2>
<p class="aside">${texts.section_hint}</p>
<form method="post" action="${action}">
${fields}
<button type="submit" class="quiet compact">${texts.section_button}</button>
</form>
</section>`,
  }
}

/** The form of the account page leads to the page below, after a fresh proof. */
export async function askFirst(c: AccountVisit, params: URLSearchParams): Promise<Response> {
  const fresh = await c.fresh(params, FORM)
  if (fresh instanceof Response) return fresh
  if (fresh === null) return notFresh(c)
  return c.redirect(`${c.realm.urls.issuer}${DELETE_PATH}`, fresh.cookies)
}

const notFresh = (c: AccountVisit): Promise<Response> =>
  c.refuse(DELETES, { reason: 'not_fresh', status: 403, text: textsOf(c.language.tag).not_fresh })

/** Why the form was refused. */
interface Refused {
  status: 403 | 422
  text: string
  /** The wrong name. A form of another site fills no field: its name is not shown. */
  typed?: string
}

/** Says what the deletion does, and asks for the username. */
export function deletePage(c: Arrival, { user }: AccountVisit, refused: Refused | null = null): Response {
  const { html, realm } = c
  const texts = textsOf(c.language.tag)
  const typed = refused?.typed
  const error = refused && html`<p class="note" id="error" role="alert">${refused.text}</p>\n`
  const body = html`<h1>${texts.title}</h1>
<p class="aside"><bdi>${user.username}</bdi></p>
${typed === undefined && error}<ul>
${texts.effects.map((text) => html`<li>${text}</li>\n`)}</ul>
<form method="post" action="${realm.path + DELETE_PATH}">
<input type="hidden" name="csrf_token" value="${c.csrf_token}">
<div>
<label for="username">${texts.type_name}</label>
<input id="username" name="username" type="text" required maxlength="${MAX_USERNAME_LENGTH}" autocomplete="off" autocapitalize="none"
 autocorrect="off" spellcheck="false"${
   typed === undefined
     ? html` aria-describedby="name"`
     : html` value="${typed}" aria-describedby="error name" aria-invalid="true" autofocus`
 }>
<p class="hint" id="name">${texts.name_is} <bdi>${user.username}</bdi></p>
${typed !== undefined && error}</div>
<button type="submit">${texts.submit}</button>
</form>
<p class="small"><a class="switch" href="${`${realm.path}/account`}">${texts.back}</a></p>`
  const cookies = c.csrf_cookie === null ? [] : [c.csrf_cookie]
  return c.page({ title: texts.title, body, status: refused?.status ?? 200, cookies, form_leads_to: 'self' })
}

/** Stores the request, and ends all access. The request comes first: a sign-in at the same moment finds it, or its session ends. */
export async function postedDeletion(
  c: Arrival,
  account: AccountVisit,
  { tickets, personTag, failed }: Place,
): Promise<Response> {
  const form = await c.form()
  if (form instanceof Response) return form
  const { user } = account
  const texts = textsOf(c.language.tag)
  if (!c.isConfirmed(form.get('csrf_token') ?? '')) {
    const text = c.text('sign_in.not_confirmed')
    return deletePage(c, account, { status: 403, text })
  }
  const typed = form.get('username') ?? ''
  if (usernameKey(typed) !== user.username_key)
    return deletePage(c, account, {
      status: 422,
      text: texts.wrong_name,
      typed: typed.slice(0, MAX_USERNAME_LENGTH),
    })
  const fresh = await account.fresh(form, FORM)
  if (fresh instanceof Response) return fresh
  if (fresh === null) return notFresh(account)
  const request = await storeRequest({ tickets: tickets(c.realm.id), personTag, now: c.now() }, user)
  await c.endAccess(user.sub)
  const due_at = dueAt(request)
  c.emit({ type: 'account.deletion_requested', sub: user.sub, due_at })
  // The request is stored: a mail that fails does not undo it.
  await mailRequest(c, user, due_at).catch(failed)
  return requestedPage(c, due_at)
}

function requestedPage(c: Arrival, due_at: number): Response {
  const { html } = c
  const texts = textsOf(c.language.tag)
  const body = html`<h1>${texts.requested}</h1>
<p>${texts.requested_text(dateIn(c.language.tag, due_at))}</p>
<p>${texts.may_keep}</p>`
  return c.page({ title: texts.requested, body, status: 200 })
}
