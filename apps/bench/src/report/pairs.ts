/** Two builds that were measured by pairs, as a Markdown table. */

import type { PairedServer } from '../run/pairs.js'
import { median } from '../statistics.js'
import { rightAligned } from './table.js'

const HEAD = [
  'workload',
  'server',
  'ms, before',
  'after',
  'ratio',
  'of each start',
  'verdict',
  'CPU ms, before',
  'after',
  'ratio',
  'of each start',
  'verdict',
]

/** With 5 starts, two identical builds are told apart wrongly once in 16 times. */
const STARTS_TO_JUDGE = 5

/** @param about What was compared, in words. */
export function pairsTable(paired: readonly PairedServer[], about: string): string {
  return [
    about,
    '',
    ...rightAligned(HEAD, paired.map(row)),
    '',
    'Milliseconds of one connection: medians. `noise`: the starts do not all differ in one direction.',
  ].join('\n')
}

function row({ workload, server, latency, cpu_ms, ratios, cpu_ratios }: PairedServer): string[] {
  return [
    workload,
    server,
    ...cells(latency, ratios, ['slower', 'faster']),
    ...(cpu_ms === null ? ['', '', '', '', ''] : cells(cpu_ms, cpu_ratios, ['more', 'less'])),
  ]
}

function cells(
  { before, after }: { before: number; after: number },
  ratios: readonly number[],
  verdicts: readonly [above: string, below: string],
): string[] {
  const each = ratios.map((ratio) => ratio.toFixed(3)).join(' ')
  return [before.toFixed(3), after.toFixed(3), median(ratios).toFixed(3), each, verdict(ratios, verdicts)]
}

/** Whether all starts differ in one direction. */
function verdict(ratios: readonly number[], [above, below]: readonly [string, string]): string {
  if (ratios.length < STARTS_TO_JUDGE) return 'too few starts'
  if (ratios.every((ratio) => ratio > 1)) return above
  if (ratios.every((ratio) => ratio < 1)) return below
  return 'noise'
}
