/** The check of new passwords. */

import type { PasswordRefusal } from '../events.js'
import type { NewPassword, PasswordRules } from './password-rules.js'
import { MIN_PASSWORD_LENGTH, passwordFault, wrongLength } from './passwords.js'

type PasswordAnswer = 'accepted' | 'unchecked' | 'too_short' | 'too_long' | PasswordRefusal

/** Every new password comes here. @param rules Null: the length alone counts. */
export async function checkNewPassword(
  rules: PasswordRules | null | undefined,
  candidate: NewPassword,
): Promise<PasswordAnswer> {
  const fault = wrongLength(candidate.password, minLength(rules))
  return fault ?? (await rules?.check(candidate)) ?? 'accepted'
}

const REFUSALS: Readonly<Record<PasswordRefusal, string>> = {
  few_characters: 'the password has too few different characters',
  own_name:
    'the password is the name or address of the user, or the name of the site, with or without digits',
  common: 'the password is a common one, which attackers try first',
  compromised: 'the password is known from a data breach',
}

/** Why the rules refuse a password, as a clause for operators; null when they accept it. */
export async function passwordRulesFault(
  rules: PasswordRules,
  candidate: NewPassword,
): Promise<string | null> {
  const answer = await checkNewPassword(rules, candidate)
  if (answer === 'accepted' || answer === 'unchecked') return null
  return answer in REFUSALS
    ? REFUSALS[answer as PasswordRefusal]
    : passwordFault(candidate.password, minLength(rules))
}

export const minLength = (rules: PasswordRules | null | undefined): number =>
  Math.max(rules?.min_length ?? 0, MIN_PASSWORD_LENGTH)
