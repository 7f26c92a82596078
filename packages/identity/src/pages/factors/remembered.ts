/** Remembered devices: the box of the second step, and their section of the account page. */

import type { SectionContext } from '../account-view.js'
import { type Html, html } from '../html.js'
import type { Language } from '../language.js'

/** The box belongs to a form: a page may have one in each of its forms. */
export const rememberField = ({ text }: Language, count: number): Html =>
  html`
<div class="choices"><label><input type="checkbox" name="remember" value="1"> ${text('remembered.box', { count })}</label></div>`

export function rememberedSection({ view, language, times, form }: SectionContext): Html | false {
  const { text, markup } = language
  const { remembered } = view
  if (remembered.length === 0) return false
  return html`
<section aria-labelledby="remembered">
<h2 id="remembered">${text('remembered.title')}</h2>
<p class="aside">${text('remembered.effect')}</p>
<ul class="rows">
${remembered.map(({ device_id, label, expires_at }, index) => {
  const id = `remembered-${index}`
  return html`<li>
<div>
<h3 id="${id}">${label === '' ? text('session.other') : label}</h3>
<p id="${id}-until">${markup('remembered.until', { day: times.day(expires_at) })}</p>
</div>
${form('forget_device')}
<input type="hidden" name="device_id" value="${device_id}">
<button type="submit" class="quiet compact" aria-describedby="${id} ${id}-until">${text('remembered.forget')}</button>
</form>
</li>`
})}
</ul>
</section>`
}
