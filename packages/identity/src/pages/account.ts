/** The account page. Its sections are in account-sections.ts and password-section.ts. */

import { ACCOUNT_PATH, pathIn } from '../web/paths.js'
import { clientsSection, sessionsSection } from './account-sections.js'
import type { AccountView, Notice, SectionContext } from './account-view.js'
import { devicesSection, withoutDevices } from './devices-section.js'
import { rememberedSection } from './factors/remembered.js'
import { waysSection } from './factors/ways-section.js'
import { type Html, html } from './html.js'
import type { Language } from './language.js'
import { alertNote, renderPage } from './page.js'
import { passwordSection } from './password-section.js'
import type { Presentation } from './presentation.js'
import { timeFormats } from './time.js'

export function accountPage(presentation: Presentation, view: AccountView): Response {
  const { language } = presentation
  const { realm, problem } = view
  const form = (action: string) => html`<form method="post" action="${pathIn(realm, ACCOUNT_PATH)}">
<input type="hidden" name="csrf_token" value="${view.csrf_token}">
<input type="hidden" name="action" value="${action}">`
  const times = timeFormats(language, view.claims.zoneinfo)
  const context: SectionContext = { view, language, times, form }
  const title = language.text('account.title')
  const body = html`<h1>${title}</h1>
${noticeNote(language, view.notice)}
${problem?.at === 'page' && alertNote(problem.text, null)}${view.banner}
${userSection(context)}${waysSection(context)}${view.sections}
${passwordSection(context)}
${sessionsSection(context)}${rememberedSection(context)}
${clientsSection({ ...context, view: { ...view, clients: withoutDevices(view.clients) } })}${devicesSection(context)}${view.at_end}`
  const retry_after = problem?.retry_after
  const headers = retry_after === undefined ? {} : { 'retry-after': String(retry_after) }
  return renderPage(presentation, {
    realm,
    title,
    body,
    headers,
    cookies: view.cookies,
    status: problem?.status ?? 200,
    form_leads_to: view.has_links ? 'client' : 'self',
    wide: true,
    script: (view.ways !== null && view.ways.signals.length > 0) || view.passwords?.can_show === true,
  })
}

const noticeNote = (language: Language, notice: Notice | null): Html | null =>
  notice && html`<p class="note done" role="status">${language.text(`notice.${notice}`)}</p>`

function userSection({ view: { username, claims }, language: { text } }: SectionContext): Html {
  const { name, email, email_verified } = claims
  const unconfirmed =
    email_verified === false && html` <span class="aside">${text('account.email_unconfirmed')}</span>`
  return html`<section aria-labelledby="person">
<h2 id="person">${text('account.user')}</h2>
<dl class="facts">
<div><dt>${text('account.username')}</dt><dd><bdi>${username}</bdi></dd></div>
${isText(name) && html`<div><dt>${text('account.name')}</dt><dd><bdi>${name}</bdi></dd></div>`}
${isText(email) && html`<div><dt>${text('account.email')}</dt><dd><bdi>${email}</bdi>${unconfirmed}</dd></div>`}
</dl>
</section>`
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''
