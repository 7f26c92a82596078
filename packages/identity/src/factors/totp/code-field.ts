import { AS_TYPED, type Html, html } from '../../pages/html.js'
import type { Language } from '../../pages/language.js'

interface CodeField {
  autofocus: boolean
  /** Whether the sentence with the id `error` is about its last value. */
  refused: boolean
}

/** The field for the six digits. Browsers and phones fill it from a message or an app. */
export const codeField = ({ text }: Language, { autofocus, refused }: CodeField): Html => html`<div>
<label for="code">${text('totp.code')}</label>
<input id="code" name="code" type="text" required maxlength="20" inputmode="numeric" autocomplete="one-time-code"
${AS_TYPED}${refused && html` aria-describedby="error" aria-invalid="true"`}${autofocus && html` autofocus`}>
</div>`
