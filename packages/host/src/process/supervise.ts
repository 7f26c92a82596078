/** Several processes as one server: this one starts them, starts them again, and ends them. It takes no request. */

import type { ChildProcess } from 'node:child_process'
import { WORKER_VARIABLE } from '../config/environment.js'
import type { HostConfig } from '../config/host-config.js'
import type { Log } from '../log/log.js'
import type { Snapshot } from '../metrics/host-metrics.js'
import { metricsServer } from '../server/metrics-server.js'
import type { Runtime } from '../server/runtime.js'
import { stopCauses } from './stopping.js'
import type { MetricsQuestion, WorkerMessage } from './worker.js'

/** Milliseconds until a process that ended is started again: doubled each time, until one has lived for a minute. */
const SHORTEST = 100
const LONGEST = 10_000
const HEALTHY = 60_000
/** Milliseconds that a worker has to tell its metrics. */
const ANSWER_MS = 3000
/** Milliseconds after its own limit until a worker that has not left is killed. */
const GRACE_MS = 5000

/** Runs until SIGTERM or SIGINT. @returns 1 when the workers cannot even start, else 0. */
export async function supervise(
  runtime: Runtime,
  { config, log }: { config: HostConfig; log: Log },
): Promise<number> {
  const { server } = config
  const { first } = stopCauses()
  const workers = new Map<number, ChildProcess>()
  const state = { stopping: false, served: false }
  let gaveUp = () => {}
  const failed = new Promise<'failed'>((resolve) => {
    gaveUp = () => resolve('failed')
  })

  const start = (number: number, delay: number) => {
    const started = performance.now()
    const child = runtime.fork({ [WORKER_VARIABLE]: String(number) })
    workers.set(number, child)
    log.info('a worker has been started', { worker: number, pid: child.pid })
    child.on('message', (message: WorkerMessage) => {
      if (message?.ostiary === 'listening') state.served = true
    })
    child.once('exit', (code, signal) => {
      workers.delete(number)
      if (state.stopping) return
      // What none of them could do at the start (the port, the database) will not be there in a second.
      if (!state.served) return gaveUp()
      const next = performance.now() - started > HEALTHY ? SHORTEST : delay
      log.error('a worker has ended and is started again', { worker: number, code, signal, in_ms: next })
      setTimeout(() => state.stopping || start(number, Math.min(next * 2, LONGEST)), next).unref()
    })
  }

  const snapshots = () => Promise.all([...workers.values()].map(metricsOf))
  const metrics = await metricsServer(runtime, { config, log, snapshots })
  // Without a timer or a worker (each is about to be started again) nothing would hold this process.
  const held = setInterval(() => {}, 1 << 30)
  for (let number = 1; number <= server.workers; number++) start(number, SHORTEST)
  const cause = await Promise.race([first, failed])
  state.stopping = true
  log.info('stopping', { cause, workers: workers.size })
  const limit = (server.drain_seconds + server.stop_seconds) * 1000 + GRACE_MS
  await Promise.all(
    [...workers.values()].map((child) => ended(child, cause === 'SIGINT' ? cause : 'SIGTERM', limit)),
  )
  clearInterval(held)
  metrics?.cut()
  log.info('stopped')
  return cause === 'failed' ? 1 : 0
}

function ended(child: ChildProcess, signal: NodeJS.Signals, limit: number): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve()
    const patience = setTimeout(() => child.kill('SIGKILL'), limit)
    child.once('exit', () => {
      clearTimeout(patience)
      resolve()
    })
    child.kill(signal)
  })
}

let asked = 0

/** Empty when it does not answer, as one that has just been started. */
function metricsOf(child: ChildProcess): Promise<Snapshot> {
  asked += 1
  const id = asked
  return new Promise((resolve) => {
    const answer = (found: Snapshot) => {
      clearTimeout(late)
      child.off('message', hear)
      child.off('exit', gone)
      resolve(found)
    }
    const gone = () => answer([])
    const hear = (message: WorkerMessage) => {
      if (message?.ostiary === 'metrics' && message.id === id) answer(message.snapshot)
    }
    const late = setTimeout(gone, ANSWER_MS)
    child.on('message', hear)
    child.once('exit', gone)
    const question: MetricsQuestion = { ostiary: 'metrics?', id }
    if (!child.connected) gone()
    else child.send(question, (error) => error && gone())
  })
}
