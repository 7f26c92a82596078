/** The background work of the provider, at intervals. */

import type { Provider } from '@ostiary/core'
import { errorFields, type Log } from '../log/log.js'

export interface Ticker {
  start(): void
  /** Resolves when the tick under way has ended. */
  stop(): Promise<void>
}

/**
 * Calls `provider.tick()` at intervals, never twice at a time.
 * @param interval_ms Milliseconds.
 */
export function providerTicker(
  provider: Pick<Provider, 'tick'>,
  { log, interval_ms }: { log: Log; interval_ms: number },
): Ticker {
  let timer: ReturnType<typeof setInterval> | undefined
  let running: Promise<void> | null = null
  const tick = async () => {
    try {
      await provider.tick()
    } catch (error) {
      log.error('background work failed', errorFields(error))
    }
    running = null
  }
  return {
    start() {
      timer = setInterval(() => {
        running ??= tick()
      }, interval_ms)
      timer.unref()
    },
    async stop() {
      clearInterval(timer)
      await running
    },
  }
}
