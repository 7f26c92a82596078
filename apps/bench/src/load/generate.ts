/** Sends load to a server and measures it. */

import { performance } from 'node:perf_hooks'
import { inRealm } from '../servers/realms.js'
import { percentile } from '../statistics.js'
import { bareOf, bytesOf } from '../workloads/bare.js'
import { workloads } from '../workloads/index.js'
import type { Operation, Workload } from '../workloads/workload.js'
import { type Connection, openConnection } from './connection.js'
import type { LoadJob, LoadResult } from './load-job.js'
import { cpuSecondsOfTree, residentBytesOfTree } from './procfs.js'

const MAX_ERROR_SAMPLES = 5
const MEMORY_INTERVAL_MS = 200

/** @throws Error when the connections cannot be prepared. */
export async function generate(job: LoadJob): Promise<LoadResult> {
  const workload = workloadOf(job)
  const connections: Connection[] = []
  try {
    const operations: Operation[] = []
    for (let worker = 0; worker < job.connections; worker++) {
      const connection = await openConnection(job.target.origin)
      connections.push(connection)
      operations.push(await prepareOperation(workload, { connection, worker, job }))
    }
    const meter = startMeter(job)
    const drive = job.rate === undefined ? atFullLoad : atRate(job.rate)
    await drive(operations, { until: secondsFromNow(job.warm_up), done: () => {} })
    meter.start()
    await drive(operations, { until: secondsFromNow(job.seconds), done: meter.done })
    return meter.stop()
  } finally {
    for (const connection of connections) connection.close()
  }
}

/** With realms, each connection uses its share of them in turn. There may be fewer realms than connections. */
async function prepareOperation(
  workload: Workload,
  { connection, worker, job }: { connection: Connection; worker: number; job: LoadJob },
): Promise<Operation> {
  const { target, connections } = job
  const { realms } = target
  if (realms === undefined) return workload.prepare(connection, worker, job)
  const operations: Operation[] = []
  for (let realm = worker % realms; realm < realms; realm += connections)
    operations.push(await workload.prepare(connection, worker, { ...job, target: inRealm(target, realm) }))
  let turn = 0
  return async () => operations[turn++ % operations.length]?.()
}

function workloadOf({ workload: name, variant }: LoadJob): Workload {
  const workload: Workload = workloads[name]
  if (variant === 'real') return workload
  return variant === 'bare' ? bareOf(workload) : bytesOf(workload)
}

const secondsFromNow = (count: number): number => performance.now() + count * 1000

interface Window {
  /** On the clock of `performance`. */
  until: number
  /** Called for each operation: when it was due, and its error if any. */
  done(due: number, error?: unknown): void
}

type Drive = (operations: readonly Operation[], window: Window) => Promise<void>

/** Each connection starts its next operation as soon as one is done. */
const atFullLoad: Drive = async (operations, window) => {
  await Promise.all(
    operations.map(async (operation) => {
      while (performance.now() < window.until) await once(operation, performance.now(), window)
    }),
  )
}

/**
 * Starts the operations that are due each millisecond, whether the server keeps up or not. An operation that finds no
 * free connection waits, and the wait is part of its latency.
 */
const atRate =
  (rate: number): Drive =>
  async (operations, window) => {
    const free = [...operations]
    const due: number[] = []
    const running = new Set<Promise<void>>()
    const started = performance.now()
    let planned = 0
    const start = () => {
      while (due.length > 0 && free.length > 0) {
        const operation = free.pop() as Operation
        const run = once(operation, due.shift() as number, window).then(() => {
          free.push(operation)
          running.delete(run)
          start()
        })
        running.add(run)
      }
    }
    for (let now = started; now < window.until; now = performance.now()) {
      // Due now, not earlier: a late wake-up of this process must not count as the server's latency.
      for (; started + (planned * 1000) / rate <= now; planned++) due.push(now)
      start()
      // Spinning would be more even, but takes the core from the database and, on a virtual machine, from the server.
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
    while (running.size > 0) await Promise.race(running)
  }

async function once(operation: Operation, due: number, { done }: Window): Promise<void> {
  try {
    await operation()
    done(due)
  } catch (error) {
    done(due, error)
    // A server that refuses at once must not get a hundred thousand requests a second.
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

/** Seconds of CPU time since `start`. Null where it cannot be read. */
function cpuMeter(pid: number | undefined) {
  const now = () => (pid === undefined ? null : cpuSecondsOfTree(pid))
  let before: number | null = null
  return {
    start() {
      before = now()
    },
    seconds() {
      const after = now()
      return before === null || after === null ? null : after - before
    },
  }
}

function startMeter({ pid, database_pid }: LoadJob) {
  const latencies: number[] = []
  const errors: unknown[] = []
  const rss: number[] = []
  let started = 0
  const cpu = cpuMeter(pid)
  const database_cpu = cpuMeter(database_pid)
  let own_before = process.cpuUsage()
  let sampling: ReturnType<typeof setInterval> | undefined
  const sampleMemory = () => {
    const bytes = residentBytesOfTree(pid)
    if (bytes !== null) rss.push(bytes)
  }
  return {
    start() {
      sampleMemory()
      sampling = setInterval(sampleMemory, MEMORY_INTERVAL_MS)
      started = performance.now()
      cpu.start()
      database_cpu.start()
      own_before = process.cpuUsage()
    },
    done(due: number, ...[error]: [error?: unknown]) {
      if (error === undefined) latencies.push(performance.now() - due)
      else errors.push(error)
    },
    stop(): LoadResult {
      const elapsed = (performance.now() - started) / 1000
      const ended = Number(process.hrtime.bigint() / 1000n)
      const cpu_seconds = cpu.seconds()
      const database_seconds = database_cpu.seconds()
      const own = process.cpuUsage(own_before)
      clearInterval(sampling)
      sampleMemory()
      if (latencies.length === 0) errors.push(new Error('no operation succeeded'))
      const sorted = Float64Array.from(latencies).sort()
      return {
        operations: latencies.length,
        seconds: elapsed,
        ended,
        errors: errors.length,
        error_samples: errors.slice(0, MAX_ERROR_SAMPLES).map((error) => `${error}`),
        p50: percentile(sorted, 0.5),
        p99: percentile(sorted, 0.99),
        cpu_seconds,
        database_seconds,
        generator_busy: (own.user + own.system) / 1e6 / elapsed,
        rss: rss.length === 0 ? null : Math.max(...rss),
      }
    },
  }
}
