/** Two builds as a Markdown table. */

import type { ComparedServer } from '../run/compare.js'
import type { Difference } from '../statistics.js'
import { rightAligned, whole } from './table.js'

const HEAD = [
  'workload',
  'server',
  'per second, before',
  'after',
  'ratio',
  'runs before',
  'runs after',
  'verdict',
  'CPU ms, before',
  'after',
  'ratio',
  'verdict',
]

/** @param about What was compared, in words. */
export function comparison(compared: readonly ComparedServer[], about: string): string {
  return [
    about,
    '',
    ...rightAligned(HEAD, compared.map(row)),
    '',
    'Runs: the slowest and the fastest, as shares of the median before. `noise`: the runs of both overlap.',
  ].join('\n')
}

function row({ workload, server, per_second, cpu_ms }: ComparedServer): string[] {
  const { before, after, ratio, range_before, range_after } = per_second
  return [
    workload,
    server,
    whole(before),
    whole(after),
    ratio.toFixed(3),
    range(range_before),
    range(range_after),
    verdict(per_second, 'faster', 'slower'),
    ...cpuCells(cpu_ms),
  ]
}

function cpuCells(cpu_ms: Difference | null): string[] {
  if (cpu_ms === null) return ['', '', '', '']
  const { before, after, ratio } = cpu_ms
  return [before.toFixed(3), after.toFixed(3), ratio.toFixed(3), verdict(cpu_ms, 'more', 'less')]
}

function verdict({ ratio, beyond_noise }: Difference, above: string, below: string): string {
  if (beyond_noise === null) return 'too few runs'
  if (!beyond_noise) return 'noise'
  return ratio > 1 ? above : below
}

const range = ({ low, high }: { low: number; high: number }): string =>
  `${low.toFixed(2)} to ${high.toFixed(2)}`
