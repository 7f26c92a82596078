#!/usr/bin/env node
/** `ostiary` on Node: an older Node could not load the program, and would say so with a SyntaxError. */

const { node } = process.versions
if (node.localeCompare('20.19', 'en', { numeric: true }) >= 0) await import('./program.js')
else {
  console.error(`Ostiary needs Node 20.19 or later. This is ${node}.`)
  process.exitCode = 1
}

export {}
