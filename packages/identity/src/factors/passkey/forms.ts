/** The forms with which a browser creates or uses a passkey. The script fills the field `passkey` and sends the form. */

import { type Html, html } from '../../pages/html.js'
import type { Language } from '../../pages/language.js'
import type { FormTarget } from '../../sign-in/context.js'

interface PasskeyForm {
  ceremony: 'create' | 'get'
  /** For the browser: JSON of WebAuthn Level 3 §5.1.8 or §5.1.9. */
  options: object
  /** Of the challenge in the options. */
  ticket: string
  target: FormTarget
  button: string
  /** Beside another button, which is the first one of the page. */
  quiet?: boolean
  /** The browser offers passkeys in the name field of the page too. */
  conditional?: boolean
  /** Further fields, above the button. */
  more?: Html | null
}

/** Hidden until the script has found that the browser has passkeys. */
export function passkeyForm({ text }: Language, form: PasskeyForm): Html {
  const { ceremony, options, ticket, target, button, quiet, conditional, more } = form
  const creates = ceremony === 'create'
  return html`<form method="post" action="${target.action}" hidden data-passkey-shown data-passkey="${ceremony}"${conditional && html` data-conditional`} data-options="${JSON.stringify(options)}">
${target.fields}
<input type="hidden" name="${creates ? 'method' : 'proof'}" value="passkey">
<input type="hidden" name="passkey_ticket" value="${ticket}">
<input type="hidden" name="passkey" value="">
<p class="note" role="alert" hidden data-passkey-error data-cancelled="${text(creates ? 'passkey.not_created' : 'passkey.cancelled')}" data-exists="${text('passkey.exists')}" data-unsupported="${text('passkey.unsupported')}"></p>${more}
<button type="button" data-passkey-button${quiet && html` class="quiet"`}>${button}</button>
</form>`
}
