/** The section of the account page for passkeys, authenticator apps and recovery codes. */

import type { FactorView, SectionContext, WaysView } from '../account-view.js'
import { type Html, html } from '../html.js'
import type { Language } from '../language.js'
import { alertNote } from '../page.js'

export function waysSection(c: SectionContext): Html | false {
  const { ways, problem } = c.view
  if (ways === null) return false
  const { text } = c.language
  const { factors, kinds, second_step, signals } = ways
  return html`
<section aria-labelledby="ways">
<h2 id="ways">${text('ways.title')}</h2>
${problem?.at === 'ways' && alertNote(problem.text, null)}
${wayBack(c, ways)}
${
  factors.length > 0 &&
  html`<ul class="rows">
${factors.map((factor, index) => factorRow(c, factor, `factor-${index}`))}
${c.view.has_password && codesRow(c)}
${second_step !== null && secondStepRow(c, second_step)}
</ul>`
}
${kinds.length > 0 && html`<div class="ways">${addForms(c, ways)}</div>`}
${signals.map(({ method, options }) => html`<div hidden data-signal="${method}" data-options="${options}"></div>`)}
</section>`
}

/** The answer to: how do I get back in if I lose this device? */
function wayBack(
  { language: { text }, view: { has_password, has_links } }: SectionContext,
  ways: WaysView,
): Html | false {
  const { factors, kinds, passkeys } = ways
  const codes_left = ways.codes_left ?? 0
  const note = (warns: boolean, sentence: string) =>
    html`<p${warns ? html` class="note warning"` : html` class="aside"`}>${sentence}</p>`
  const alone = kinds.length > 0 ? 'ways.password_alone' : 'ways.invited'
  // The section of linked accounts follows.
  if (factors.length === 0 && !has_password && has_links) return false
  if (factors.length === 0) return note(false, text(has_password ? alone : 'ways.none'))
  // A recovery code is asked for after a password alone.
  if (!has_password) {
    if (passkeys.length > 1) return note(false, text('ways.back_passkeys'))
    if (ways.link_is_enough) return note(false, text('ways.back_link'))
    // A password manager brings the passkey to other devices.
    const is_synced = passkeys.some(({ synced }) => synced)
    return note(true, text(is_synced ? 'ways.back_synced_passkey' : 'ways.back_one_passkey'))
  }
  const none = codes_left === 0
  const warns = codes_left < 3
  if (ways.password_is_enough) {
    const codes = none ? text('ways.no_codes') : text('ways.codes_for_changes', { count: codes_left })
    return note(warns, `${text('ways.back_password')} ${codes}`)
  }
  if (factors.length > 1)
    return note(warns, none ? text('ways.back_other') : text('ways.back_codes_other', { count: codes_left }))
  return note(warns, none ? text('ways.back_none') : text('ways.back_codes', { count: codes_left }))
}

function factorRow({ language, times, form }: SectionContext, factor: FactorView, id: string): Html {
  const { text, markup } = language
  const { factor_id, kind, label, synced, created_at, last_used_at } = factor
  return html`<li>
<div>
<h3 id="${id}"><bdi>${label}</bdi>${!saysKind(language, factor) && html` <span class="here">${text(`factor.${kind}`)}</span>`}</h3>
${
  synced !== null &&
  html`<p>${text(synced ? 'factor.synced' : 'factor.one_device')}</p>
`
}<p>${markup('factor.added', { day: times.day(created_at) })}</p>
${last_used_at !== null && html`<p>${markup('session.last_used', { time: times.dateAndTime(last_used_at) })}</p>`}
<details>
<summary aria-describedby="${id}">${text('factor.rename')}</summary>
${form('rename_factor')}
<input type="hidden" name="factor_id" value="${factor_id}">
<div>
<label for="${id}-label">${text('factor.name')}</label>
<input id="${id}-label" name="label" type="text" value="${label}" required maxlength="60" autocomplete="off">
</div>
<button type="submit" class="quiet compact">${text('factor.save')}</button>
</form>
</details>
</div>
${form('remove_factor')}
<input type="hidden" name="factor_id" value="${factor_id}">
<button type="submit" class="quiet compact" aria-describedby="${id}">${text('factor.remove')}</button>
</form>
</li>`
}

/** Whether the name is the one that the user has not changed, which is that of the kind. */
const saysKind = ({ text }: Language, { kind, label }: FactorView): boolean => label === text(`${kind}.name`)

/** Codes are for after a password. */
const codesRow = ({ language: { text }, form }: SectionContext): Html => html`<li>
<div>
<h3 id="recovery-codes">${text('ways.codes')}</h3>
<p>${text('ways.codes_hint')}</p>
</div>
${form('new_codes')}
<button type="submit" class="quiet compact" aria-describedby="recovery-codes">${text('ways.new_codes')}</button>
</form>
</li>`

const secondStepRow = ({ language: { text }, form }: SectionContext, is_on: boolean): Html => html`<li>
<div>
<h3 id="second-step">${text('ways.second_step')}</h3>
<p>${text(is_on ? 'ways.second_step_is_on' : 'ways.second_step_is_off')}</p>
</div>
${form('second_step')}
<input type="hidden" name="on" value="${is_on ? 'false' : 'true'}">
<button type="submit" class="quiet compact" aria-describedby="second-step">${text(is_on ? 'ways.second_step_off' : 'ways.second_step_on')}</button>
</form>
</li>`

/** The first way is worth the first button of the page; another one is not. */
function addForms({ language: { text }, form }: SectionContext, { kinds, factors }: WaysView): Html[] {
  const added = kinds.flatMap((kind) => (kind === 'recovery' ? [] : [kind]))
  return added.map((kind, index) => {
    const quiet = factors.length > 0 || index > 0
    return html`${form('enrol')}
<input type="hidden" name="method" value="${kind}">
<div>
<button type="submit"${quiet ? html` class="quiet compact"` : html` class="compact"`} aria-describedby="add-${kind}">${text(`enrol.${kind}`)}</button>
<p class="hint" id="add-${kind}">${text(`enrol.${kind}_hint`)}</p>
</div>
</form>`
  })
}
