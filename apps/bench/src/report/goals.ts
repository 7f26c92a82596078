/** The table of goals and results. */

import type { Goal } from '../goals.js'
import type { BenchResult, ServerResult } from '../run/result.js'
import type { WorkloadName } from '../workloads/index.js'

/** What one sitting has measured: the results of one or more commands. */
export type Sitting = readonly BenchResult[]

const HEAD = '| | goal | measured | met |\n| --- | ---: | ---: | --- |'

/**
 * A goal that no sitting has measured keeps its row, and rows without a goal in the list stay: those of other commands.
 * @param before The table that is replaced.
 */
export function goalTable(goals: readonly Goal[], sittings: readonly Sitting[], before: string): string {
  const rows = new Map(
    before.split('\n').flatMap((row) => {
      const [, title = ''] = /^\| ([^|]+) \|/.exec(row) ?? []
      return title === '' || title === '---' ? [] : [[title, row] as const]
    }),
  )
  const others = new Map(rows)
  const own = goals.map((goal) => {
    others.delete(goal.title)
    const figures = sittings.map((sitting) => figureOf(goal, sitting))
    const isMeasured = figures.some((figure) => figure !== null)
    return isMeasured ? goalRow(goal, figures) : (rows.get(goal.title) ?? goalRow(goal, []))
  })
  return [HEAD, ...own, ...others.values()].join('\n')
}

function goalRow(goal: Goal, figures: readonly (number | null)[]): string {
  const known = figures.filter((figure) => figure !== null)
  const [first, ...more] = known.map((figure) => figure.toFixed(2))
  const again = more.length === 0 ? '' : ` (${more.join(', ')})`
  const measured = first === undefined ? 'not measured' : `${first}${again}`
  return `| ${goal.title} | ${limit(goal)} | ${measured} | ${verdict(goal, known)} |`
}

const limit = ({ at_least, at_most }: Goal): string =>
  at_least === undefined ? `at most ${at_most}` : `at least ${at_least}`

function verdict(goal: Goal, figures: readonly number[]): string {
  const met = figures.filter((figure) => isMet(goal, figure)).length
  if (figures.length === 0) return ''
  if (met === figures.length) return 'yes'
  return met === 0 ? 'no' : 'in one sitting'
}

/** By the figure as it is shown. */
function isMet({ at_least, at_most }: Goal, figure: number): boolean {
  const shown = Number(figure.toFixed(2))
  return shown >= (at_least ?? Number.NEGATIVE_INFINITY) && shown <= (at_most ?? Number.POSITIVE_INFINITY)
}

export function figureOf({ workload, server, figure, of }: Goal, sitting: Sitting): number | null {
  const value = valueIn(figure, serverOf(sitting, workload, server))
  if (of === undefined || value === null) return value
  const base = valueIn(figure, serverOf(sitting, of.workload ?? workload, of.server))
  return base === null ? null : value / base
}

function valueIn(figure: Goal['figure'], server: ServerResult | undefined): number | null {
  if (figure !== 'tail') return server?.[figure] ?? null
  const half = server?.half ?? null
  return half === null ? null : half.p99 / half.p50
}

const serverOf = (sitting: Sitting, workload: WorkloadName, server: string): ServerResult | undefined =>
  sitting
    .flatMap(({ workloads }) => workloads)
    .find(({ name }) => name === workload)
    ?.servers.find(({ name }) => name === server)
