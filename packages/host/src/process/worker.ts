/** This process as a worker: its messages with the process that started it. */

import { WORKER_VARIABLE } from '../config/environment.js'
import type { Snapshot } from '../metrics/host-metrics.js'

/** Sent by the process that started the workers. */
export interface MetricsQuestion {
  ostiary: 'metrics?'
}

/** Sent by the process that started the workers. */
export interface ReloadQuestion {
  ostiary: 'reload'
}

export type WorkerMessage = { ostiary: 'listening' } | { ostiary: 'metrics'; snapshot: Snapshot }

export interface Worker {
  /** From 1 on. */
  number: number
  listening(): void
  /** Answers questions for metrics from now on. */
  answerMetrics(snapshot: () => Promise<Snapshot>): void
  /** Calls this when the process that started this one has got SIGHUP. */
  onReload(request: () => void): void
  /** Closes the channel, which would keep the process alive. */
  leave(): void
}

/** Null when this process is the only one, or the one that starts the workers. */
export const asWorker: Worker | null =
  process.env[WORKER_VARIABLE] !== undefined && process.send !== undefined ? worker() : null

function worker(): Worker {
  const send = (message: WorkerMessage) => {
    // The process that asked may have ended.
    if (process.connected) process.send?.(message, undefined, undefined, () => {})
  }
  return {
    number: Number(process.env[WORKER_VARIABLE]),
    listening: () => send({ ostiary: 'listening' }),
    answerMetrics(snapshot) {
      process.on('message', async (message: MetricsQuestion) => {
        if (message?.ostiary !== 'metrics?') return
        send({ ostiary: 'metrics', snapshot: await snapshot() })
      })
    },
    onReload(request) {
      process.on('message', (message: ReloadQuestion) => {
        if (message?.ostiary === 'reload') request()
      })
    },
    leave() {
      if (process.connected) process.disconnect()
    },
  }
}
