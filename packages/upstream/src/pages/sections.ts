/** What other pages show: the buttons of the sign-in and of a proof, and the section of the account page. */

import type { ExtensionSection, Html, Link, LinksSignIn, UserVisit, Visit } from '@ostiary/identity'
import { textsOf } from '../texts.js'
import type { Ways } from '../ways.js'
import { startPath } from './paths.js'

/** A button for each upstream of the realm. */
export function buttons({ html, realm, language }: Visit, ways: Ways, fields: Html): Html | null {
  const list = ways.list(realm.id)
  const texts = textsOf(language.tag)
  if (list.length === 0) return null
  return html`${list.map(
    ({ id, name }) => html`<form method="post" action="${startPath(realm, id)}">
${fields}
<button type="submit" class="quiet">${texts.sign_in(name)}</button>
</form>`,
  )}`
}

/** For the page that asks for a proof: a button for each upstream that the user has an account at. */
export async function proofs(c: UserVisit, ways: Ways): Promise<Html[]> {
  const { html, realm, user } = c
  const texts = textsOf(c.language.tag)
  const links = await ways.links(realm.id).list(user.sub)
  return ways
    .list(realm.id)
    .filter(({ owns }) => links.some(owns))
    .map(({ id, name }) => {
      const target = c.target('confirm_upstream', { upstream: id })
      return html`<form method="post" action="${target.action}">
${target.fields}
<button type="submit">${texts.sign_in(name)}</button>
</form>`
    })
}

/** What these links are at the upstreams of the realm. */
export function signsIn(list: ReturnType<Ways['list']>, links: readonly Link[]): LinksSignIn {
  const used = list.filter(({ owns }) => links.some(owns))
  if (used.some(({ is_enough }) => is_enough)) return 'alone'
  return used.length > 0 ? 'with_factor' : 'never'
}

/** Null where users sign in here alone. */
export async function section(c: UserVisit, ways: Ways): Promise<ExtensionSection | null> {
  const { html, realm } = c
  const list = ways.list(realm.id)
  if (list.length === 0) return null
  const links = await ways.links(realm.id).list(c.user.sub)
  const texts = textsOf(c.language.tag)
  const form = (action: 'link' | 'unlink', fields: Record<string, string>, button: Html) => {
    const target = c.target(action, fields)
    return html`<form method="post" action="${target.action}">
${target.fields}
${button}
</form>`
  }
  const rows = links.map((link, index) => {
    const { issuer, subject, upstream, label } = link
    const name = list.find(({ owns }) => owns(link))?.name
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
  const added = list.filter(({ owns }) => !links.some(owns))
  const shown = html`
<section aria-labelledby="links">
<h2 id="links">${texts.title}</h2>
<p class="aside">${texts.hint}</p>
${rows.length > 0 && html`<ul class="rows">${rows}</ul>`}
${added.map(({ id, name }) => form('link', { upstream: id }, html`<button type="submit" class="quiet compact">${texts.add(name)}</button>`))}
</section>`
  return { html: shown, signs_in: signsIn(list, links) }
}
