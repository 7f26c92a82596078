/** Checks the password of the signed-in user, within the limits, and reports refusals. */

import type { AccountAction, AccountRefusal, LoginLimitName } from '../events.js'
import type { FormProblem } from '../pages/account-view.js'
import type { Proof } from '../sign-in/login-limits.js'
import { BUSY_RETRY_AFTER_SECONDS, checkPassword } from '../sign-in/password-check.js'
import type { AccountContext } from './context.js'

/** Failures are counted per session, so that guesses from other browsers do not lock the user out of this page. */
export const proofOf = ({ session }: AccountContext): Proof => ({ kind: 'session', id: session.sid })

/** Failures are limited as at the sign-in: a stolen session must not allow unlimited guesses. */
export async function passwordProblem(
  c: AccountContext,
  action: AccountAction,
  password: string,
): Promise<FormProblem | null> {
  const { username_key, password_hash } = c.user
  const answer = await checkPassword(c, { username_key, password_hash, password, proof: proofOf(c) })
  if (answer === 'right') return null
  if (answer === 'busy') return busyProblem(c, action)
  if (answer !== 'wrong') {
    const { limit, retry_after } = answer
    const text = c.language.text('account.throttled', { count: Math.ceil(retry_after / 60) })
    return refused(c, { action, reason: 'throttled', limit }, { status: 429, text, retry_after })
  }
  const wrong = {
    status: 422,
    text: c.language.text('password.wrong'),
    field: 'current_password',
  } as const
  return refused(c, { action, reason: 'wrong_password' }, wrong)
}

export function busyProblem(c: AccountContext, action: AccountAction): FormProblem {
  const text = c.language.text('sign_in.busy')
  return refused(c, { action, reason: 'busy' }, { status: 503, text, retry_after: BUSY_RETRY_AFTER_SECONDS })
}

interface Refusal {
  action: AccountAction
  reason: Exclude<AccountRefusal, 'csrf'>
  limit?: LoginLimitName
}

export const report = (c: AccountContext, refusal: Refusal): void =>
  c.emit({ type: 'account.refused', sub: c.user.sub, ...refusal })

/** Reports the refusal, and returns what the page says. */
export function refused(c: AccountContext, refusal: Refusal, problem: FormProblem): FormProblem {
  report(c, refusal)
  return problem
}
