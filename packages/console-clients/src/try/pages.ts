/** What would happen at a client, without doing it: a request, the tokens, and a sign-in. */

import { type Act, actPage, type Page, pathOf } from '@ostiary/console'
import { readClient, type ShownClient } from '../clients/client.js'
import type { OwnVisit } from '../visit.js'
import { tryAuthorization } from './authorization.js'
import { trySignIn } from './sign-in.js'
import { tryTokens } from './tokens.js'
import { type TypedUser, typedUser } from './user.js'

type Try = (c: OwnVisit, client: ShownClient, user: TypedUser) => Omit<Act, 'area' | 'back' | 'title'>

/** By the last part of the path; the first one has none. */
const TRIES = {
  '': { label: 'try.authorization', act: tryAuthorization },
  tokens: { label: 'try.tokens', act: tryTokens },
  'sign-in': { label: 'try.sign_in', act: trySignIn },
} as const satisfies Record<string, { label: string; act: Try }>

type Name = keyof typeof TRIES

const NAMES = Object.keys(TRIES) as Name[]

/** It is read with a form: who reads the client may simulate. */
export async function tryPage(c: OwnVisit, client_id: string, name = ''): Page {
  const { html, text } = c
  const chosen = NAMES.find((each) => each === name)
  if (chosen === undefined) return null
  const found = await readClient(c, client_id)
  if (found instanceof Response) return found
  const { record: client } = found
  const user = await typedUser(c)
  const act: ReturnType<Try> = TRIES[chosen].act(c, client, user)
  return actPage(c, {
    ...act,
    area: 'clients',
    title: text('try.title'),
    intro: html`<p><bdi>${client.client_name}</bdi> <code>${client_id}</code></p>
${tabs(c, client, { name, user: user.typed })}
${act.intro}`,
    back: pathOf(c, 'clients', client_id),
  })
}

/** The three, with the same user. */
function tabs(c: OwnVisit, { client_id }: ShownClient, { name, user }: { name: string; user: string }) {
  const { html, text } = c
  const search = user === '' ? '' : `?${new URLSearchParams({ user })}`
  const links = NAMES.map((each) => {
    const href = pathOf(c, 'clients', client_id, 'try', ...(each === '' ? [] : [each])) + search
    return html`<li><a href="${href}"${each === name && html` aria-current="page"`}>${text(TRIES[each].label)}</a></li>`
  })
  return html`<nav class="tries" aria-label="${text('try.title')}"><ul>${links}</ul></nav>`
}
