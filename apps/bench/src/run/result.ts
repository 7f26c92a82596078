/** The result of a bench run: bench.json. */

import type { LoadResult } from '../load/load-job.js'
import type { Machine } from '../machine.js'
import { median, medianOf, spread } from '../statistics.js'
import type { WorkloadName } from '../workloads/index.js'

export interface BenchResult {
  /** ISO 8601. */
  date: string
  machine: Machine
  /** The versions of other Node lines that were measured. */
  node_lines: string[]
  options: { runs: number; seconds: number; warm_up: number; connections: number }
  workloads: WorkloadResult[]
}

export interface WorkloadResult {
  name: WorkloadName
  title: string
  requests: number
  /** Of RS256. */
  signatures: number
  es256_signatures: number
  /** RS256 signatures that one core makes in a second: the median of the measurements before the runs. */
  limit: number
  /** Half of the range of these measurements, as a share of the median. */
  limit_spread: number
  /** The name of the peer that `of_peer` compares with. */
  peer: string | null
  servers: ServerResult[]
}

export interface ServerResult {
  name: string
  runs: LoadResult[]
  /** Operations a second: the median of the runs. */
  per_second: number
  /** Half of the range, as a share of the median. */
  spread: number
  /** Milliseconds: medians of the runs. */
  p50: number
  p99: number
  errors: number
  /** CPU time of the server's process for one operation, in milliseconds. */
  cpu_ms: number | null
  /** CPU time of PostgreSQL for one operation, in milliseconds. Null where there is none. */
  database_ms: number | null
  /** `cpu_ms` minus that of the bare server, which makes as many requests and signatures. */
  beside_ms: number | null
  /** Operations a second, divided by those of the peer. */
  of_peer: number | null
  /** Operations a second, divided by those of the bare server. */
  of_bare: number | null
  /** Signatures a second, divided by `limit`. */
  of_limit: number | null
  /** Bytes. */
  rss_idle: number | null
  rss_load: number | null
  /** The share of a core that the load generator used. Near 1, the generator was at its limit, not the server. */
  generator_busy: number
  /** Statements on PostgreSQL for one operation. Null where there is none, or they were not counted. */
  statements: number | null
  /** At half of the maximum load: the medians of the runs, and the sum of their errors. */
  half: { runs: LoadResult[]; p50: number; p99: number; errors: number } | null
}

/** Operations a second. */
export const rateOf = ({ operations, seconds }: LoadResult): number => operations / seconds

/** CPU time of the server's process for one operation, in milliseconds. */
export const cpuOf = ({ cpu_seconds, operations }: LoadResult): number | null =>
  millisecondsEach(cpu_seconds, operations)

const millisecondsEach = (seconds: number | null, operations: number): number | null =>
  seconds === null || operations === 0 ? null : (seconds * 1000) / operations

/** The figures of a server that need no other server. */
export function summary(
  name: string,
  runs: LoadResult[],
): Omit<ServerResult, 'rss_idle' | 'half' | 'statements'> {
  const rates = runs.map(rateOf)
  return {
    name,
    runs,
    per_second: median(rates),
    spread: spread(rates),
    p50: median(runs.map(({ p50 }) => p50)),
    p99: median(runs.map(({ p99 }) => p99)),
    errors: runs.reduce((sum, { errors }) => sum + errors, 0),
    cpu_ms: medianOf(runs.map(cpuOf)),
    database_ms: medianOf(
      runs.map(({ database_seconds, operations }) => millisecondsEach(database_seconds, operations)),
    ),
    rss_load: medianOf(runs.map(({ rss }) => rss)),
    generator_busy: median(runs.map(({ generator_busy }) => generator_busy)),
    beside_ms: null,
    of_peer: null,
    of_bare: null,
    of_limit: null,
  }
}

/** What the figures of each server are compared with: names of servers, and figures of the workload. */
export interface Baselines {
  bare: string
  peer: string | null
  limit: number
  signatures: number
}

export function compared(servers: readonly ServerResult[], baselines: Baselines): ServerResult[] {
  const serverOf = (name: string | null) => servers.find((server) => server.name === name)
  const bare = serverOf(baselines.bare)
  const peer = serverOf(baselines.peer)
  return servers.map((server) => {
    const { cpu_ms, per_second } = server
    const bareCpu = bare?.cpu_ms ?? null
    return {
      ...server,
      beside_ms: cpu_ms === null || bareCpu === null ? null : cpu_ms - bareCpu,
      of_peer: peer ? per_second / peer.per_second : null,
      of_bare: bare ? per_second / bare.per_second : null,
      of_limit: baselines.signatures === 0 ? null : (per_second * baselines.signatures) / baselines.limit,
    }
  })
}

export const faults = ({ workloads }: BenchResult): string[] =>
  workloads.flatMap(({ title, servers }) =>
    servers
      .filter(({ errors }) => errors > 0)
      .map(({ name, errors, runs, half }) => {
        const samples = [...runs, ...(half?.runs ?? [])].flatMap(({ error_samples }) => error_samples)
        return `${title}, ${name}: ${errors} errors, such as ${samples[0]}`
      }),
  )
