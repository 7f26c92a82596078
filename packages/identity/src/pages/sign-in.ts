import type { Client, LoginPrompt } from '@ostiary/core'
import { MAX_USERNAME_LENGTH } from '@ostiary/core/common'
import { MAX_PASSWORD_LENGTH } from '../users/passwords.js'
import { LOGIN_PATH, pathIn } from '../web/paths.js'
import { namingClient } from './client-name.js'
import { answerTarget, clientLinks, clientLogo, originNote } from './client-notes.js'
import { AS_TYPED, type Html, html } from './html.js'
import type { Language } from './language.js'
import { alertNote, renderPage } from './page.js'
import type { Presentation } from './presentation.js'
import type { ReturnPurpose } from './return-pages.js'

/** What the sign-in is for: the authorization request of a client, or a page of the realm when `client` is null. */
export interface SignInPrompt
  extends Pick<LoginPrompt, 'realm' | 'reason' | 'return_to' | 'ui_locales' | 'login_hint' | 'acr_values'> {
  client: Client | null
  redirect_uri: string | null
  /** Absent for a client. */
  purpose?: ReturnPurpose
}

export interface SignInView {
  prompt: SignInPrompt
  /** The hidden fields of its forms. */
  fields: Html
  /** The form that signs in without a name and a password. */
  start: Html | null
  /** The buttons of other ways to sign in. */
  others?: readonly Html[]
  /** Other buttons of the form for a name and a password. */
  typed?: readonly Html[]
  /** The link to the page on which users sign up. */
  sign_up?: { href: string; text: string } | null
  /** Whether there is a form for a name and a password. */
  passwords: boolean
  username: string
  /** Why the last attempt was refused: a sentence for the user. */
  error: string | null
  /** The link to the page for users who cannot sign in; null where the realm mails nothing. */
  forgot: { href: string; text: string } | null
  /** The path of the client's logo. */
  logo: string | null
  status?: number
  headers?: Record<string, string>
}

export function signInPage(presentation: Presentation, page: SignInView): Response {
  const { language } = presentation
  const { text } = language
  const { prompt, fields, start, others = [], passwords, error, logo, status = 200, headers = {} } = page
  const { client, realm, redirect_uri } = prompt
  const is_unknown_client = client !== null && client.origin !== 'operator'
  const action = pathIn(realm, LOGIN_PATH)
  const body = html`${clientLogo(logo)}<h1>${text('sign_in.title')}</h1>
<p>${purposeOf(language, prompt)}</p>
${client && originNote(language, client)}
${is_unknown_client && redirect_uri !== null && html`<p>${language.markup('sign_in.answer_target', { host: answerTarget(language, redirect_uri) })}</p>`}
${error !== null && alertNote(error)}
${passwords ? passwordForm(language, page) : passkeysAlone(language, page)}${start}${others}${page.sign_up && switchTo(page.sign_up)}
${client && backForm(language, client, { action, fields })}
${client && clientLinks(language, client)}`
  const title = text('sign_in.title')
  const form_leads_to = client || others.length > 0 ? 'client' : 'self'
  return renderPage(presentation, {
    realm,
    title,
    body,
    status,
    headers,
    form_leads_to,
    script: start !== null,
  })
}

function passwordForm(
  { text }: Language,
  { prompt, fields, start, username, error, status, forgot, typed = [] }: SignInView,
): Html {
  const ariaInvalid = status === 422 && html` aria-invalid="true"`
  const ariaAttributes = error !== null && html` aria-describedby="error"${ariaInvalid}`
  const autofocus = html` autofocus`
  return html`<form method="post" action="${pathIn(prompt.realm, LOGIN_PATH)}">
${fields}
<div>
<label for="username">${text('sign_in.username')}</label>
<input id="username" name="username" type="text" value="${username}" required maxlength="${MAX_USERNAME_LENGTH}"
 autocomplete="username${start !== null && ' webauthn'}"${AS_TYPED}${ariaAttributes}${username === '' && autofocus}>
</div>
<div>
<label for="password">${text('sign_in.password')}</label>
<input id="password" name="password" type="password" required maxlength="${MAX_PASSWORD_LENGTH}"
 autocomplete="current-password"${ariaAttributes}${username !== '' && autofocus}>
</div>
<button type="submit">${text('sign_in.submit')}</button>${typed}
</form>${forgot && switchTo(forgot)}`
}

const switchTo = ({ href, text }: { href: string; text: string }): Html => html`
<p class="small"><a class="switch" href="${href}">${text}</a></p>`

/** For a page without a password. The buttons of other providers work without passkeys and scripts. */
const passkeysAlone = (
  language: Language,
  { others = [], forgot }: SignInView,
): Html => html`<p hidden data-passkey-shown>${language.text('passkey.explained')}</p>
${others.length > 0 ? passkeyNotes(language, 'aside') : passkeyNotes(language, 'note', 'sign_in.passkey_alone')}${forgot && switchTo(forgot)}`

/** A passkey needs a browser that can use them, and its script. */
export const passkeyNotes = (
  { text }: Language,
  style: 'note' | 'aside',
  no_script: 'sign_in.passkey_alone' | 'passkey.no_script' = 'passkey.no_script',
): Html => html`<p class="${style}" role="alert" hidden data-passkey-missing>${text('passkey.unsupported')}</p>
<noscript><p class="${style}" role="alert">${text(no_script)}</p></noscript>`

/** The way back to the client, without signing in: a POST with the CSRF token of the page. */
function backForm(
  language: Language,
  client: Client,
  { action, fields }: { action: string; fields: Html },
): Html {
  const label = namingClient(language, 'sign_in.back', client)
  return html`<form class="back" method="post" action="${action}">
${fields}
<button type="submit" class="quiet" name="action" value="back">${label}</button>
</form>`
}

function purposeOf(language: Language, { client, reason, purpose }: SignInPrompt): Html {
  if (client === null) return language.markup(purpose ?? 'sign_in.for_account')
  return namingClient(language, PURPOSES[reason], client)
}

const PURPOSES = {
  signed_out: 'sign_in.for_application',
  prompt: 'sign_in.again_for_application',
  max_age: 'sign_in.again_for_application',
  acr: 'sign_in.stronger_for_application',
} as const satisfies Record<LoginPrompt['reason'], string>
