import type { NewPassword, PasswordRules } from './password-rules.js'

/** Why the rules refuse a password, as a clause for operators; null when they accept it. */
export async function passwordRulesFault(
  rules: PasswordRules,
  candidate: NewPassword,
): Promise<string | null> {
  const { rulesFault } = await import('./check-password.js')
  return rulesFault(rules, candidate)
}
