/** The job of a load generator, and its result. */

import type { WorkloadName } from '../workloads/index.js'
import type { Job } from '../workloads/workload.js'

export interface LoadJob extends Job {
  workload: WorkloadName
  /** `bare` and `bytes`: the requests to the bare server in place of the workload. */
  variant: 'real' | 'bare' | 'bytes'
  /** The server's process. */
  pid: number
  /** The parent of PostgreSQL's processes. */
  database_pid?: number
  /** Seconds of load that are not measured. */
  warm_up: number
  /** Seconds of load that are measured. */
  seconds: number
  /** Operations a second, evenly spread; without it each connection starts the next as soon as one is done. */
  rate?: number
}

export interface LoadResult {
  operations: number
  seconds: number
  /** When the measured seconds were over, on the machine's monotonic clock, in microseconds. */
  ended: number
  errors: number
  /** The first few errors, as text. */
  error_samples: string[]
  /** Milliseconds of an operation. */
  p50: number
  p99: number
  /** CPU time of all threads of the server's processes in the measured seconds. Null where it cannot be read. */
  cpu_seconds: number | null
  /** The same of PostgreSQL's processes. Null without a database. */
  database_seconds: number | null
  /** The share of a core that the load generator used: near 1, it was the limit. */
  generator_busy: number
  /** Bytes, the highest of a few samples. */
  rss: number | null
}
