#!/usr/bin/env node
/** `npm create ostiary`: the command. */

import { run } from './run.js'

process.exitCode = run(process.argv.slice(2), {
  cwd: process.cwd(),
  print: (text) => void process.stdout.write(`${text}\n`),
  fail: (text) => void process.stderr.write(`${text}\n`),
})
