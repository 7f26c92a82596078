/** The command line. */

import { serve } from '@ostiary/host'
import { bun } from './runtime.js'

const [command, ...rest] = process.argv.slice(2)
if (command === 'serve' && rest.length === 0) {
  const code = await serve(bun)
  // Whatever is still open, once the log is written.
  process.stdout.write('', () => process.exit(code))
} else {
  process.stderr.write('Usage: bun dist/main.js serve\n')
  process.exitCode = 2
}
