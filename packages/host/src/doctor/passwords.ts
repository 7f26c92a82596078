import { argon2Passwords, PasswordModuleError } from '@ostiary/identity'
import type { HostConfig } from '../config/host-config.js'
import { type Finding, fault, note, ok } from './finding.js'

/** Checks that the native module that hashes passwords is installed, and is one for this machine. */
export async function checkPasswords(): Promise<Finding> {
  try {
    await argon2Passwords().ready()
    return ok('passwords', 'argon2 can be loaded')
  } catch (error) {
    if (error instanceof PasswordModuleError) return fault('passwords', error.fault, error.advice)
    throw error
  }
}

/** Says which passwords of the configuration are common ones. The generated one of try-out mode is not. */
export async function checkConfiguredPasswords({
  realms,
  password_rules,
  issuer,
  try_out,
}: HostConfig): Promise<Finding[]> {
  const findings: Finding[] = []
  if (try_out) return findings
  for (const [id, { users }] of Object.entries(realms))
    for (const { path, user } of users) {
      const { username, password, email } = user
      if (password === undefined) continue
      const { passwordRules } = await import('@ostiary/password-rules')
      const rules = passwordRules(password_rules?.[id])
      const realm = rules({ id, issuer, product: null, second_factor_required: false })
      if ((await realm.check({ username, password, email })) !== 'common') continue
      findings.push(
        note(
          'configuration',
          `${path}: the password is a common one, which attackers try first`,
          'Choose another one here, and for the user, if the server has started with it: ostiary user set-password.',
        ),
      )
    }
  return findings
}
