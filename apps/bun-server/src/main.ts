#!/usr/bin/env bun
/** `ostiary` on Bun. */

import { run, serve } from '@ostiary/host'
import { bun } from './runtime.js'

exit(await run(process.argv.slice(2), { serve: (options) => serve(bun, options) }))

/** Whatever is still open, once everything is written. */
function exit(code: number): void {
  process.stdout.write('', () => process.exit(code))
}
