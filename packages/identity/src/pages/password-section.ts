import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '../users/passwords.js'
import type { PasswordField, SectionContext } from './account-view.js'
import { type Html, html } from './html.js'

export function passwordSection({ view, form, language: { text } }: SectionContext): Html {
  if (!view.has_password)
    return html`<section aria-labelledby="password">
<h2 id="password">${text('password.title')}</h2>
<p>${text('password.none')}</p>
</section>`

  const problem = view.problem?.at === 'password' ? view.problem : null
  const error = problem && html`<p class="note" id="password-error" role="alert">${problem.text}</p>`
  // The error describes the field that it is about, and this field gets the focus.
  const wrong = (name: PasswordField, hint = '') => {
    const here = problem?.field === name
    const described = [here && 'password-error', hint].filter(Boolean).join(' ')
    return html`${described !== '' && html` aria-describedby="${described}"`}${here && html` aria-invalid="true" autofocus`}`
  }
  return html`<section aria-labelledby="password">
<h2 id="password">${text('password.title')}</h2>
<details${problem && html` open`}>
<summary>${text('password.change')}</summary>
${error}
${form('change_password')}
<label hidden>${text('account.username')} <input type="text" value="${view.username}" autocomplete="username" readonly></label>
<div>
<label for="current_password">${text('password.current')}</label>
<input id="current_password" name="current_password" type="password" required maxlength="${MAX_PASSWORD_LENGTH}"
 autocomplete="current-password"${wrong('current_password')}>
</div>
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
<div>
<button type="submit" class="compact">${text('password.submit')}</button>
<p class="hint">${text('password.effect')}</p>
</div>
</form>
</details>
</section>`
}
