import type { ErrorPrompt, Realm } from '@ostiary/core'
import { html } from './html.js'
import { renderPage } from './page.js'
import type { ResolvedTheme } from './theme.js'

export type Failure = Pick<ErrorPrompt, 'realm' | 'status' | 'code' | 'description'> & {
  headers?: Record<string, string>
}

/** An error page: what happened, and what to do next. */
export function errorPage(theme: ResolvedTheme, failure: Failure): Response {
  const { realm, status, code, headers = {} } = failure
  const { title, sentences } = wording(failure)
  const body = html`<h1>${title}</h1>
${sentences.map((sentence) => html`<p>${sentence}</p>\n`)}<p class="small">Code: ${code}</p>`
  return renderPage({ theme, realm, title, body, status, headers })
}

interface Wording {
  title: string
  sentences: string[]
}

function wording({ status, description }: Failure): Wording {
  const known = WORDINGS.get(status)
  if (known) return known
  return status >= 500 ? SERVER_ERROR : { title: 'Please start again', sentences: [description] }
}

const SERVER_ERROR: Wording = {
  title: 'Something went wrong',
  sentences: [
    'The request failed because of an error on this server.',
    'Please wait a moment, then try again.',
  ],
}

const WORDINGS: ReadonlyMap<number, Wording> = new Map([
  [
    404,
    {
      title: 'There is nothing at this address',
      sentences: ['Check the address, or go back to the application and start again.'],
    },
  ],
  [
    429,
    {
      title: 'Too many requests',
      sentences: [
        'There were too many requests from your network or your browser.',
        'Please wait a few minutes, then load this page again.',
      ],
    },
  ],
  [
    503,
    {
      title: 'Not available right now',
      sentences: [
        'This service cannot answer at the moment. It has nothing to do with you or your account.',
        // Loading the page again also repeats a form that was sent.
        'Please wait a few seconds, then load this page again. If that does not help, go back to the application and start again.',
      ],
    },
  ],
])

/** The value of the provider's own 503 answers. */
const RETRY_AFTER_SECONDS = 5

/** The page for an unexpected failure. @param temporary True when the same request may succeed later: 503 instead of 500. */
export function failurePage(theme: ResolvedTheme, realm: Realm, temporary: boolean): Response {
  const description = ''
  return temporary
    ? errorPage(theme, {
        realm,
        status: 503,
        code: 'temporarily_unavailable',
        description,
        headers: { 'retry-after': String(RETRY_AFTER_SECONDS) },
      })
    : errorPage(theme, { realm, status: 500, code: 'server_error', description })
}
