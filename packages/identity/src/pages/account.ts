/** The account page. Its sections are in account-sections.ts and password-section.ts. */

import { ACCOUNT_PATH, pathIn } from '../web/paths.js'
import { clientsSection, sessionsSection } from './account-sections.js'
import type { AccountView, SectionContext } from './account-view.js'
import { type Html, html } from './html.js'
import { renderPage } from './page.js'
import { passwordSection } from './password-section.js'
import type { ResolvedTheme } from './theme.js'
import { timeFormats } from './time.js'

export function accountPage(theme: ResolvedTheme, view: AccountView): Response {
  const { realm, problem } = view
  const form = (action: string) => html`<form method="post" action="${pathIn(realm, ACCOUNT_PATH)}">
<input type="hidden" name="csrf_token" value="${view.csrf_token}">
<input type="hidden" name="action" value="${action}">`
  const context: SectionContext = { view, times: timeFormats(view.claims.zoneinfo), form }
  const body = html`<h1>Your account</h1>
${noticeNote(view.notice)}
${problem?.at === 'page' && html`<p class="note" role="alert">${problem.text}</p>`}
${userSection(view)}
${passwordSection(context)}
${sessionsSection(context)}
${clientsSection(context)}`
  const retry_after = problem?.retry_after
  const headers = retry_after === undefined ? {} : { 'retry-after': String(retry_after) }
  const page = { theme, realm, title: 'Your account', body, headers, cookies: view.cookies }
  return renderPage({ ...page, status: problem?.status ?? 200, form_leads_to: 'self', wide: true })
}

const NOTICES = new Map([
  ['password', 'Your password is changed. Everywhere else, and in applications, you have to sign in again.'],
  ['session', 'The other device is signed out.'],
  ['session_gone', 'That device was signed out already.'],
  ['others', 'All other devices are signed out.'],
  ['withdrawn', 'Withdrawn. The application has to ask you again.'],
  ['withdrawn_before', 'That was withdrawn already.'],
  ['access_ended', 'The access of the application has ended.'],
])

function noticeNote(notice: string | null): Html | null {
  const text = notice === null ? undefined : NOTICES.get(notice)
  return text === undefined ? null : html`<p class="note done" role="status">${text}</p>`
}

function userSection({ username, claims }: AccountView): Html {
  const { name, email, email_verified } = claims
  const unconfirmed = email_verified === false && html` <span class="aside">(not confirmed)</span>`
  return html`<section aria-labelledby="person">
<h2 id="person">Who you are</h2>
<dl class="facts">
<div><dt>Username</dt><dd><bdi>${username}</bdi></dd></div>
${isText(name) && html`<div><dt>Name</dt><dd><bdi>${name}</bdi></dd></div>`}
${isText(email) && html`<div><dt>Email</dt><dd><bdi>${email}</bdi>${unconfirmed}</dd></div>`}
</dl>
</section>`
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''
