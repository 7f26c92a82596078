/** The page for a signed-in user who may not use the application. */

import type { Html, RefusedView } from '@ostiary/identity'
import { textsOf } from './texts.js'

const MAX_HELP_CHARACTERS = 500
/** Where the code of a device is entered: a page without a request that waits is about a device. */
const DEVICE_PATH = '/device'

/** What is wrong with the text that says with whom to ask; null when nothing is. */
export const helpFault = (text: string): string | null =>
  text.trim() !== '' && text.length <= MAX_HELP_CHARACTERS && !/\p{Cc}/u.test(text)
    ? null
    : `give 1 to ${MAX_HELP_CHARACTERS} characters without line breaks`

/**
 * The page: which application, which account, with whom to ask, and the way back. For the option `refused` of createIdentity.
 * @param help With whom to ask; a general sentence when absent.
 *
 * @example
 * ```ts
 * import type { IdentityOptions } from '@ostiary/identity'
 * import { refusedPage } from '@ostiary/access-rules'
 *
 * export const refused: IdentityOptions['refused'] = (view) =>
 *   refusedPage(view, 'Write to it@example.com if you need access.')
 * ```
 */
export function refusedPage(view: RefusedView, help?: string): Response {
  const { html, name, back, prompt } = view
  const { realm, user, rule, return_to } = prompt
  const texts = textsOf(view.language.tag)
  const around = ([before, after]: readonly [string, string]): Html => html`${before}${name}${after}`
  const { preferred_username: username } = user.claims
  const link = (path: string, text: string): Html => html`<a class="switch" href="${path}">${text}</a>`
  const signIn = (to: string, text: string): Html =>
    link(`${realm.path}/login?${new URLSearchParams({ return_to: to })}`, text)
  const is_weak = rule === 'acr'
  const body = html`<h1>${around(is_weak ? texts.stronger : texts.heading)}</h1>
${typeof username === 'string' && html`<p class="aside">${texts.signed_in} <bdi>${username}</bdi></p>\n`}<p>${is_weak ? texts.weak : (help ?? texts.ask)}</p>
${
  back &&
  html`<form method="post" action="${back.action}">
${back.fields}
<button type="submit" class="quiet">${around(texts.back)}</button>
</form>
`
}<p class="small links">
${
  return_to === null
    ? signIn(DEVICE_PATH, is_weak ? texts.sign_in : texts.other)
    : html`${link(`${realm.urls.resume}?${new URLSearchParams({ id: return_to })}`, texts.again)}
${signIn(return_to, texts.other)}`
}
</p>`
  return view.page({ title: texts.title, body })
}
