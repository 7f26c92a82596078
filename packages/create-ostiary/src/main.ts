#!/usr/bin/env node
/** `npm create ostiary`: the command. */

import { run } from './run.js'

// The project is written when `head` has read enough.
process.stdout.on('error', () => {})
process.exitCode = run(process.argv.slice(2), {
  cwd: process.cwd(),
  node: process.versions.node,
  print: (text) => void process.stdout.write(`${text}\n`),
  fail: (text) => void process.stderr.write(`${text}\n`),
})
