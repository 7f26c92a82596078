/** The result as a chart: for each workload, operations a second as a share of the best. */

import type { BenchResult, WorkloadResult } from '../run/result.js'

const ROW = 18
const LEFT = 190
const BARS = 420
const WIDTH = LEFT + BARS + 110

/** SVG, with colors for light and dark pages. */
export function chart({ date, workloads }: BenchResult): string {
  let y = 34
  const groups = workloads.map((workload) => {
    const group = workloadGroup(workload, y)
    y += 30 + workload.servers.length * ROW
    return group
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${y}" width="${WIDTH}" height="${y}" role="img" aria-label="Operations a second by workload and server">
<style>
  svg { background: #fff; font: 12px system-ui, sans-serif }
  text { fill: #222 }
  .title { font-weight: 600 }
  .ours { fill: #2563c9 }
  .peer { fill: #9aa4b2 }
  .bare { fill: #d8dce2 }
  @media (prefers-color-scheme: dark) {
    svg { background: #14171c }
    text { fill: #e6e8eb }
    .ours { fill: #6ea0f2 }
    .peer { fill: #6b7582 }
    .bare { fill: #3b424c }
  }
</style>
<text x="8" y="18">Operations a second, one server process on one core; longer is better. Measured ${date.slice(0, 10)}.</text>
${groups.join('\n')}
</svg>
`
}

function workloadGroup({ title, servers }: WorkloadResult, top: number): string {
  const most = Math.max(...servers.map(({ per_second }) => per_second))
  const bars = servers.map(({ name, per_second }, index) => {
    const y = top + 22 + index * ROW
    const width = Math.max(1, Math.round((per_second / most) * BARS))
    const rate = Math.round(per_second).toLocaleString('en')
    return `<text x="${LEFT - 8}" y="${y + 11}" text-anchor="end">${escaped(name)}</text><rect class="${barClass(name)}" x="${LEFT}" y="${y}" width="${width}" height="14" rx="2"/><text x="${LEFT + width + 6}" y="${y + 11}">${rate}</text>`
  })
  return `<text class="title" x="8" y="${top + 14}">${escaped(title)}</text>\n${bars.join('\n')}`
}

function barClass(server: string): 'ours' | 'bare' | 'peer' {
  if (server.startsWith('ostiary')) return 'ours'
  return server.startsWith('bare') ? 'bare' : 'peer'
}

const escaped = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;')
