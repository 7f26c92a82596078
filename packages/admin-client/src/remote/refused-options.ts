/** The options of commands that the admin API has nothing for, each with the reason and the way out. */

import type { CommandErrors } from './errors.js'

const ON_THE_MACHINE = 'run it on the machine of the server, without --server'

const OPTIONS: Readonly<Record<string, string>> = {
  'keep-access': 'the admin API ends the sessions and grants',
  force: 'the admin API sets only passwords that the rules of the realm allow',
}

/** Before anything is asked. @throws the error of a wrong command line */
export function refuseOptions(input: { flag(option: string): boolean }, { usageError }: CommandErrors): void {
  for (const [option, reason] of Object.entries(OPTIONS))
    if (input.flag(option)) throw usageError(`--${option}: ${reason}. Leave it out, or ${ON_THE_MACHINE}`)
}
