/** What is not done over the admin API: the commands and options, each with the reason and the way out. */

import type { CommandErrors } from './errors.js'

const ON_THE_MACHINE = 'run it on the machine of the server, without --server'
const OF_THE_DATABASE = `it works on the database itself: ${ON_THE_MACHINE}`
const OF_THIS_MACHINE = 'it is about the files of this machine: leave --server out'
const NOT_OFFERED = `the admin API does not offer it: ${ON_THE_MACHINE}`

/** By the names of the commands; `NOT_OFFERED` for others. */
const REASONS: Readonly<Record<string, string>> = {
  serve: 'it starts a server on this machine: leave --server out',
  login: 'the address is its argument, as in: ostiary login https://id.example.com',
  logout: 'the address is its argument, as in: ostiary logout https://id.example.com',
  migrate: OF_THE_DATABASE,
  move: OF_THE_DATABASE,
  'database restored': OF_THE_DATABASE,
  export: `${OF_THE_DATABASE}; the file has what the API never shows`,
  import: OF_THE_DATABASE,
  'user import': `${OF_THE_DATABASE}; password hashes are never sent to the API`,
  purge: `${OF_THE_DATABASE}; a running server purges by itself`,
  'secret rotate': `it needs OIDC_SECRET and OIDC_SECRET_PREVIOUS: ${ON_THE_MACHINE}`,
  doctor: `it checks configuration, ports and files: ${ON_THE_MACHINE}`,
  'config print': OF_THIS_MACHINE,
  'config schema': OF_THIS_MACHINE,
  completion: OF_THIS_MACHINE,
  'mail test': `it sends with the configuration of the machine: ${ON_THE_MACHINE}`,
  'admin bootstrap': `it makes the first administrator, before there is one who could sign in: ${ON_THE_MACHINE}`,
}

/** The sentence for `--server` with a command that does not have it. */
export const refusedCommand = (name: string): string =>
  `--server: ${name} does not work over the admin API, since ${REASONS[name] ?? NOT_OFFERED}`

/** Options that the API has nothing for. */
const OPTIONS: Readonly<Record<string, string>> = {
  'keep-access': 'the admin API ends the sessions and grants',
  force: 'the admin API sets only passwords that the rules of the realm allow',
}

/** Before anything is asked. @throws the error of a wrong command line */
export function refuseOptions(input: { flag(option: string): boolean }, { usageError }: CommandErrors): void {
  for (const [option, reason] of Object.entries(OPTIONS))
    if (input.flag(option)) throw usageError(`--${option}: ${reason}. Leave it out, or ${ON_THE_MACHINE}`)
}
