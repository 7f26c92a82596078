import type { ErrorPrompt, Realm } from '@ostiary/core'
import { html } from './html.js'
import type { Language } from './language.js'
import { renderPage } from './page.js'
import type { Presentation } from './presentation.js'

export interface Failure extends Pick<ErrorPrompt, 'realm' | 'status' | 'code'> {
  /** What happened and what to do, in the page's language. */
  sentences?: string[]
  /** The provider's description: for programs, in English. */
  description?: string
  headers?: Record<string, string>
}

/** An error page: what happened, and what to do next. */
export function errorPage(presentation: Presentation, failure: Failure): Response {
  const { realm, status, code, headers = {} } = failure
  const { language } = presentation
  const { title, sentences } = wording(language, failure)
  const body = html`<h1>${title}</h1>
${sentences.map((sentence) => html`<p>${sentence}</p>\n`)}<p class="small">${language.text('error.code', { code })}</p>`
  return renderPage(presentation, { realm, title, body, status, headers })
}

interface Wording {
  title: string
  sentences: string[]
}

function wording({ text }: Language, { status, sentences, description }: Failure): Wording {
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
  if (status >= 500)
    return {
      title: text('error.server'),
      sentences: [text('error.server_here'), text('error.server_advice')],
    }
  const advice = text('error.go_back')
  const told = description === undefined ? [advice] : [withAdvice(description, advice)]
  return { title: text('error.start_again'), sentences: sentences ?? told }
}

/** The provider's descriptions are for programs, and do not tell the user what to do. */
const withAdvice = (description: string, advice: string): string =>
  description.includes(advice) ? description : `${description}. ${advice}`

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
