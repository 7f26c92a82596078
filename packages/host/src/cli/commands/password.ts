/** Where a password comes from: never from the command line, which the list of processes shows. */

import { setting } from '../../config/environment.js'
import { newPassword } from '../../config/try-out.js'
import { type CommandContext, type CommandInput, type CommandOption, usageError } from '../command.js'

export const PASSWORD: Readonly<Record<string, CommandOption>> = {
  'password-stdin': { help: 'Read the password from standard input (default: generate one and print it)' },
  'password-env': { value: 'name', help: 'Take it from the variable of this name' },
}

export interface Password {
  password: string
  /** Made here, so it has to be shown. */
  generated: boolean
}

export async function readPassword(input: CommandInput, { env, stdin }: CommandContext): Promise<Password> {
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

export const shown = ({ password, generated }: Password): { password?: string } =>
  generated ? { password } : {}
export const keepIt = ({ generated }: Password): { note?: string } =>
  generated ? { note: 'Hand the password over now: it cannot be shown again.' } : {}
