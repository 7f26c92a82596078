/** The forms of the account page, bound to the session. */

import type { FormTarget } from '../sign-in/context.js'
import { hiddenFields } from '../sign-in/page-form.js'
import { ACCOUNT_PATH, pathIn } from '../web/paths.js'
import { type AccountContext, csrfBinding } from './context.js'

export function targetOf(
  c: AccountContext,
  { action, fields }: { action: string; fields: Readonly<Record<string, string>> },
): FormTarget {
  const binding = csrfBinding(c)
  const { token } = c.csrf.issue(c.request, binding)
  return {
    action: pathIn(c.realm, ACCOUNT_PATH),
    fields: hiddenFields({ csrf_token: token, action, ...fields }),
    csrf_token: token,
    bound_to: binding.bound_to,
  }
}
