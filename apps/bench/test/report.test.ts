import { describe, expect, it } from 'vitest'
import { GOALS, type Goal } from '../src/goals.js'
import { figureOf, goalTable } from '../src/report/goals.js'
import { bothSittings } from '../src/report/sittings.js'
import { tables } from '../src/report/table.js'
import type { BenchResult, ServerResult } from '../src/run/result.js'

const server = (name: string, per_second: number, more: Partial<ServerResult> = {}): ServerResult => ({
  name,
  per_second,
  runs: [],
  spread: 0.02,
  p50: 1,
  p99: 2,
  errors: 0,
  cpu_ms: 0.5,
  database_ms: null,
  beside_ms: 0.1,
  of_peer: per_second / 1000,
  of_bare: null,
  of_limit: null,
  rss_idle: null,
  rss_load: null,
  generator_busy: 0.5,
  statements: null,
  half: null,
  ...more,
})

const PEER = server('oidc-provider memory', 1000, { beside_ms: 0.4 })

const result = (servers: ServerResult[]): BenchResult => ({
  date: '2026-01-02T03:04:05.000Z',
  machine: { cpu: 'CPU', cores: 2, memory_gib: 8, kernel: 'linux', node: 'v20', load: 0.5, pinned: true },
  node_lines: ['Node 22.1.0'],
  options: { runs: 5, seconds: 5, warm_up: 2.5, connections: 16 },
  workloads: [
    {
      name: 'refresh',
      title: 'Refresh with rotation',
      requests: 1,
      signatures: 2,
      es256_signatures: 0,
      limit: 3000,
      limit_spread: 0.07,
      peer: PEER.name,
      servers: [...servers, PEER],
    },
  ],
})

describe('the tables', () => {
  const first = result([
    server('ostiary memory', 1500),
    server('ostiary memory, again', 1560),
    server('ostiary Postgres', 1300, { statements: 2 }),
  ])

  it('name the noise, the versions and the statements', () => {
    const text = tables(first)
    expect(text).toContain("the core's own signature rate varied by up to ±7%")
    expect(text).toContain('Two identical servers differed by 4% in the median of the workloads, 4% at most.')
    expect(text).toContain('Node v20 (and, where a row says so, Node 22.1.0)')
    expect(text).toContain(
      '| ostiary Postgres | 1,300 | 2% | 1.00 | 2.00 | 0 | 0.500 | 0.100 |  | 2.00 | 1.30 |',
    )
    expect(tables(result([server('ostiary memory', 1500)]))).not.toContain('identical')
  })

  it('have the figures of a second sitting beside those of the first', () => {
    const text = bothSittings(first, result([server('ostiary memory', 1400, { cpu_ms: 0.6 })]))
    const cells =
      '| Refresh with rotation | ostiary memory | 1,500 | 1,400 | 0.500 | 0.600 | 1.50 | 1.40 |  |  |'
    expect(text).toContain(cells)
    expect(text).toContain('The second sitting: 2026-01-02 03:04 UTC')
    // Only one of them has measured it.
    expect(text).not.toContain('Postgres')
  })
})

describe('the goals', () => {
  const goal: Goal = {
    title: 'rate: Refresh',
    workload: 'refresh',
    server: 'ostiary memory',
    figure: 'per_second',
    of: { server: PEER.name },
    at_least: 1.4,
  }
  const sitting = (rate: number) => [result([server('ostiary memory', rate)])]
  const rowOf = (table: string) => table.split('\n').find((row) => row.startsWith('| rate: Refresh '))

  it('are compared with the figures of each sitting, as they are shown', () => {
    const row = (...rates: number[]) => rowOf(goalTable([goal], rates.map(sitting), ''))
    expect(row(1500)).toBe('| rate: Refresh | at least 1.4 | 1.50 | yes |')
    expect(row(1396, 1390)).toBe('| rate: Refresh | at least 1.4 | 1.40 (1.39) | in one sitting |')
    expect(row(1300, 1390)).toBe('| rate: Refresh | at least 1.4 | 1.30 (1.39) | no |')
    expect(row()).toBe('| rate: Refresh | at least 1.4 | not measured |  |')
    const { at_least: _, ...rest } = goal
    const at_most: Goal = { ...rest, figure: 'beside_ms', at_most: 0.3 }
    expect(rowOf(goalTable([at_most], [sitting(1)], ''))).toBe('| rate: Refresh | at most 0.3 | 0.25 | yes |')
  })

  it('keep the row of what was not measured now, and the rows of other commands', () => {
    const before =
      '| | goal | measured | met |\n| --- | ---: | ---: | --- |\n| rate: Refresh | at least 1.4 | 1.45 | yes |\n| two cores | at least 1.8 | 1.71 | no |'
    expect(goalTable([goal], [], before)).toBe(before)
    const table = goalTable([goal], [sitting(1300)], before)
    expect(table).toBe(before.replace('1.45 | yes', '1.30 | no'))
  })

  it('of a latency or of two workloads are ratios, too', () => {
    const half = { runs: [], p50: 2, p99: 8, errors: 0 }
    const measured = [result([server('ostiary memory', 1500, { half })])]
    const { of: _, ...tail } = { ...goal, figure: 'tail' as const }
    expect(figureOf(tail, measured)).toBe(4)
    const other = { ...goal, of: { server: 'ostiary memory', workload: 'userinfo' as const } }
    expect(figureOf(other, measured)).toBeNull()
  })

  it('each have a title of their own, and one limit', () => {
    expect(new Set(GOALS.map(({ title }) => title)).size).toBe(GOALS.length)
    for (const { title, at_least, at_most } of GOALS)
      expect(
        [at_least, at_most].filter((limit) => limit !== undefined),
        title,
      ).toHaveLength(1)
  })
})
