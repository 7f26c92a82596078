import type { ErrorKind, ErrorPrompt, Realm } from '@ostiary/core'
import { type Html, html } from './html.js'
import type { Language } from './language.js'
import { renderPage } from './page.js'
import type { Presentation } from './presentation.js'

export interface Failure extends Pick<ErrorPrompt, 'realm' | 'status' | 'code'> {
  kind?: ErrorKind | null
  /** What happened and what to do, in the page's language. */
  sentences?: string[]
  /** The provider's description: for developers, in English. */
  description?: string
  headers?: Record<string, string>
}

/** An error page: what happened, and what to do next. */
export function errorPage(presentation: Presentation, failure: Failure): Response {
  const { realm, status, code, headers = {} } = failure
  const { language } = presentation
  const { title, sentences, detail } = wording(language, failure)
  const body = html`<h1>${title}</h1>
${sentences.map((sentence) => html`<p>${sentence}</p>\n`)}${detail && html`<p class="small">${technicalDetail(language, detail)}</p>\n`}<p class="small">${language.text('error.code', { code })}</p>`
  return renderPage(presentation, { realm, title, body, status, headers })
}

/** The description is in English on every page. */
const technicalDetail = ({ markup, tag }: Language, description: string): Html =>
  markup('error.detail', {
    description: html`<bdi${tag !== 'en' && html` lang="en"`}>${description}</bdi>`,
  })

interface Wording {
  title: string
  sentences: string[]
  /** The provider's description, where it tells more than the sentences. */
  detail?: string | undefined
}

function wording(language: Language, failure: Failure): Wording {
  const { text } = language
  const { kind = null, status, sentences, description } = failure
  if (kind !== null) return kindWording(language, kind, description)
  const known = statusWording(language, status)
  if (known) return known
  const title = text('error.start_again')
  return sentences
    ? { title, sentences }
    : { title, sentences: [requestFault(language, status), text('error.go_back')], detail: description }
}

function kindWording({ text }: Language, kind: ErrorKind, detail: string | undefined): Wording {
  if (kind === 'expired')
    return { title: text('error.expired'), sentences: [text('error.expired_here'), text('error.go_back')] }
  if (kind === 'answered')
    return {
      title: text('error.answered'),
      sentences: [text('error.answered_here'), text('error.answered_advice')],
    }
  const sentences = [text(`error.${kind}_here`), text('error.tell_operator')]
  return { title: text(`error.${kind}`), sentences, detail }
}

function statusWording({ text }: Language, status: number): Wording | null {
  if (status === 404) return { title: text('error.not_found'), sentences: [text('error.not_found_advice')] }
  if (status === 429)
    return {
      title: text('error.too_many'),
      sentences: [text('error.too_many_from'), text('error.too_many_advice')],
    }
  if (status === 503)
    return {
      title: text('error.unavailable'),
      sentences: [text('error.unavailable_here'), text('error.unavailable_advice')],
    }
  if (status < 500) return null
  return { title: text('error.server'), sentences: [text('error.server_here'), text('error.server_advice')] }
}

/** What is wrong with a request that was refused. */
function requestFault({ text }: Language, status: number): string {
  if (status === 400) return text('error.bad_request')
  if (status === 405) return text('error.method')
  return status === 413 || status === 414 ? text('error.too_large') : text('error.refused')
}

/** The value of the provider's own 503 answers. */
const RETRY_AFTER_SECONDS = 5

/** The page for an unexpected failure. @param temporary True when the same request may succeed later: 503 instead of 500. */
export function failurePage(presentation: Presentation, realm: Realm, temporary: boolean): Response {
  return temporary
    ? errorPage(presentation, {
        realm,
        status: 503,
        code: 'temporarily_unavailable',
        headers: { 'retry-after': String(RETRY_AFTER_SECONDS) },
      })
    : errorPage(presentation, { realm, status: 500, code: 'server_error' })
}
