import type { Account } from '@ostiary/core'
import { type Html, html } from './html.js'

/** The signed-in user: the fullest name, and the username or email beside it. */
export function userCard(account: Account, action: Html | null = null): Html {
  const { name, given_name, preferred_username, email } = account.claims
  const names = [name, given_name, preferred_username, email, account.sub].filter(isText)
  const title = names[0] ?? account.sub
  const second = [preferred_username, email].filter(isText).find((value) => value !== title)
  return html`<div class="account">
<span class="initial" aria-hidden="true">${[...title.trim()][0]?.toUpperCase()}</span>
<div>
<p>Signed in as <bdi>${title}</bdi></p>
${second !== undefined && html`<p>${second}</p>`}
${action}
</div>
</div>`
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''
