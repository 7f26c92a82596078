import type { Realm } from '@ostiary/core'
import type { FactorKind } from '../../users/factor-store.js'
import { MAX_PASSWORD_LENGTH } from '../../users/passwords.js'
import { ACCOUNT_PATH, pathIn } from '../../web/paths.js'
import { type Html, html } from '../html.js'
import type { Language } from '../language.js'
import { alertNote, renderPage } from '../page.js'
import type { Presentation } from '../presentation.js'
import { type PostTarget, type RefusedForm, recoveryDetails } from './steps.js'

export interface ConfirmStepView {
  realm: Realm
  username: string
  forms: readonly { kind: FactorKind; form: Html }[]
  /** For an account that has a password alone. */
  password: PostTarget | null
  /** The buttons of other providers. */
  others?: readonly Html[]
  refused: RefusedForm | null
}

/** Asks the signed-in user for a proof before the account is changed. */
export function confirmStepPage(presentation: Presentation, page: ConfirmStepView): Response {
  const { language } = presentation
  const { text } = language
  const { realm, username, forms, password, others = [], refused } = page
  const shown = (kinds: readonly FactorKind[]) =>
    forms.filter(({ kind }) => kinds.includes(kind)).map(({ form }) => form)
  const nothing = forms.length === 0 && password === null && others.length === 0
  const body = html`<h1>${text('confirm.title')}</h1>
<p>${language.markup('confirm.before_change', { username: html`<bdi>${username}</bdi>` })}</p>
${nothing && html`<p>${text('confirm.sign_in_again')}</p>`}
${refused !== null && alertNote(refused.text)}
${password !== null && passwordForm(language, password)}
${shown(['passkey', 'totp'])}${others}
${recoveryDetails(language, shown(['recovery']), refused)}
<p class="small"><a class="switch" href="${pathIn(realm, ACCOUNT_PATH)}">${text('confirm.back')}</a></p>`
  const retry_after = refused?.retry_after
  return renderPage(presentation, {
    realm,
    title: text('confirm.title'),
    body,
    status: refused?.status ?? 200,
    headers: retry_after === undefined ? {} : { 'retry-after': String(retry_after) },
    form_leads_to: others.length > 0 ? 'client' : 'self',
    script: forms.some(({ kind }) => kind === 'passkey'),
  })
}

const passwordForm = (
  language: Language,
  { action, fields }: PostTarget,
): Html => html`<form method="post" action="${action}">
${fields}
<input type="hidden" name="proof" value="password">
${passwordField(language, { of: 'password', autofocus: true })}
<button type="submit">${language.text('confirm.submit')}</button>
</form>`

interface PasswordField {
  /** The kind of proof that the form asks for: makes the id of the field unique on the page. */
  of: FactorKind | 'password'
  autofocus: boolean
}

export const passwordField = ({ text }: Language, { of, autofocus }: PasswordField): Html => html`<div>
<label for="${`${of}-password`}">${text('sign_in.password')}</label>
<input id="${`${of}-password`}" name="current_password" type="password" required maxlength="${MAX_PASSWORD_LENGTH}"
 autocomplete="current-password"${autofocus && html` autofocus`}>
</div>`
