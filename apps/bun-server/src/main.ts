#!/usr/bin/env bun
/** `ostiary` on Bun. */

import { run, serve } from '@ostiary/host'
import { bun } from './runtime.js'

exit(await run(process.argv.slice(2), { serve: (options) => serve(bun, options) }))

/** Ends the process, even with open handles, when its output is written. */
function exit(code: number): void {
  process.stdout.write('', () => process.exit(code))
}
