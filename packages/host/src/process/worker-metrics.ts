/** The metrics of all workers, in the process that started them. A worker that does not answer delays no scrape. */

import type { ChildProcess } from 'node:child_process'
import type { Snapshot } from '../metrics/host-metrics.js'
import { withDeadline } from '../server/deadline.js'
import type { MetricsQuestion, WorkerMessage } from './worker.js'

/** Then the last answer is shown: a scrape takes less than 100 ms. */
const ANSWER_LIMIT_MS = 50
/** A worker that has not answered for this long counts as hanging. */
const HANGING_MS = 5000

export interface WorkerMetrics {
  /** To be called with each worker when it is started. */
  add(child: ChildProcess): void
  /** One for each worker, one for those that have ended, and one about the workers themselves. */
  snapshots(): Promise<Snapshot[]>
}

/** The last answer of a worker, and the question that it has not answered yet. */
interface Asked {
  last: Snapshot
  waiting: { since: number; answered: Promise<void>; answer: () => void } | null
  sent_at: number
}

/** @param expected How many workers should run. */
export function workerMetrics(expected: number): WorkerMetrics {
  const workers = new Map<ChildProcess, Asked>()
  /** The counters of workers that have ended: without them, a sum over the workers would go back. */
  let ended: Snapshot[] = []
  return {
    add(child) {
      const asked: Asked = { last: [], waiting: null, sent_at: 0 }
      workers.set(child, asked)
      child.on('message', (message: WorkerMessage) => {
        if (message?.ostiary !== 'metrics') return
        asked.last = message.snapshot
        asked.waiting?.answer()
        asked.waiting = null
      })
      child.once('exit', () => {
        workers.delete(child)
        asked.waiting?.answer()
        ended.push(asked.last.filter(({ type }) => COUNTING.has(String(type))))
      })
    },
    async snapshots() {
      await Promise.all([...workers].map(([child, asked]) => ask(child, asked)))
      const added = [...ended]
      if (added.length > 1) {
        const total = await sum(added)
        ended = [total, ...ended.slice(added.length)]
      }
      const all = [...workers.values()]
      const answering = all.filter(({ waiting }) => !isHanging(waiting)).length
      return [...all.map(({ last }) => last), ...ended, aboutWorkers(expected, answering)]
    },
  }
}

/** @returns When the worker has answered, or does not answer soon. */
function ask(child: ChildProcess, asked: Asked): Promise<unknown> {
  if (!child.connected) return Promise.resolve()
  asked.waiting ??= newWait()
  // A worker that hangs is asked rarely, so that questions do not pile up for it.
  if (performance.now() - asked.sent_at > HANGING_MS || asked.sent_at <= asked.waiting.since) {
    asked.sent_at = performance.now()
    const question: MetricsQuestion = { ostiary: 'metrics?' }
    child.send(question, () => {})
  }
  // A worker that was not in time for an earlier scrape is not waited for.
  if (performance.now() - asked.waiting.since > ANSWER_LIMIT_MS) return Promise.resolve()
  return withDeadline(ANSWER_LIMIT_MS, asked.waiting.answered)
}

function newWait(): NonNullable<Asked['waiting']> {
  let answer = () => {}
  const answered = new Promise<void>((resolve) => {
    answer = resolve
  })
  return { since: performance.now(), answered, answer }
}

const COUNTING = new Set(['counter', 'histogram'])

const isHanging = (waiting: Asked['waiting']): boolean =>
  waiting !== null && performance.now() - waiting.since > HANGING_MS

async function sum(snapshots: Snapshot[]): Promise<Snapshot> {
  const { AggregatorRegistry } = await import('prom-client')
  return (await AggregatorRegistry.aggregate(snapshots).getMetricsAsJSON()) as Snapshot
}

const aboutWorkers = (expected: number, answering: number): Snapshot =>
  [
    ['ostiary_workers', 'Workers that the configuration asks for.', expected] as const,
    ['ostiary_workers_answering', 'Workers that run and do not hang.', answering] as const,
  ].map(([name, help, value]) => ({
    name,
    help,
    type: 'gauge',
    aggregator: 'first',
    values: [{ labels: {}, value }],
  })) as unknown as Snapshot
