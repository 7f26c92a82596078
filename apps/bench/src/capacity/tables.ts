/** The tables of docs/capacity.md. */

import type { Cost, Place } from './measure.js'
import type { Sizing } from './sizing.js'

const GIB = 2 ** 30
const count = (value: number): string => Math.round(value).toLocaleString('en')

export function placeTable(places: readonly Place[], grants: number): string {
  const lines = places.map(({ table, rows, table_bytes, index_bytes }) => {
    const perRow = `${count(table_bytes / rows)} | ${count(index_bytes / rows)}`
    return `| \`${table}\` | ${count(rows)} | ${perRow} | ${((table_bytes + index_bytes) / GIB).toFixed(2)} |`
  })
  const bytes = places.reduce((sum, { table_bytes, index_bytes }) => sum + table_bytes + index_bytes, 0)
  return [
    '| table | rows | bytes a row | bytes a row in indexes | GiB |',
    '| --- | ---: | ---: | ---: | ---: |',
    ...lines,
    `| all, for each grant | ${count(grants)} | ${count(bytes / grants)} | | ${(bytes / GIB).toFixed(2)} |`,
  ].join('\n')
}

/** @param sizes The numbers of grants of the two measurements. */
export function costTable(
  { few, many }: { few: readonly Cost[]; many: readonly Cost[] },
  [fewGrants, manyGrants]: readonly [number, number],
): string {
  const lines = many.map((cost, index) => {
    const before = few[index]
    const p50 = `${before?.p50_ms.toFixed(2)} | ${cost.p50_ms.toFixed(2)} | ${cost.p99_ms.toFixed(2)}`
    const cpu = cost.cpu_ms === null ? '' : cost.cpu_ms.toFixed(2)
    return `| ${cost.name} | ${cost.statements} | ${p50} | ${cpu} | ${count(cost.wal_bytes)} | ${cost.blocks_read.toFixed(1)} |`
  })
  const head = [
    'operation',
    'statements',
    `p50 ms, ${count(fewGrants)} grants`,
    `p50 ms, ${count(manyGrants)} grants`,
    'p99 ms',
    'CPU ms',
    'WAL bytes',
    'blocks read',
  ]
  return [`| ${head.join(' | ')} |`, `| --- |${' ---: |'.repeat(head.length - 1)}`, ...lines].join('\n')
}

export function sizingTable(sizings: readonly Sizing[]): string {
  const lines = sizings.map(
    ({ users, requests, server_cores, database_cores, wal_mib, disk_gib }) =>
      `| ${count(users)} | ${count(requests)} | ${server_cores.toFixed(1)} | ${database_cores.toFixed(1)} | ${wal_mib.toFixed(1)} | ${count(disk_gib)} |`,
  )
  const head = [
    'monthly users',
    'requests in the busiest second',
    'busy cores, servers',
    'busy cores, PostgreSQL',
    'WAL, MiB a second, at most',
    'disk, GiB',
  ]
  return [`| ${head.join(' | ')} |`, `|${' ---: |'.repeat(head.length)}`, ...lines].join('\n')
}
