/** Reads a password, never from the command line, which the list of processes shows. */

import { setting } from '../../config/environment.js'
import { newPassword } from '../../config/try-out.js'
import { type CommandContext, type CommandInput, type CommandOption, usageError } from '../command.js'

export const PASSWORD_OPTIONS: Readonly<Record<string, CommandOption>> = {
  'password-stdin': { help: 'Read the password from standard input (default: generate one and print it)' },
  'password-env': { value: 'name', help: 'Read the password from the environment variable of this name' },
}

export interface NewPassword {
  password: string
  /** The command generated it, so it must print it. */
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

/** The field of the output with a generated password; empty for one that the caller knows. */
export const generatedPassword = ({ password, generated }: NewPassword): { password?: string } =>
  generated ? { password } : {}
export const passwordNote = ({ generated }: NewPassword): { note?: string } =>
  generated ? { note: 'Store the password now: it cannot be shown again.' } : {}
