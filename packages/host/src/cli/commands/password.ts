/** Reads a password, but never from an argument: the list of processes shows every argument. */

import type { AccountPassword } from '@ostiary/admin-client/remote'
import { setting } from '../../config/environment.js'
import { newPassword } from '../../config/try-out.js'
import { type CommandContext, type CommandInput, type CommandOption, usageError } from '../command.js'

export const PASSWORD_OPTIONS: Readonly<Record<string, CommandOption>> = {
  'password-stdin': { help: 'Read the password from standard input (default: generate one and print it)' },
  'password-env': { value: 'name', help: 'Read the password from the environment variable of this name' },
  force: { help: 'Set a password that the rules of identity.password refuse' },
}

export async function readPassword(
  input: CommandInput,
  { env, stdin }: CommandContext,
): Promise<AccountPassword> {
  const name = input.text('password-env')
  const force = input.flag('force')
  if (name !== undefined && input.flag('password-stdin'))
    throw usageError('give --password-stdin or --password-env, not both')
  if (name !== undefined) {
    const password = setting(env, name)
    if (password === undefined) throw usageError(`--password-env: the variable ${name} is not set`)
    return { password, generated: false, force }
  }
  if (!input.flag('password-stdin')) return { password: newPassword(), generated: true, force }
  const password = (await stdin()).replace(/\r?\n$/, '')
  if (password === '') throw usageError('--password-stdin: there is nothing on standard input')
  return { password, generated: false, force }
}

/** The output field of a generated password; empty when the caller chose the password. */
export const generatedPassword = ({ password, generated }: AccountPassword): { password?: string } =>
  generated ? { password } : {}
export const passwordNote = ({ generated }: AccountPassword): { note?: string } =>
  generated ? { note: 'Store the password now: it cannot be shown again.' } : {}

/** What a user does who has no password, and no passkey yet. */
export const RECOVERY_LINK = 'ostiary user recovery-link'
