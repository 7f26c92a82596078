/** A log whose lines go through another log after a reload, because the new configuration has other secrets to hide. */

import type { Log } from './log.js'

export interface SwitchableLog extends Log {
  /** The log for all lines from now on. */
  use(log: Log): void
}

export function switchableLog(first: Log): SwitchableLog {
  let current = first
  return {
    info: (msg, fields) => current.info(msg, fields),
    warn: (msg, fields) => current.warn(msg, fields),
    error: (msg, fields) => current.error(msg, fields),
    use(log) {
      current = log
    },
  }
}
