import { type Html, html } from '../pages/html.js'
import type { AccountContext } from './context.js'
import { targetOf } from './targets.js'

/** For the page that asks for a proof: a button for each provider that the user has an account at. */
export async function confirmForms(c: AccountContext): Promise<Html[]> {
  const { upstreams } = c
  if (upstreams === null) return []
  const links = await upstreams.links.list(c.user.sub)
  return upstreams.list
    .filter(({ id }) => links.some(({ upstream }) => upstream === id))
    .map(({ id, name }) => {
      const target = targetOf(c, { action: 'confirm_upstream', fields: { upstream: id } })
      return html`<form method="post" action="${target.action}">
${target.fields}
<button type="submit">${upstreams.texts(c.language.tag).sign_in(name)}</button>
</form>`
    })
}
