import { MAX_PASSWORD_LENGTH } from '../users/passwords.js'
import type { FormProblem, NewPasswordView, PasswordField, SectionContext } from './account-view.js'
import { type Html, html } from './html.js'
import type { Language } from './language.js'
import { alertNote } from './page.js'

export function passwordSection(c: SectionContext): Html | false {
  const { view, language } = c
  const { text } = language
  if (view.passwords === null) return false
  const { may_set, may_remove } = view.passwords
  const forms = view.has_password
    ? html`${passwordForm(c, 'change', view.passwords)}${may_remove && removal(c)}`
    : html`<p>${text('password.none')}</p>${may_set && html`\n${passwordForm(c, 'set', view.passwords)}`}`
  return html`<section aria-labelledby="password">
<h2 id="password">${text('password.title')}</h2>
${forms}
</section>`
}

function passwordForm(
  { view, form, language }: SectionContext,
  kind: 'set' | 'change',
  shown: NewPasswordView,
): Html {
  const { text } = language
  const problem = view.problem?.at === 'password' ? view.problem : null
  const error = problem && alertNote(problem.text, 'password-error')
  const is_change = kind === 'change'
  return html`<details${problem && html` open`}>
<summary>${text(`password.${kind}`)}</summary>
${error}
${form(`${kind}_password`)}
<label hidden>${text('account.username')} <input type="text" value="${view.username}" autocomplete="username" readonly></label>
${
  is_change &&
  html`<div>
<label for="current_password">${text('password.current')}</label>
<input id="current_password" name="current_password" type="password" required maxlength="${MAX_PASSWORD_LENGTH}"
 autocomplete="current-password"${fieldState(problem, 'current_password')}>
</div>
`
}${newPasswordFields(language, { ...shown, problem })}
<div>
<button type="submit" class="compact">${text(is_change ? 'password.submit' : 'password.set')}</button>
<p class="hint">${text('password.effect')}</p>
</div>
</form>
</details>`
}

/** With a linked account that is enough, the sentence would not be true. */
const removal = ({ view, form, language: { text } }: SectionContext): Html => html`
<details>
<summary>${text('password.remove')}</summary>
${
  !view.ways?.link_is_enough &&
  html`<p>${text('password.removal')}</p>
`
}${form('remove_password')}
<div>
<button type="submit" class="quiet compact">${text('password.remove')}</button>
<p class="hint">${text('password.effect')}</p>
</div>
</form>
</details>`

/** The attributes of a field. The error describes the field that it is about, and this field gets the focus. */
function fieldState(problem: Pick<FormProblem, 'field'> | null, name: PasswordField, hint = ''): Html {
  const here = problem?.field === name
  const described = [here && 'password-error', hint].filter(Boolean).join(' ')
  return html`${described !== '' && html` aria-describedby="${described}"`}${here && html` aria-invalid="true" autofocus`}`
}

/** In each form that sets a password. */
export const newPasswordFields = (
  { text }: Language,
  { problem, min_length, can_show }: NewPasswordView & { problem: Pick<FormProblem, 'field'> | null },
): Html => html`<div>
<label for="new_password">${text('password.new')}</label>
<input id="new_password" name="new_password" type="password" required minlength="${min_length}"
 maxlength="${MAX_PASSWORD_LENGTH}" autocomplete="new-password"${fieldState(problem, 'new_password', 'new_password_hint')}>
<p class="hint" id="new_password_hint">${text('password.new_hint', { min: min_length })}</p>
</div>
<div>
<label for="new_password_again">${text('password.new_again')}</label>
<input id="new_password_again" name="new_password_again" type="password" required
 maxlength="${MAX_PASSWORD_LENGTH}" autocomplete="new-password"${fieldState(problem, 'new_password_again')}>
</div>${
  can_show &&
  html`
<p><button type="button" class="quiet compact" data-show hidden>${text('password.show')}</button></p>`
}`
