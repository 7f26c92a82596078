import type { Account } from '@ostiary/core'
import { type Html, html } from './html.js'
import type { Language } from './language.js'

/** A card of the signed-in user: the best known name, and the username or email when it differs from the name. */
export function userCard(language: Language, account: Account, action: Html | null = null): Html {
  const { name, given_name, preferred_username, email } = account.claims
  const names = [name, given_name, preferred_username, email, account.sub].filter(isText)
  const title = names[0] ?? account.sub
  const subtitle = [preferred_username, email].filter(isText).find((value) => value !== title)
  return html`<div class="account">
<span class="initial" aria-hidden="true">${[...title.trim()][0]?.toUpperCase()}</span>
<div>
<p>${language.markup('user.signed_in_as', { name: html`<bdi>${title}</bdi>` })}</p>
${subtitle !== undefined && html`<p>${subtitle}</p>`}
${action}
</div>
</div>`
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''

/** Whose account a page is about. */
export const accountLine = ({ markup }: Language, username: string): Html =>
  html`<p class="aside">${markup('step.account', { username: html`<bdi>${username}</bdi>` })}</p>`
