/** The result as Markdown tables, for the terminal and for the docs. */

import type { BenchResult, ServerResult, WorkloadResult } from '../run/result.js'
import { oursOnMemory, TWIN } from '../servers/ours.js'
import { median } from '../statistics.js'

const HEAD = [
  '',
  'per second',
  '±',
  'p50 ms',
  'p99 ms',
  'errors',
  'CPU ms',
  'extra CPU ms',
  'database ms',
  'statements',
  '× peer',
  '× bare',
  'RS256 share',
  'RSS idle',
  'RSS load',
  'p50 / p99 at half load',
]

export function tables(result: BenchResult): string {
  return [header(result), ...result.workloads.map(workloadTable)].join('\n\n')
}

function header(result: BenchResult): string {
  const { date, machine, node_lines, options } = result
  const { cpu, cores, memory_gib, kernel, node, load, pinned } = machine
  const { runs, seconds, warm_up, connections } = options
  const lines = node_lines.length === 0 ? '' : ` (and, where a row says so, ${node_lines.join(', ')})`
  const where = pinned ? 'server and load generator on a core each' : 'server and load generator on any core'
  return [
    `Measured ${date.slice(0, 10)} on ${cores} × ${cpu}, ${memory_gib} GiB, ${kernel}, Node ${node}${lines}, ${where};`,
    `load average before: ${load}. ${runs} runs of ${seconds} s after ${warm_up} s, ${connections} connections.`,
    ...noise(result),
  ].join('\n')
}

/** How much the machine's speed changed, and how much two identical servers differed. */
export function noise({ options, workloads }: BenchResult): string[] {
  const core = Math.max(...workloads.map(({ limit_spread }) => limit_spread))
  const differences = workloads.flatMap(({ servers }) => {
    const [one, other] = [oursOnMemory.name, TWIN].map((name) =>
      servers.find((server) => server.name === name),
    )
    return one && other ? [Math.abs(other.per_second / one.per_second - 1)] : []
  })
  const twins = `Two identical servers differed by ${percent(median(differences))} in the median of the workloads, ${percent(Math.max(...differences))} at most.`
  const rate = `Noise: within a workload, the core's own signature rate varied by up to ±${percent(core)}.`
  return [...(options.runs === 1 ? [] : [rate]), ...(differences.length === 0 ? [] : [twins])]
}

function workloadTable(result: WorkloadResult): string {
  const { title, requests, signatures, es256_signatures, limit, peer, servers } = result
  const of_es256 = es256_signatures > 0 ? `, ${counted(es256_signatures, 'signature')} of ES256` : ''
  const each = `${counted(requests, 'request')}, ${counted(signatures, 'signature')}${of_es256}`
  const compared = peer === null ? '' : ` The peer is ${peer}.`
  return [
    `### ${title}`,
    '',
    `An operation: ${each}. The core makes ${whole(limit)} RS256 signatures a second.${compared}`,
    '',
    line(HEAD),
    line(HEAD.map((_, column) => (column === 0 ? '---' : '---:'))),
    ...servers.map((server) => line(row(server))),
    ...servers.filter(({ generator_busy }) => generator_busy > 0.95).map(bound),
  ].join('\n')
}

const bound = ({ name }: ServerResult): string =>
  `\n${name}: the load generator was at its own limit, so the server can do more than this.`

function row(server: ServerResult): string[] {
  const { half } = server
  return [
    server.name,
    whole(server.per_second),
    percent(server.spread),
    digits(server.p50),
    digits(server.p99),
    `${server.errors}`,
    maybe(server.cpu_ms, digits3),
    maybe(server.beside_ms, digits3),
    maybe(server.database_ms, digits3),
    maybe(server.statements, digits),
    maybe(server.of_peer, digits),
    maybe(server.of_bare, digits),
    maybe(server.of_limit, percent),
    maybe(server.rss_idle, megabytes),
    maybe(server.rss_load, megabytes),
    half === null ? '' : `${digits(half.p50)} / ${digits(half.p99)}`,
  ]
}

/** What the first columns have: the workload and the server. */
const TEXT_COLUMNS = 2

/** The lines of a table whose figures are on the right. */
export const rightAligned = (head: readonly string[], rows: readonly (readonly string[])[]): string[] => [
  line(head),
  line(head.map((_, column) => (column < TEXT_COLUMNS ? '---' : '---:'))),
  ...rows.map(line),
]

export const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
const counted = (count: number, thing: string): string => `${count} ${thing}${count === 1 ? '' : 's'}`
export const whole = (value: number): string => Math.round(value).toLocaleString('en')
export const digits = (value: number): string => value.toFixed(2)
export const digits3 = (value: number): string => value.toFixed(3)
const percent = (value: number): string => `${Math.round(value * 100)}%`
const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`
export const maybe = (value: number | null, show: (value: number) => string): string =>
  value === null ? '' : show(value)
