/** The section of the account page for accounts at other providers. */

import { type Html, html } from '../pages/html.js'
import type { AccountContext } from './context.js'
import { targetOf } from './targets.js'

/** Null where users sign in here alone. */
export async function linksSection(c: AccountContext): Promise<Html | null> {
  const { upstreams } = c
  if (upstreams === null) return null
  const links = await upstreams.links.list(c.user.sub)
  const texts = upstreams.texts(c.language.tag)
  const form = (action: 'link' | 'unlink', fields: Record<string, string>, button: Html) => {
    const target = targetOf(c, { action, fields })
    return html`<form method="post" action="${target.action}">
${target.fields}
${button}
</form>`
  }
  const rows = links.map(({ issuer, subject, upstream, label }, index) => {
    const name = upstreams.list.find(({ id }) => id === upstream)?.name
    const id = `link-${index}`
    const remove = html`<button type="submit" class="quiet compact" aria-describedby="${id}">${texts.remove}</button>`
    return html`<li>
<div>
<h3 id="${id}">${name ?? upstream}</h3>
<p><bdi>${label}</bdi></p>${name === undefined && html`\n<p>${texts.unused}</p>`}
</div>
${form('unlink', { issuer, subject }, remove)}
</li>`
  })
  const added = upstreams.list.filter(({ id }) => !links.some(({ upstream }) => upstream === id))
  return html`
<section aria-labelledby="links">
<h2 id="links">${texts.title}</h2>
<p class="aside">${texts.hint}</p>
${rows.length > 0 && html`<ul class="rows">${rows}</ul>`}
${added.map(({ id, name }) => form('link', { upstream: id }, html`<button type="submit" class="quiet compact">${texts.add(name)}</button>`))}
</section>`
}
