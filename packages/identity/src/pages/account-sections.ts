/** The sections of the user's sessions and of the clients with access. */

import { deviceOf } from '@ostiary/messages'
import type { AccessView, ClientView, SectionContext, SessionView } from './account-view.js'
import { clientName } from './client-name.js'
import { type Html, type HtmlValue, html } from './html.js'
import type { Language } from './language.js'
import { allowedScopes } from './scope-list.js'

export function sessionsSection(c: SectionContext): Html {
  const { view, form, language } = c
  const { text } = language
  const { sessions, more_sessions } = view
  const others = sessions.some(({ current }) => !current)
  return html`<section aria-labelledby="sessions">
<h2 id="sessions">${text('sessions.title')}</h2>
<ul class="rows">
${sessions.map((session, index) => sessionRow(c, session, `session-${index}`))}
</ul>
${more_sessions > 0 && html`<p class="aside">${text('sessions.more', { count: more_sessions })}</p>`}
${
  others
    ? html`${form('end_others')}
<button type="submit" class="quiet compact">${text('sessions.end_others')}</button>
</form>`
    : html`<p class="aside">${text('sessions.no_others')}</p>`
}
</section>`
}

function sessionRow(c: SectionContext, session: SessionView, id: string): Html {
  const { form, language } = c
  const { text } = language
  const { sid, current, clients } = session
  return html`<li>
<div>
<h3 id="${id}">${device(language, session)}</h3>
<p id="${id}-since">${signedInSince(c, session)}</p>
${!current && html`<p>${language.markup('session.last_used', { time: c.times.dateAndTime(session.last_used) })}</p>`}
${clients.length > 0 && html`<p>${usedFor(language, session)}</p>`}
</div>
${
  current
    ? signOutLink(c)
    : html`${form('end_session')}
<input type="hidden" name="sid" value="${sid}">
<button type="submit" class="quiet compact" aria-describedby="${id} ${id}-since">${text('session.end')}</button>
</form>`
}
</li>`
}

/** The browser and its system, as far as they are known. */
function device({ text }: Language, { current, user_agent }: SessionView): Html {
  const { browser, system } = deviceOf(user_agent)
  const both = browser !== null && system !== null
  const name = both ? text('session.browser_on', { browser, system }) : (browser ?? system)
  if (!current) return html`${name ?? text('session.other')}`
  const here = text('session.current')
  return name === null ? html`${here}` : html`${name} <span class="here">${here}</span>`
}

const signOutLink = ({ view: { realm }, language }: SectionContext): Html | false =>
  realm.settings.handlers.logout &&
  html`<a class="switch" href="${realm.urls.end_session_endpoint}">${language.text('session.sign_out')}</a>`

function usedFor(language: Language, { clients, more_clients }: SessionView): Html {
  const { markup } = language
  const names = clients.map((client) => clientName(language, client))
  const applications = names.reduce((list, next) => markup('application.list', { applications: list, next }))
  return more_clients > 0
    ? markup('session.used_for_more', { applications, count: more_clients })
    : markup('session.used_for', { applications })
}

/** The authentication methods that have a text: those of RFC 8176 §2, and the one that has no value there. */
const AMR = ['pwd', 'pin', 'otp', 'sms', 'tel', 'hwk', 'swk', 'sc', 'fpt', 'face', 'elsewhere'] as const

/** That there were several methods is seen in the list; that the user was there for a passkey goes without saying. */
const NOT_SHOWN = ['mfa', 'mca', 'user']

function signedInSince({ view, language, times }: SectionContext, { since, amr }: SessionView): Html {
  const time = times.dateAndTime(since)
  const methods = amr.filter((method) => !NOT_SHOWN.includes(method))
  // No method is that of an account elsewhere, or of a link. A code comes after another method.
  if (view.has_links && !methods.some((method) => method !== 'otp')) methods.unshift('elsewhere')
  if (methods.length === 0) return language.markup('session.since', { time })
  return language.markup('session.since_with', {
    time,
    methods: language.list(methods.map((method) => methodName(language, method))),
  })
}

function methodName({ text }: Language, method: string): HtmlValue {
  const known = AMR.find((name) => name === method)
  return known ? text(`amr.${known}`) : html`<code>${method}</code>`
}

export function clientsSection(c: SectionContext): Html {
  const { clients, more_clients } = c.view
  const { text } = c.language
  return html`<section aria-labelledby="clients">
<h2 id="clients">${text('access.title')}</h2>
${
  clients.length === 0
    ? html`<p class="aside">${text('access.none')}</p>`
    : html`<p class="aside">${text('access.effect')}</p>
<ul class="rows">
${clients.map((client, index) => clientRow(c, client, `client-${index}`))}
</ul>`
}
${more_clients > 0 && html`<p class="aside">${text('access.more', { count: more_clients })}</p>`}
</section>`
}

function clientRow(c: SectionContext, client: ClientView, id: string): Html {
  const { client_id, active, origin, access } = client
  const several = access.length > 1
  const { text } = c.language
  return html`<li class="client">
<div class="head">
<h3 id="${id}">${clientName(c.language, client)}</h3>
${withdrawForm(c, { client_id, resource: '', label: text(several ? 'access.withdraw_all' : 'access.withdraw'), about: id })}
</div>
${!active && html`<p>${text('access.inactive')}</p>`}
${origin === 'registered' && html`<p>${text('application.registered_itself')}</p>`}
${access.map((one, index) => {
  const about = `${id}-${index}`
  const { value: resource } = one
  const button =
    several &&
    withdrawForm(c, { client_id, resource, label: text('access.withdraw_this'), about: `${id} ${about}` })
  return allowance(c, one, { about, button })
})}
</li>`
}

function allowance(
  c: SectionContext,
  access: AccessView,
  { about, button }: { about: string; button: Html | false },
): Html {
  const { resource, scopes, offline } = access
  const { text, markup } = c.language
  return html`<div class="allowed">
<p id="${about}">${resource === null ? text('access.here') : markup('access.at', { resource: html`<bdi>${resource}</bdi>` })}</p>
<ul class="scopes">
${scopes.length === 0 && html`<li>${text('scope.none')}</li>`}
${allowedScopes(c.language, scopes)}
${offline && html`<li>${text('access.offline')}</li>`}
</ul>
<div class="head">
<p class="aside">${accessTime(c, access)}</p>
${button}
</div>
</div>`
}

function accessTime({ language, times }: SectionContext, { since, renewed, consented }: AccessView): Html {
  const day = times.day(since)
  if (!consented) return language.markup('access.since', { day })
  if (renewed === null || times.sameDay(since, renewed)) return language.markup('access.allowed', { day })
  return language.markup('access.allowed_again', { day, last: times.day(renewed) })
}

interface WithdrawForm {
  client_id: string
  /** Empty for all resources. */
  resource: string
  label: string
  /** Ids of the elements that describe the button. */
  about: string
}

export const withdrawForm = (
  { form }: SectionContext,
  { client_id, resource, label, about }: WithdrawForm,
): Html =>
  html`${form('withdraw')}
<input type="hidden" name="client_id" value="${client_id}">
<input type="hidden" name="resource" value="${resource}">
<button type="submit" class="quiet compact" aria-describedby="${about}">${label}</button>
</form>`
