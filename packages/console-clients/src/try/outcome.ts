/** What a simulation says: in words, with the reason, and with what decides. */

import { code, type Fact, factList, pathOf } from '@ostiary/console'
import type { Html, HtmlValue } from '@ostiary/identity'
import type { ShownClient } from '../clients/client.js'
import type { OwnVisit } from '../visit.js'

/** Of an authorization request, or of tokens. */
export interface Outcome {
  result: 'login' | 'consent' | 'code' | 'tokens' | 'refused'
  reason?: string | null
  /** A sentence in English. */
  hint?: string | null
  /** A key of the configuration, or `client.` and a field. */
  setting?: string | null
  error?: string
  redirects?: boolean
}

/** The fields of a client that its form has. */
const EDITABLE = ['redirect_uris', 'allowed_groups', 'required_acr', 'consent_required']

interface Told {
  client: ShownClient
  answer: Outcome
  facts: readonly Fact[]
  more?: HtmlValue
}

export function outcomeSection(c: OwnVisit, { client, answer, facts, more = null }: Told): Html {
  const { html, text } = c
  const { reason, hint, setting, error } = answer
  const given: Fact[] = [
    ...(reason ? [[text('try.reason'), code(c, reason)] as const] : []),
    ...(error ? [[text('try.error'), code(c, error)] as const] : []),
    ...(setting ? [[text('try.setting'), settingOf(c, client, setting)] as const] : []),
    ...facts,
  ]
  return answerSection(
    c,
    html`<p class="${`note ${answer.result === 'refused' ? 'warning' : 'done'}`}">${headlineOf(c, answer)}</p>
${more}
${hint && html`<p lang="en">${hint}</p>`}
${given.length > 0 && factList(c, given)}`,
  )
}

/** What stands above the form. */
export const answerSection = ({ html, text }: OwnVisit, body: HtmlValue): Html =>
  html`<section class="answer" role="status" aria-label="${text('try.answer')}"><h2>${text('try.answer')}</h2>
${body}</section>`

function headlineOf({ text }: OwnVisit, { result, redirects }: Outcome): string {
  if (result !== 'refused') return text(`result.${result}`)
  if (redirects === undefined) return text('result.refused')
  return text(redirects ? 'result.refused_client' : 'result.refused_page')
}

/** With a link to where it is changed, if that is the form of the client. */
function settingOf(c: OwnVisit, { client_id }: ShownClient, setting: string): HtmlValue {
  const { html } = c
  const field = setting.startsWith('client.') ? setting.slice('client.'.length) : ''
  if (!EDITABLE.includes(field) || !c.may('clients', 'write')) return code(c, setting)
  return html`<a href="${`${pathOf(c, 'clients', client_id, 'edit')}#${field}`}">${code(c, setting)}</a>`
}

export const codesOf = (c: OwnVisit, texts: readonly string[]): HtmlValue =>
  texts.length === 0 ? '–' : texts.map((each) => c.html`${code(c, each)} `)
