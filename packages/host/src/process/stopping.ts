/** From the signal to the end: say so, finish what is under way, and leave in time. */

import type { ServerSettings } from '../config/server-settings.js'
import type { Listener } from '../server/runtime.js'

/** `disconnect`: the process that started this one is gone. */
export type StopCause = 'SIGTERM' | 'SIGINT' | 'disconnect'

/** Nothing is lost from here on, whenever the signal comes. Call it before anything is listened on. */
export function stopCauses() {
  const causes: StopCause[] = ['SIGTERM', 'SIGINT', 'disconnect']
  const arrived = (wanted: readonly StopCause[]): Promise<StopCause> =>
    new Promise((resolve) => {
      for (const cause of wanted) process.on(cause as 'SIGTERM', () => resolve(cause))
    })
  // Ctrl-C often arrives twice: from the terminal, and passed on by a package manager. So does a service manager's
  // SIGTERM, which tells every process of the group. The second one changes nothing.
  return { first: arrived(causes), hurry: arrived(['SIGINT', 'disconnect']) }
}

export interface Stopping {
  cause: StopCause
  /** Resolves when there is no time left to drain. */
  hurry: Promise<unknown>
  settings: Pick<ServerSettings, 'drain_seconds' | 'stop_seconds'>
}

/**
 * /readyz already says no. On SIGTERM the balancer gets its time to hear that, while requests are taken as ever; a
 * person at a terminal does not wait for one.
 */
export async function finish(listener: Listener, { cause, hurry, settings }: Stopping): Promise<void> {
  if (cause === 'SIGTERM') await within(settings.drain_seconds * 1000, hurry)
  const patience = setTimeout(() => listener.cut(), settings.stop_seconds * 1000)
  await listener.close()
  clearTimeout(patience)
}

async function within(ms: number, end: Promise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  await Promise.race([late, end])
  clearTimeout(timer)
}
