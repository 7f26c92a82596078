/** What the program loads at once for every command line but `serve` alone. */

import { usageError } from './command.js'
import { COMMANDS } from './commands/index.js'
import { type ParsedLine, parseCommandLine } from './parse.js'

export { reportCommand } from './event.js'

const PLAN_NEEDS_SERVER =
  '--plan: the admin API of a running server makes the plan: give --server, after ostiary login'

/** @throws CommandError (usage) */
export async function readLine(argv: readonly string[]): Promise<ParsedLine> {
  const parsed = parseCommandLine(COMMANDS, argv)
  if (!('command' in parsed)) return parsed
  const { command, input } = parsed
  const is_here = input.text('server') === undefined
  if (command.remote && is_here && input.flag('plan')) throw usageError(PLAN_NEEDS_SERVER)
  if (command.remote || is_here) return parsed
  const { refusedCommand } = await import('@ostiary/admin-client/remote')
  throw usageError(refusedCommand(command.name))
}
