#!/usr/bin/env node
/** `ostiary` on Node. */

import { run } from '@ostiary/host'
import { serve } from './serve.js'

exit(await run(process.argv.slice(2), { serve }))

/** Whatever is still open, once everything is written. */
function exit(code: number): void {
  process.stdout.write('', () => process.exit(code))
}
