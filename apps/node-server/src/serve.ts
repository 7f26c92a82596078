/** The server on Node. No command but `serve` loads it. */

import { setFlagsFromString } from 'node:v8'
import { type ReadOptions, serve as serveOn } from '@ostiary/host'
import { node } from './runtime.js'

// By default V8 lets the old generation of a server grow to several times what is in use: docs/performance.md has what this saves.
setFlagsFromString('--heap-growing-percent=60')

export const serve = (options: ReadOptions): Promise<number> => serveOn(node, options)
