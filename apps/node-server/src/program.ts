/** The program: the commands, and the server. */

import { run } from '@ostiary/host'

exit(
  await run(process.argv.slice(2), { serve: async (options) => (await import('./serve.js')).serve(options) }),
)

/** Ends the process, even with open handles, when its output is written. */
function exit(code: number): void {
  process.stdout.write('', () => process.exit(code))
}
