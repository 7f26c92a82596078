/** The page on which a user says which factors are still there. */

import type { Realm } from '@ostiary/core'
import type { Factor } from '../../users/factor-store.js'
import type { FormProblem } from '../account-view.js'
import { type Html, html } from '../html.js'
import type { Language } from '../language.js'
import { alertNote, renderPage } from '../page.js'
import type { Presentation } from '../presentation.js'
import { type TimeFormats, timeFormats } from '../time.js'
import { accountLine } from '../user-card.js'

/** An account elsewhere. Times are epoch seconds. */
export interface LinkedItem {
  /** Of `\w` and `-`, unlike the others, and no id of a factor. */
  id: string
  label: string
  /** The name of the provider. */
  provider: string
  created_at: number
  last_used_at: number | null
}

/** A passkey, an app, or an account elsewhere. */
export type DecidedItem = (Factor & { id: string }) | LinkedItem

interface DecisionView {
  realm: Realm
  username: string
  target: { action: string; fields: Html }
  items: readonly DecidedItem[]
  /** What the form has sent, when it was refused. Nothing is selected that the user has not selected. */
  decided: URLSearchParams
  problem: FormProblem | null
  cookies: (string | null)[]
}

export function decisionPage(presentation: Presentation, page: DecisionView): Response {
  const { language } = presentation
  const { text } = language
  const { realm, username, target, items, decided, problem, cookies } = page
  const title = text('regain.decide')
  const times = timeFormats(language, null)
  const body = html`<h1>${title}</h1>
${accountLine(language, username)}
<p>${text('regain.decide_hint')}</p>
${problem !== null && alertNote(problem.text)}
<form method="post" action="${target.action}">
${target.fields}
${items.map((item) => decision({ language, times }, item, decided.get(item.id)))}
<button type="submit">${text('regain.finish')}</button>
</form>`
  return renderPage(presentation, {
    realm,
    title,
    body,
    status: problem?.status ?? 200,
    cookies,
    form_leads_to: 'self',
  })
}

function decision(
  { language, times }: { language: Language; times: TimeFormats },
  item: DecidedItem,
  decided: string | null,
): Html {
  const { text, markup } = language
  const { id, label, created_at, last_used_at } = item
  const kind = 'provider' in item ? item.provider : kindName(language, item)
  const choice = (value: 'keep' | 'remove') =>
    html`<label><input type="radio" name="${id}" value="${value}" required${decided === value && html` checked`}> ${text(`regain.${value}`)}</label>`
  return html`<fieldset>
<legend><bdi>${label}</bdi>${kind !== null && html` <span class="here">${kind}</span>`}</legend>
<p>${markup('factor.added', { day: times.day(created_at) })}</p>
${last_used_at !== null && html`<p>${markup('session.last_used', { time: times.dateAndTime(last_used_at) })}</p>`}
<div class="choices">
${choice('keep')}
${choice('remove')}
</div>
</fieldset>
`
}

/** Null where the label is the name of the kind. */
function kindName({ text }: Language, { kind, label }: Factor): string | null {
  const name = kind === 'totp' ? 'totp' : 'passkey'
  return label === text(`${name}.name`) ? null : text(`factor.${name}`)
}
