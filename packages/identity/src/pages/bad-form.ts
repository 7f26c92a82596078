/** The answer to a form that cannot be read. A form of these pages can be read, unless it was damaged on its way. */

import type { Realm } from '@ostiary/core'
import { type FormFault, MAX_FORM_BYTES } from '../web/form.js'
import { errorPage } from './error.js'
import type { Presentation } from './presentation.js'

interface BadForm {
  fault: FormFault
  /** The message that says where to start again; `error.go_back` when absent. */
  advice?: 'error.go_back' | 'form.account_advice'
  /** The limit of the form, in bytes. */
  limit?: number
}

const STATUS = { wrong_type: 415, too_large: 413, malformed: 400 }

export function badForm(c: Presentation & { realm: Realm }, bad: BadForm): Response {
  const { fault, advice = 'error.go_back', limit = MAX_FORM_BYTES } = bad
  const { text } = c.language
  const what = fault === 'too_large' ? text('form.too_large', { limit: limit / 1024 }) : text(`form.${fault}`)
  const sentences = [what, text(advice)]
  return errorPage(c, { realm: c.realm, status: STATUS[fault], code: 'invalid_request', sentences })
}
