/** Several processes as one server: this process starts, restarts and ends the workers. It takes no requests. */

import type { ChildProcess } from 'node:child_process'
import { WORKER_VARIABLE } from '../config/environment.js'
import type { HostConfig } from '../config/host-config.js'
import { readReloadedConfig } from '../config/reloaded-config.js'
import type { Log } from '../log/log.js'
import { metricsServer } from '../server/metrics-server.js'
import type { Runtime } from '../server/runtime.js'
import type { ReloadRequests } from './reloading.js'
import { stopCauses } from './stopping.js'
import type { ReloadQuestion, WorkerMessage } from './worker.js'
import { workerMetrics } from './worker-metrics.js'

/** Until a worker that ended is started again; doubled each time until a worker has lived for HEALTHY_MS. */
const MIN_RESTART_DELAY_MS = 100
const MAX_RESTART_DELAY_MS = 10_000
const HEALTHY_MS = 60_000
/** After a worker's own time limit for stopping, until it is killed. */
const KILL_DELAY_MS = 5000

/** Runs until SIGTERM or SIGINT. @returns 1 when the workers cannot even start, else 0. */
export async function supervise(
  runtime: Runtime,
  { config, log, reloads }: { config: HostConfig; log: Log; reloads: ReloadRequests },
): Promise<number> {
  const { server } = config
  const { first } = stopCauses()
  const workers = new Map<number, ChildProcess>()
  const state = { stopping: false, hasListened: false }
  let failStart = () => {}
  const failed = new Promise<'failed'>((resolve) => {
    failStart = () => resolve('failed')
  })

  const start = (number: number, delay: number) => {
    const started = performance.now()
    const child = runtime.fork({ [WORKER_VARIABLE]: String(number) })
    workers.set(number, child)
    measured.add(child)
    log.info('a worker has been started', { worker: number, pid: child.pid })
    child.on('message', (message: WorkerMessage) => {
      if (message?.ostiary === 'listening') state.hasListened = true
    })
    child.once('exit', (code, signal) => {
      workers.delete(number)
      if (state.stopping) return
      // When no worker has ever listened, the port or the database is wrong: another attempt would fail too.
      if (!state.hasListened) return failStart()
      const next = performance.now() - started > HEALTHY_MS ? MIN_RESTART_DELAY_MS : delay
      log.error('a worker has ended and is started again', { worker: number, code, signal, in_ms: next })
      setTimeout(
        () => state.stopping || start(number, Math.min(next * 2, MAX_RESTART_DELAY_MS)),
        next,
      ).unref()
    })
  }

  const measured = workerMetrics(server.workers)
  const metrics = await metricsServer(runtime, { config, log, snapshots: measured.snapshots })
  // Keeps this process alive while no worker runs because all of them wait for their restart.
  const keepAlive = setInterval(() => {}, 1 << 30)
  for (let number = 1; number <= server.workers; number++) start(number, MIN_RESTART_DELAY_MS)
  reloads.answerWith(async () => {
    // A fault is logged once, here, and no worker is asked.
    await readReloadedConfig(config, { env: process.env, cwd: process.cwd() })
    for (const child of workers.values()) askToReload(child)
  })
  const cause = await Promise.race([first, failed])
  state.stopping = true
  log.info('stopping', { cause, workers: workers.size })
  const limit = (server.drain_seconds + server.stop_seconds) * 1000 + KILL_DELAY_MS
  await Promise.all(
    [...workers.values()].map((child) => ended(child, cause === 'SIGINT' ? cause : 'SIGTERM', limit)),
  )
  clearInterval(keepAlive)
  metrics?.cut()
  log.info('stopped')
  return cause === 'failed' ? 1 : 0
}

/** A worker that is about to start reads the new configuration anyway. */
function askToReload(child: ChildProcess): void {
  const request: ReloadQuestion = { ostiary: 'reload' }
  if (child.connected) child.send(request, () => {})
}

function ended(child: ChildProcess, signal: NodeJS.Signals, limit: number): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve()
    const killTimer = setTimeout(() => child.kill('SIGKILL'), limit)
    child.once('exit', () => {
      clearTimeout(killTimer)
      resolve()
    })
    child.kill(signal)
  })
}
