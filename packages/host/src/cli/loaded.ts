/** What the program loads at once for every command line but `serve` alone. */

import { COMMANDS } from './commands/index.js'
import { type ParsedLine, parseCommandLine } from './parse.js'

export { reportCommand } from './event.js'

/** @throws CommandError (usage) */
export const readLine = (argv: readonly string[]): ParsedLine => parseCommandLine(COMMANDS, argv)
