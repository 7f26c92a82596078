/** What the program loads at once for every command line but `serve` alone. */

export { COMMANDS } from './commands/index.js'
export { reportCommand } from './event.js'
export { parseCommandLine } from './parse.js'
