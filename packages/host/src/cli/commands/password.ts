/** Reads a password, but never from an argument: the list of processes shows every argument. */

import { passwordRulesFault } from '@ostiary/identity'
import { setting } from '../../config/environment.js'
import { hasPasswords } from '../../config/has-passwords.js'
import { newPassword } from '../../config/try-out.js'
import { realmPasswordRules } from '../../server/password-rules.js'
import {
  type CommandContext,
  type CommandInput,
  type CommandOption,
  failure,
  usageError,
} from '../command.js'
import type { Workspace } from '../workspace.js'

export const PASSWORD_OPTIONS: Readonly<Record<string, CommandOption>> = {
  'password-stdin': { help: 'Read the password from standard input (default: generate one and print it)' },
  'password-env': { value: 'name', help: 'Read the password from the environment variable of this name' },
  force: { help: 'Set a password that the rules of identity.password refuse' },
}

export interface NewPassword {
  password: string
  /** True when the command generated the password, and must print it. */
  generated: boolean
}

export async function readPassword(
  input: CommandInput,
  { env, stdin }: CommandContext,
): Promise<NewPassword> {
  const name = input.text('password-env')
  if (name !== undefined && input.flag('password-stdin'))
    throw usageError('give --password-stdin or --password-env, not both')
  if (name !== undefined) {
    const password = setting(env, name)
    if (password === undefined) throw usageError(`--password-env: the variable ${name} is not set`)
    return { password, generated: false }
  }
  if (!input.flag('password-stdin')) return { password: newPassword(), generated: true }
  const password = (await stdin()).replace(/\r?\n$/, '')
  if (password === '') throw usageError('--password-stdin: there is nothing on standard input')
  return { password, generated: false }
}

/** @throws CommandError for a password that the operator has chosen, against the rules of the realm and without --force. */
export async function requirePasswordRules(
  input: CommandInput,
  { config, realm }: Workspace,
  candidate: { given: NewPassword; username: string; email: unknown },
): Promise<void> {
  const { given, username, email } = candidate
  if (given.generated || input.flag('force')) return
  const rules = await realmPasswordRules(config, realm.id)
  const fault = rules && (await passwordRulesFault(rules, { password: given.password, username, email }))
  if (fault) throw failure(`${fault}. Choose another one, or give --force`)
}

/** The output field of a generated password; empty when the caller chose the password. */
export const generatedPassword = ({ password, generated }: NewPassword): { password?: string } =>
  generated ? { password } : {}
export const passwordNote = ({ generated }: NewPassword): { note?: string } =>
  generated ? { note: 'Store the password now: it cannot be shown again.' } : {}

/** What a user does who has no password, and no passkey yet. */
export const RECOVERY_LINK = 'ostiary user recovery-link'

/** @throws CommandError in a realm without passwords. */
export function refuseWithoutPasswords({ entries }: Workspace): void {
  if (hasPasswords(entries.identity)) return
  throw failure(
    `identity.password.enabled is false: users of this realm have no passwords. Let the user in with ${RECOVERY_LINK}`,
  )
}
