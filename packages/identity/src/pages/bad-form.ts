/** The answer to a form that cannot be read. A form of these pages can be read, unless it was damaged on its way. */

import type { Realm } from '@ostiary/core'
import { type FormFault, MAX_FORM_BYTES } from '../web/form.js'
import { errorPage } from './error.js'
import type { ResolvedTheme } from './theme.js'

interface BadForm {
  fault: FormFault
  /** The start of a sentence, e.g. `The sign-in form`. */
  form: string
  /** A sentence that says where to start again. */
  advice: string
  /** The limit of the form, in bytes. */
  limit?: number
}

export function badForm({ theme, realm }: { theme: ResolvedTheme; realm: Realm }, bad: BadForm): Response {
  const { fault, form, advice, limit = MAX_FORM_BYTES } = bad
  const { status, arrived } = ANSWERS[fault](limit)
  const description = `${form} arrived ${arrived}. ${advice}`
  return errorPage(theme, { realm, status, code: 'invalid_request', description })
}

const ANSWERS: Record<FormFault, (limit: number) => { status: number; arrived: string }> = {
  wrong_type: () => ({ status: 415, arrived: 'in a format that is not understood' }),
  too_large: (limit) => ({ status: 413, arrived: `with more than ${limit / 1024} KiB` }),
  malformed: () => ({ status: 400, arrived: 'incomplete' }),
}
