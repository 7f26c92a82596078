/** The page on which a user chooses how to sign in from now on. */

import type { Realm } from '@ostiary/core'
import type { FactorKind } from '../../users/factor-store.js'
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '../../users/passwords.js'
import type { FormProblem, PasswordField } from '../account-view.js'
import { factorChoices, type PostTarget } from '../factors/steps.js'
import { type Html, html } from '../html.js'
import { renderPage } from '../page.js'
import type { Presentation } from '../presentation.js'

interface ChoiceView {
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
}

export function choicePage(presentation: Presentation, page: ChoiceView): Response {
  const { language } = presentation
  const { text } = language
  const { realm, username, problem, kinds, enrol, password, finish, missing, added, cookies } = page
  const title = text('regain.choose')
  const is_general = problem !== null && problem.field === undefined
  const body = html`<h1>${title}</h1>
<p class="aside">${language.markup('step.account', { username: html`<bdi>${username}</bdi>` })}</p>
${is_general && html`<p class="note" role="alert">${problem.text}</p>`}
${added && html`<p class="note done" role="status">${text('regain.added')}</p>`}
${page.password_set && html`<p class="note done" role="status">${text('regain.password_set')}</p>`}
${missing !== null && html`<p>${text(`regain.missing_${missing}`)}</p>`}
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
    form_leads_to: 'self',
  })
}

/** Open where it is the one way. */
function passwordDetails(
  { language: { text } }: Presentation,
  { problem, kinds, username, missing, has_password }: ChoiceView,
  { action, fields }: PostTarget,
): Html {
  const is_open = problem?.field !== undefined || (kinds.length === 0 && missing !== null)
  const wrong = (name: PasswordField, hint = '') => {
    const here = problem?.field === name
    const described = [here && 'password-error', hint].filter(Boolean).join(' ')
    return html`${described !== '' && html` aria-describedby="${described}"`}${here && html` aria-invalid="true" autofocus`}`
  }
  return html`<details${is_open && html` open`}>
<summary>${text(has_password ? 'regain.new_password' : 'regain.first_password')}</summary>
${problem?.field !== undefined && html`<p class="note" id="password-error" role="alert">${problem.text}</p>`}
<form method="post" action="${action}">
${fields}
<label hidden>${text('account.username')} <input type="text" value="${username}" autocomplete="username" readonly></label>
<div>
<label for="new_password">${text('password.new')}</label>
<input id="new_password" name="new_password" type="password" required minlength="${MIN_PASSWORD_LENGTH}"
 maxlength="${MAX_PASSWORD_LENGTH}" autocomplete="new-password"${wrong('new_password', 'new_password_hint')}>
<p class="hint" id="new_password_hint">${text('password.new_hint', { min: MIN_PASSWORD_LENGTH })}</p>
</div>
<div>
<label for="new_password_again">${text('password.new_again')}</label>
<input id="new_password_again" name="new_password_again" type="password" required
 maxlength="${MAX_PASSWORD_LENGTH}" autocomplete="new-password"${wrong('new_password_again')}>
</div>
<button type="submit" class="quiet">${text('regain.set_password')}</button>
</form>
</details>`
}
