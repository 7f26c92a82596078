/** SIGHUP: reads the configuration again. A fault is logged, and the old configuration stays. */

import { ConfigError } from '@ostiary/core'
import { errorFields, type Log } from '../log/log.js'
import { asWorker } from './worker.js'

/** A closed terminal sends SIGHUP to its processes too: a server that a person started there ends. */
export const hasTerminal = (): boolean => process.stdin.isTTY === true || process.stdout.isTTY === true

export interface ReloadRequests {
  /** Calls this for each request from now on, and for those that arrived before; never twice at a time. */
  answerWith(reload: () => Promise<void>): void
}

/**
 * Listens from now on: without a listener, the signal would end the process.
 * @param log Takes the faults of a reload.
 */
export function reloadRequests(log: Log): ReloadRequests {
  let reload: (() => Promise<void>) | null = null
  let requested = false
  let running = false
  const run = async () => {
    if (reload === null || running) return
    running = true
    // A request during a reload asks for one more: the file may have been read before its last change.
    while (requested) {
      requested = false
      await reload().catch((error: unknown) => logFault(log, error))
    }
    running = false
  }
  const request = () => {
    requested = true
    void run()
  }
  if (!hasTerminal()) process.on('SIGHUP', request)
  asWorker?.onReload(request)
  return {
    answerWith(next) {
      reload = next
      void run()
    },
  }
}

function logFault(log: Log, error: unknown): void {
  const fields = error instanceof ConfigError ? { faults: error.message.split('\n') } : errorFields(error)
  log.error('the configuration was not reloaded, the old one stays', fields)
}
