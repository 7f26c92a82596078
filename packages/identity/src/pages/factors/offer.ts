/** The answers to the offer of a passkey, beside creating it. */

import { type Html, html } from '../html.js'
import type { Language } from '../language.js'
import type { PostTarget } from './steps.js'

export const offerAnswers = ({ text }: Language, { action, fields }: PostTarget): Html =>
  html`<form class="later" method="post" action="${action}">
${fields}
<button type="submit" class="quiet">${text('offer.later')}</button>
<button type="submit" class="link" name="offer" value="never">${text('offer.never')}</button>
</form>`
