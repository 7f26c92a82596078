/** Lists of what a client may do. Sensitive scopes come first, and are marked by a text. */

import type { ConsentScope } from '@ostiary/core'
import { type Html, html } from './html.js'
import type { Language } from './language.js'
import { isBuiltIn, scopeText } from './scope-text.js'

/** Of the scopes that are not sensitive, a consent page shows this number; the others are behind "Show … more". */
const MAX_SHOWN_SCOPES = 5

interface AskedScopes {
  scopes: readonly ConsentScope[]
  offline_access: boolean
}

/** What a client asks for: the sensitive scopes, all of them and under a heading of their own, then the others. */
export function askedScopes(language: Language, asked: AskedScopes): Html {
  const { text } = language
  const { offline_access } = asked
  const scopes = withoutOffline(asked.scopes)
  const high = scopes.filter(({ severity }) => severity === 'high')
  const normal = scopes.filter(({ severity }) => severity !== 'high')
  const [shown = [], hidden = []] = shortened(normal)
  const sensitive = html`<h2 id="sensitive">${text('consent.scopes_high')}</h2>
<ul class="scopes high" aria-labelledby="sensitive">
${scopeLines(language, high)}
</ul>
`
  const others = html`<h2 id="scopes">${text(high.length > 0 ? 'consent.scopes_also' : 'consent.scopes')}</h2>
<ul class="scopes" aria-labelledby="scopes">
${scopes.length === 0 && html`<li>${text('scope.none')}</li>`}
${scopeLines(language, shown)}
${offline_access && html`<li>${text('consent.offline')}</li>`}
</ul>${hidden.length > 0 && moreScopes(language, hidden)}`
  const hasOthers = normal.length > 0 || offline_access || high.length === 0
  return html`${high.length > 0 && sensitive}${hasOthers && others}`
}

/** `offline_access` has a line of its own, which is never hidden. */
const withoutOffline = (scopes: readonly ConsentScope[]): ConsentScope[] =>
  scopes.filter(({ value }) => value !== 'offline_access')

/**
 * The scopes to show at first, and the others. The client chooses the order of the request: the scopes that every realm has
 * are hidden before the operator's.
 */
function shortened(scopes: readonly ConsentScope[]): (readonly ConsentScope[])[] {
  // One line takes no more space than the summary that hides it.
  if (scopes.length <= MAX_SHOWN_SCOPES + 1) return [scopes]
  const ordered = [...scopes.filter((scope) => !isBuiltIn(scope)), ...scopes.filter(isBuiltIn)]
  return [ordered.slice(0, MAX_SHOWN_SCOPES), ordered.slice(MAX_SHOWN_SCOPES)]
}

function moreScopes(language: Language, scopes: readonly ConsentScope[]): Html {
  return html`
<details>
<summary>${language.text('consent.more', { count: scopes.length })}</summary>
<ul class="scopes" aria-labelledby="scopes">
${scopeLines(language, scopes)}
</ul>
</details>`
}

const scopeLines = (language: Language, scopes: readonly ConsentScope[]): Html[] =>
  scopes.map((scope) => html`<li>${scopeText(language, scope)}</li>`)

/** What a client may do already, as lines of a list. */
export function allowedScopes(language: Language, scopes: readonly ConsentScope[]): Html[] {
  const isHigh = ({ severity }: ConsentScope) => severity === 'high'
  const others = withoutOffline(scopes)
  return [...others.filter(isHigh), ...others.filter((scope) => !isHigh(scope))].map((scope) => {
    const line = scopeText(language, scope)
    return html`<li>${isHigh(scope) ? language.markup('scope.high', { scope: line }) : line}</li>`
  })
}
