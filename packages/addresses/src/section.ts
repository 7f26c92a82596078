/** The section of the account page. */

import type { ExtensionSection, Html, Mails, UserVisit } from '@ostiary/identity'
import { pendingOf } from './link.js'
import { textsOf } from './texts.js'

export async function section(c: UserVisit, mails: Mails): Promise<ExtensionSection> {
  const { html, user } = c
  const texts = textsOf(c.language.tag)
  const { email, email_verified } = user.claims
  const pending = await pendingOf(mails, user, c.now())
  const form = (action: string, content: Html) => {
    const target = c.target(action, {})
    return html`<form method="post" action="${target.action}">
${target.fields}
${content}
</form>`
  }
  const has_one = typeof email === 'string' && email !== ''
  const is_verified = email_verified === true
  const button = (text: string, id: string) =>
    html`<button type="submit" class="quiet compact" aria-describedby="${id}">${text}</button>`
  const rows = html`${
    has_one &&
    html`<li>
<div>
<h3 id="address-now"><bdi>${email}</bdi></h3>
<p>${is_verified ? texts.verified : texts.not_verified}</p>
</div>${!is_verified && html`\n${form('verify_address', button(texts.send, 'address-now'))}`}
</li>`
  }${
    pending !== null &&
    html`<li>
<div>
<h3 id="address-waits">${texts.waits}</h3>
<p>${texts.waits_hint}</p>
</div>
${form('keep_address', button(texts.cancel, 'address-waits'))}
</li>`
  }`
  const change = html`<div>
<label for="new_address">${texts.new_address}</label>
<input id="new_address" name="address" type="text" inputmode="email" required maxlength="254"
 autocomplete="email" autocapitalize="none" autocorrect="off" spellcheck="false" aria-describedby="new_address_hint">
<p class="hint" id="new_address_hint">${texts.new_hint}</p>
</div>
<div>
<button type="submit" class="compact">${c.text('forgot.submit')}</button>
</div>`
  return {
    html: html`
<section aria-labelledby="address">
<h2 id="address">${texts.title}</h2>
<p class="aside">${texts.hint}</p>
${(has_one || pending !== null) && html`<ul class="rows">${rows}</ul>`}
<details>
<summary>${has_one ? texts.change : texts.add}</summary>
${form('change_address', change)}
</details>
</section>`,
  }
}
