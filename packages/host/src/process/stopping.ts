/** From the signal to the end of the process: /readyz says so, requests under way are finished, within a time limit. */

import type { ServerSettings } from '../config/server-settings.js'
import { withDeadline } from '../server/deadline.js'
import type { Listener } from '../server/runtime.js'
import { hasTerminal } from './reloading.js'

/** `disconnect`: the process that started this one has ended. `SIGHUP`: its terminal was closed. */
export type StopCause = 'SIGTERM' | 'SIGINT' | 'SIGHUP' | 'disconnect'

/** Listens for the causes to stop. To be called before the server listens, so that no signal is missed. */
export function stopCauses() {
  const causes: StopCause[] = ['SIGTERM', 'SIGINT', 'disconnect']
  if (hasTerminal()) causes.push('SIGHUP')
  const firstOf = (expected: readonly StopCause[]): Promise<StopCause> =>
    new Promise((resolve) => {
      for (const cause of expected) process.on(cause as 'SIGTERM', () => resolve(cause))
    })
  // Ctrl-C often arrives twice: from the terminal, and passed on by a package manager. So does a service manager's
  // SIGTERM, which goes to every process of the group. The second one has no effect.
  return { first: firstOf(causes), hurry: firstOf(['SIGINT', 'disconnect']) }
}

export interface StopOptions {
  cause: StopCause
  /** Resolves when the time to drain ends early. */
  hurry: Promise<unknown>
  settings: Pick<ServerSettings, 'drain_seconds' | 'stop_seconds'>
  /** Answers the requests under way with 503. */
  cut: () => void
}

/** For the answers that `cut` gives, before their connections are closed; and for the storage when no time is left. */
const LAST_ANSWERS_MS = 250
const LAST_WRITES_MS = 250

/**
 * To be called when /readyz answers 503. On SIGTERM requests are still taken for `drain_seconds`, so that a load balancer
 * learns of it; a person at a terminal (SIGINT) does not wait for that.
 * @returns The milliseconds that are left for the rest.
 */
export async function finish(
  listener: Listener,
  { cause, hurry, settings, cut }: StopOptions,
): Promise<number> {
  if (cause === 'SIGTERM') await withDeadline(settings.drain_seconds * 1000, hurry)
  const limit = settings.stop_seconds * 1000
  const started = performance.now()
  const timers = [setTimeout(cut, limit), setTimeout(() => listener.cut(), limit + LAST_ANSWERS_MS)]
  await listener.close()
  for (const timer of timers) clearTimeout(timer)
  return Math.max(limit - (performance.now() - started), LAST_WRITES_MS)
}
