/**
 * Preloaded into a server (NODE_OPTIONS). It counts the changes of the disk, and ends the process in the middle of one, or fails
 * it and those after it as a full disk does. What a process leaves behind depends on its changes alone, so this reaches every
 * moment of a start at which it can be killed.
 *
 * WRITES_LIST: a file that gets one line for each change: its function and its path.
 * WRITES_STOP_AT: the number of the change, from 0. WRITES_STOP: `kill` or `full`.
 */

import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { isMainThread } from 'node:worker_threads'

const { WRITES_LIST, WRITES_STOP_AT = '-1', WRITES_STOP = 'kill' } = process.env
const stop_at = Number(WRITES_STOP_AT)
const list = WRITES_LIST && fs.openSync(WRITES_LIST, 'a')
const { writeSync, writeFileSync } = fs
const NAMES = [
  'mkdir',
  'writeFile',
  'rename',
  'link',
  'unlink',
  'rm',
  'rmdir',
  'write',
  'truncate',
  'ftruncate',
]
/** They need room on the disk. */
const NEEDS_ROOM = /^(?:mkdir|writeFile|link|write)(?:Sync)?$/
let count = 0

/** By descriptor, for the list. */
const paths = new Map()

function change(name, args, run) {
  const number = count++
  const path = typeof args[0] === 'number' ? paths.get(args[0]) : args[0]
  if (list) writeSync(list, `${name} ${path}\n`)
  if (number === stop_at && WRITES_STOP === 'kill') {
    if (/^writeFile/.test(name)) writeFileSync(args[0], String(args[1]).slice(0, String(args[1]).length / 2))
    if (name === 'writeSync' && args[3] > 1) writeSync(args[0], args[1], args[2], args[3] >> 1, args[4])
    process.kill(process.pid, 'SIGKILL')
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  }
  if (stop_at >= 0 && number >= stop_at && WRITES_STOP === 'full' && NEEDS_ROOM.test(name))
    throw Object.assign(new Error(`ENOSPC: no space left on device, ${name}`), { code: 'ENOSPC', errno: -28 })
  return run()
}

function watch(target, name) {
  const real = target[name]
  if (typeof real === 'function')
    target[name] = (...args) => change(name, args, () => real.apply(target, args))
}

if (isMainThread) {
  for (const name of NAMES) watch(fs, `${name}Sync`)
  for (const name of NAMES) {
    const real = fs.promises[name]
    if (real) fs.promises[name] = async (...args) => change(name, args, () => real.apply(fs.promises, args))
  }
  const { openSync } = fs
  fs.openSync = (path, ...rest) => {
    const file = openSync(path, ...rest)
    paths.set(file, path)
    return file
  }
  syncBuiltinESMExports()
}
