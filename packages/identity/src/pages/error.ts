import type { ErrorPrompt } from '@ostiary/core'
import { html } from '../html.js'
import { renderPage } from '../page.js'
import type { Look } from '../theme.js'

export type Failure = Pick<ErrorPrompt, 'realm' | 'status' | 'code' | 'description'> & {
  headers?: Record<string, string>
}

/** Says what happened and what to do next. */
export function errorPage(look: Look, failure: Failure): Response {
  const { realm, status, code, description, headers = {} } = failure
  const title = status >= 500 ? 'Something went wrong' : 'Please start again'
  const body = html`<h1>${title}</h1>
<p>${description}</p>
${status >= 500 && html`<p>Please wait a moment, then try again.</p>`}
<p class="small">Code: ${code}</p>`
  return renderPage({ look, realm, title, body, status, headers })
}
