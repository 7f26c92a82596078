/** The rules of a password that a user chooses. */

import type { FormProblem, NewPasswordView, PasswordField } from '../pages/account-view.js'
import { checkNewPassword, minLength } from '../users/check-password.js'
import { MAX_PASSWORD_LENGTH } from '../users/passwords.js'
import type { User } from '../users/user-store.js'
import type { PageContext } from './context.js'
import { BUSY, BUSY_RETRY_AFTER_SECONDS, callerOf, unlessBusy } from './password-check.js'

/** The script that shows it is that of the pages with factors. */
export const newPasswordView = ({
  password_rules,
  factors,
}: Pick<PageContext, 'password_rules' | 'factors'>): NewPasswordView => ({
  min_length: minLength(password_rules),
  can_show: password_rules !== null && factors !== null,
})

interface ChosenPassword {
  user: User
  password: string
  /** The repetition. */
  again: string
}

/** Why the page refuses the new password; null when it does not. Every page that sets one asks here. */
export async function newPasswordFault(
  c: PageContext,
  { user, password, again }: ChosenPassword,
): Promise<FormProblem | null> {
  const { text } = c.language
  const wrong = (field: PasswordField, sentence: string) => ({ status: 422, text: sentence, field })
  const { sub, username, claims } = user
  const rules = c.password_rules
  const answer = await checkNewPassword(rules, { password, username, email: claims.email })
  if (answer === 'too_short')
    return wrong('new_password', text('password.too_short', { min: minLength(rules) }))
  if (answer === 'too_long')
    return wrong('new_password', text('password.too_long', { max: MAX_PASSWORD_LENGTH }))
  if (answer !== 'accepted' && answer !== 'unchecked') {
    c.emit({ type: 'password.refused', reason: answer, sub })
    return wrong('new_password', text(`password.${answer}`))
  }
  if (password !== again) return wrong('new_password_again', text('password.not_repeated'))
  if (answer === 'unchecked') c.emit({ type: 'password.unchecked', sub })
  return null
}

/** The hash of the password of a user who is not signed in, or what the page says when the server is busy. */
export async function hashedPassword(c: PageContext, password: string): Promise<string | FormProblem> {
  const password_hash = await unlessBusy(() => c.passwords.hash(password, callerOf(c, null)))
  if (password_hash !== BUSY) return password_hash
  return { status: 503, text: c.language.text('sign_in.busy'), retry_after: BUSY_RETRY_AFTER_SECONDS }
}
