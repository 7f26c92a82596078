/** The background work of the provider, at intervals. */

import type { Provider } from '@ostiary/core'
import { errorFields, type Log } from '../log/log.js'

export interface Ticker {
  start(): void
  /** Resolves when the tick under way has ended. */
  stop(): Promise<void>
}

export interface TickerOptions {
  log: Log
  /** Milliseconds. */
  interval_ms: number
  /** Whether this server does the background work at this moment. */
  leads: () => boolean
  /** Called after each tick that did not fail. */
  ticked: () => void
}

/** Calls `provider.tick()` at intervals, never twice at a time, while this server does the background work. */
export function providerTicker(
  provider: Pick<Provider, 'tick'>,
  { log, interval_ms, leads, ticked }: TickerOptions,
): Ticker {
  let timer: ReturnType<typeof setInterval> | undefined
  let running: Promise<void> | null = null
  const tick = async () => {
    try {
      await provider.tick()
      ticked()
    } catch (error) {
      log.error('background work failed', errorFields(error))
    }
    running = null
  }
  return {
    start() {
      timer = setInterval(() => {
        if (leads()) running ??= tick()
      }, interval_ms)
      timer.unref()
    },
    async stop() {
      clearInterval(timer)
      await running
    },
  }
}
