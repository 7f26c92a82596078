/** The program: the commands, and the server. */

import { run, serve } from '@ostiary/host'
import { node } from './runtime.js'

exit(await run(process.argv.slice(2), { serve: (options) => serve(node, options) }))

/** Ends the process, even with open handles, when its output is written. */
function exit(code: number): void {
  process.stdout.write('', () => process.exit(code))
}
