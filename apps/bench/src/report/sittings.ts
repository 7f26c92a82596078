/** Two sittings of the same workloads, side by side. */

import type { BenchResult, ServerResult } from '../run/result.js'
import { digits, digits3, line, maybe, noise, whole } from './table.js'

const FIGURES = ['per second', 'CPU ms', '× peer', '× bare'] as const
const HEAD = ['workload', 'server', ...FIGURES.flatMap((figure) => [figure, 'second'])]
const TEXT_COLUMNS = 2

/** What both have measured. `second` is the figure of the second sitting. */
export function bothSittings(first: BenchResult, second: BenchResult): string {
  const rows = first.workloads.flatMap(({ name, title, servers }) => {
    const again = second.workloads.find((workload) => workload.name === name)?.servers ?? []
    return servers.flatMap((server) => {
      const other = again.find((each) => each.name === server.name)
      return other ? [line([title, server.name, ...cells(server, other)])] : []
    })
  })
  const { date, machine } = second
  return [
    '### Both sittings',
    '',
    `The second sitting: ${date.slice(0, 16).replace('T', ' ')} UTC, load average before: ${machine.load}.`,
    ...noise(second),
    '',
    line(HEAD),
    line(HEAD.map((_, column) => (column < TEXT_COLUMNS ? '---' : '---:'))),
    ...rows,
  ].join('\n')
}

function cells(first: ServerResult, second: ServerResult): string[] {
  const both = (show: (server: ServerResult) => string) => [show(first), show(second)]
  return [
    ...both(({ per_second }) => whole(per_second)),
    ...both(({ cpu_ms }) => maybe(cpu_ms, digits3)),
    ...both(({ of_peer }) => maybe(of_peer, digits)),
    ...both(({ of_bare }) => maybe(of_bare, digits)),
  ]
}
