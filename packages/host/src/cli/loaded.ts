/** What the program loads at once for every command line but `serve` alone. */

import { usageError } from './command.js'
import { COMMANDS } from './commands/index.js'
import { type ParsedLine, parseCommandLine } from './parse.js'

export { reportCommand } from './event.js'

/** @throws CommandError (usage) */
export async function readLine(argv: readonly string[]): Promise<ParsedLine> {
  const parsed = parseCommandLine(COMMANDS, argv)
  if (!('command' in parsed) || parsed.command.remote || parsed.input.text('server') === undefined)
    return parsed
  const { refusedCommand } = await import('@ostiary/admin-client/remote')
  throw usageError(refusedCommand(parsed.command.name))
}
