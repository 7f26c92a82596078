/** The option `--server`: which commands do not have it, each with the reason and the way out. */

import { type Command, type CommandInput, usageError } from './command.js'

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
  'admin bootstrap': `it makes the first administrator, before there is one who could sign in: ${ON_THE_MACHINE}`,
}

/** Checks `--server` and `--plan`. @throws CommandError (usage) */
export function checkServer({ name, remote, options = {} }: Command, input: CommandInput): void {
  const is_here = input.text('server') === undefined
  if (!is_here && !remote)
    throw usageError(
      `--server: ${name} does not work over the admin API, since ${REASONS[name] ?? NOT_OFFERED}`,
    )
  if (is_here && remote && input.flag('plan') && !('plan' in options))
    throw usageError(
      '--plan: the admin API of a running server makes the plan: give --server, after ostiary login',
    )
}
