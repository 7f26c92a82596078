/** Pages that say why something was not done. */

import type { Html } from '@ostiary/identity'
import type { ApiProblem } from '../session/api.js'
import { REFUSALS } from '../texts/refusals.js'
import { type TextKey, textOf } from '../texts/texts.js'
import type { Area, Look, Visit } from '../visit.js'
import { cardPage, consolePage } from './shell.js'

/** Why a request got no page. */
export type Refusal =
  | 'not_found'
  | 'not_permitted'
  | 'method'
  | 'form_origin'
  | 'form_old'
  | 'form_size'
  | 'unavailable'
  | 'failed'

const STATUS: Readonly<Record<Refusal, number>> = {
  not_found: 404,
  not_permitted: 403,
  method: 405,
  form_origin: 403,
  form_old: 403,
  form_size: 413,
  unavailable: 503,
  failed: 500,
}

function sentences(look: Look, refusal: Refusal): Html {
  const { html } = look
  const text = textOf(look)
  return html`<p>${text(`error.${refusal}.text` as TextKey)}</p>
<p><a class="switch" href="/admin">${text('error.home')}</a></p>`
}

const titleOf = (look: Look, refusal: Refusal): string => textOf(look)(`error.${refusal}.title` as TextKey)

export const refusalCard = (look: Look, refusal: Refusal): Response =>
  cardPage(look, {
    title: titleOf(look, refusal),
    body: sentences(look, refusal),
    status: STATUS[refusal],
  })

/** The same, with the navigation. */
export function refusalPage(c: Visit, refusal: Refusal): Response {
  const { html } = c
  const title = titleOf(c, refusal)
  const body = html`<h1>${title}</h1>
${sentences(c, refusal)}`
  return consolePage(c, { title, body, status: STATUS[refusal] })
}

/**
 * The page in place of one that the request does not get: what is read takes no form, and a form needs the right to change.
 * @param changes What the page changes; null for one that is read.
 * @returns Null where the request gets the page.
 */
export function refusalFor(c: Visit, changes: Area | null): Response | null {
  if (changes === null) return c.request.method === 'POST' ? refusalPage(c, 'method') : null
  return c.may(changes, 'write') ? null : refusalPage(c, 'not_permitted')
}

/** What the API has refused, as a sentence above a form. The API says it in English. */
export function problemNote(look: Look, problem: ApiProblem): Html {
  const { html } = look
  const name = nameOf(problem)
  return html`<div class="note" id="error" role="alert"><p>${titleOfProblem(look, name)}</p>
${name !== 'changed_meanwhile' && html`<p lang="en">${problem.detail}</p>`}</div>`
}

const nameOf = ({ type }: ApiProblem): string => type.split(':').at(-1) ?? ''

const titleOfProblem = (look: Look, name: string): string =>
  textOf(look)(`problem.${Object.hasOwn(REFUSALS.problem, name) ? name : 'other'}` as TextKey)

/** A page for an answer of the API that is no record. */
export function problemPage(c: Visit, problem: ApiProblem): Response {
  const { html } = c
  const { status } = problem
  if (status === 404) return refusalPage(c, 'not_found')
  if (status === 403) return refusalPage(c, 'not_permitted')
  if (status === 503 || status === 429) return refusalPage(c, 'unavailable')
  if (status >= 500) return refusalPage(c, 'failed')
  const title = titleOfProblem(c, nameOf(problem))
  const body = html`<h1>${title}</h1>
<p class="note" role="alert" lang="en">${problem.detail}</p>`
  return consolePage(c, { title, body, status })
}
