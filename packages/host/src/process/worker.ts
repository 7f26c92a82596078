/** This process as one of several: what it and the process that started it tell each other. */

import { WORKER_VARIABLE } from '../config/environment.js'
import type { Snapshot } from '../metrics/host-metrics.js'

/** The other one asks. */
export interface MetricsQuestion {
  ostiary: 'metrics?'
  id: number
}

export type WorkerMessage = { ostiary: 'listening' } | { ostiary: 'metrics'; id: number; snapshot: Snapshot }

export interface Worker {
  listening(): void
  /** Answers from now on. */
  answerMetrics(snapshot: () => Promise<Snapshot>): void
  /** Without this the channel would keep the process. */
  leave(): void
}

/** Null when this process is the only one, or the one that starts the others. */
export const asWorker: Worker | null =
  process.env[WORKER_VARIABLE] !== undefined && process.send !== undefined ? worker() : null

function worker(): Worker {
  const send = (message: WorkerMessage) => {
    // Who asked may have ended.
    if (process.connected) process.send?.(message, undefined, undefined, () => {})
  }
  return {
    listening: () => send({ ostiary: 'listening' }),
    answerMetrics(snapshot) {
      process.on('message', async (message: MetricsQuestion) => {
        if (message?.ostiary !== 'metrics?') return
        send({ ostiary: 'metrics', id: message.id, snapshot: await snapshot() })
      })
    },
    leave() {
      if (process.connected) process.disconnect()
    },
  }
}
