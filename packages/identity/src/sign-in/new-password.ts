/** The rules of a password that a user chooses. */

import type { FormProblem, PasswordField } from '../pages/account-view.js'
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH, wrongLength } from '../users/passwords.js'
import type { PageContext } from './context.js'
import { BUSY, BUSY_RETRY_AFTER_SECONDS, callerOf, unlessBusy } from './password-check.js'

/** Why the page refuses the new password; null when it does not. @param again The repetition. */
export function newPasswordFault(c: PageContext, password: string, again: string): FormProblem | null {
  const { text } = c.language
  const wrong = (field: PasswordField, sentence: string) => ({ status: 422, text: sentence, field })
  const fault = wrongLength(password)
  if (fault === 'too_short')
    return wrong('new_password', text('password.too_short', { min: MIN_PASSWORD_LENGTH }))
  if (fault === 'too_long')
    return wrong('new_password', text('password.too_long', { max: MAX_PASSWORD_LENGTH }))
  return password === again ? null : wrong('new_password_again', text('password.not_repeated'))
}

/** The hash of the password of a user who is not signed in, or what the page says when the server is busy. */
export async function hashedPassword(c: PageContext, password: string): Promise<string | FormProblem> {
  const password_hash = await unlessBusy(() => c.passwords.hash(password, callerOf(c, null)))
  if (password_hash !== BUSY) return password_hash
  return { status: 503, text: c.language.text('account.busy'), retry_after: BUSY_RETRY_AFTER_SECONDS }
}
