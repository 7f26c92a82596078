/** The server on Node. No command but `serve` loads it. */

import { type ReadOptions, serve as serveOn } from '@ostiary/host'
import { node } from './runtime.js'

export const serve = (options: ReadOptions): Promise<number> => serveOn(node, options)
