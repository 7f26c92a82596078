/** The page on which a user chooses how to sign in from now on. */

import type { Realm } from '@ostiary/core'
import type { FactorKind } from '../../users/factor-store.js'
import type { FormProblem, NewPasswordView } from '../account-view.js'
import { factorChoices, type PostTarget } from '../factors/steps.js'
import { type Html, html } from '../html.js'
import { alertNote, renderPage } from '../page.js'
import { newPasswordFields } from '../password-section.js'
import type { Presentation } from '../presentation.js'
import { accountLine } from '../user-card.js'

interface ChoiceView extends NewPasswordView {
  realm: Realm
  username: string
  problem: FormProblem | null
  cookies: (string | null)[]
  /** The kinds that can be added. */
  kinds: readonly FactorKind[]
  enrol: PostTarget
  /** Null when the password was set in this recovery, and in a realm without passwords. */
  password: PostTarget | null
  password_set: boolean
  has_password: boolean
  finish: PostTarget
  /** What has to be added before the end. */
  missing: 'way' | 'factor' | null
  /** Whether a factor was added. */
  added: boolean
  form_leads_to: 'client' | 'self'
}

export function choicePage(presentation: Presentation, page: ChoiceView): Response {
  const { language } = presentation
  const { text } = language
  const { realm, username, problem, kinds, enrol, password, finish, missing, added, cookies } = page
  const title = text('regain.choose')
  const is_general = problem !== null && problem.field === undefined
  const body = html`<h1>${title}</h1>
${accountLine(language, username)}
${is_general && alertNote(problem.text, null)}
${added && html`<p class="note done" role="status">${text('regain.added')}</p>`}
${page.password_set && html`<p class="note done" role="status">${text('regain.password_set')}</p>`}
${missing !== null && html`<p>${text(missing === 'way' ? 'regain.missing_way' : 'enrol.needed')}</p>`}
${factorChoices(language, enrol, kinds)}
${password !== null && passwordDetails(presentation, page, password)}
${
  missing === null &&
  html`<form class="back" method="post" action="${finish.action}">
${finish.fields}
<button type="submit">${text('regain.finish')}</button>
</form>`
}`
  return renderPage(presentation, {
    realm,
    title,
    body,
    status: problem?.status ?? 200,
    headers: problem?.retry_after === undefined ? {} : { 'retry-after': String(problem.retry_after) },
    cookies,
    form_leads_to: page.form_leads_to,
    script: page.can_show && password !== null,
  })
}

/** Open where it is the one way. */
function passwordDetails(
  { language }: Presentation,
  { problem, kinds, username, missing, has_password, min_length, can_show }: ChoiceView,
  { action, fields }: PostTarget,
): Html {
  const { text } = language
  const is_open = problem?.field !== undefined || (kinds.length === 0 && missing !== null)
  return html`<details${is_open && html` open`}>
<summary>${text(has_password ? 'forgot.title' : 'regain.first_password')}</summary>
${problem?.field !== undefined && alertNote(problem.text, 'password-error')}
<form method="post" action="${action}">
${fields}
<label hidden>${text('account.username')} <input type="text" value="${username}" autocomplete="username" readonly></label>
${newPasswordFields(language, { problem, min_length, can_show })}
<button type="submit" class="quiet">${text('reset.submit')}</button>
</form>
</details>`
}
