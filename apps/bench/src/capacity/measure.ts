/** What an operation costs the database: time, CPU, log, blocks. */

import { setTimeout as sleep } from 'node:timers/promises'
import type { Executor, Param } from '@ostiary/storage-postgres'
import { cpuSecondsOfTree } from '../load/procfs.js'
import { percentile } from '../statistics.js'
import type { Operation } from './operations.js'

export interface Cost {
  name: string
  /** Per operation. */
  statements: number
  p50_ms: number
  p99_ms: number
  /** CPU of the database's connections, per operation. Null where there is no /proc. */
  cpu_ms: number | null
  /** Bytes of write-ahead log per operation. */
  wal_bytes: number
  /** Blocks of 8 kB that were not in the database's memory, per operation. */
  blocks_read: number
}

/** What a table takes on the disk. */
export interface Place {
  table: string
  rows: number
  table_bytes: number
  index_bytes: number
}

/** Counts the statements that are sent through it. */
export function counted(executor: Executor): { executor: Executor; statements(): number } {
  let sent = 0
  const query: Executor['query'] = (text: string, params?: readonly Param[]) => {
    sent += 1
    return executor.query(text, params)
  }
  return { executor: { ...executor, query }, statements: () => sent }
}

export interface MeasureOptions {
  /** Another connection to the same database. */
  observer: Executor
  /** How many statements were sent so far. */
  statements(): number
  /** How many operations run at a time. */
  parallel: number
}

/** Runs each operation as often as it says, one kind after the other. */
export async function measureAll(
  operations: readonly Operation[],
  { observer, statements, parallel }: MeasureOptions,
): Promise<Cost[]> {
  const costs: Cost[] = []
  let before = await observed(observer)
  for (const operation of operations) {
    const sentBefore = statements()
    const times = await timesOf(operation, parallel)
    const after = await observed(observer)
    const each = (amount: number) => amount / operation.times
    const cost: Cost = {
      name: operation.name,
      statements: each(statements() - sentBefore),
      p50_ms: percentile(times, 0.5),
      p99_ms: percentile(times, 0.99),
      cpu_ms: after.cpu === null || before.cpu === null ? null : each((after.cpu - before.cpu) * 1000),
      wal_bytes: each(after.wal - before.wal),
      blocks_read: each(after.read - before.read),
    }
    process.stderr.write(`${JSON.stringify(cost)}\n`)
    costs.push(cost)
    before = after
  }
  return costs
}

/** @returns Milliseconds, in ascending order. */
async function timesOf({ times, run }: Operation, parallel: number): Promise<number[]> {
  const took: number[] = []
  let left = times
  const work = async () => {
    while (left > 0) {
      left -= 1
      const started = performance.now()
      await run()
      took.push(performance.now() - started)
    }
  }
  await Promise.all(Array.from({ length: Math.min(parallel, times) }, work))
  return took.sort((a, b) => a - b)
}

interface Observation {
  cpu: number | null
  wal: number
  read: number
}

async function observed(observer: Executor): Promise<Observation> {
  // A connection reports what it has read after a second.
  await sleep(1100)
  const [row] = await observer.query<{ wal: number; read: number }>(
    `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as wal,
       (select sum(heap_blks_read + idx_blks_read)::float8 from pg_statio_user_tables) as read`,
  )
  const processes = await observer.query<{ pid: number }>(
    `select pid from pg_stat_activity where datname = current_database() and application_name = 'ostiary'`,
  )
  const cpu = processes.map(({ pid }) => cpuSecondsOfTree(pid))
  const known = cpu.filter((seconds) => seconds !== null)
  return {
    cpu: known.length === 0 ? null : known.reduce((sum, seconds) => sum + seconds, 0),
    wal: row?.wal ?? 0,
    read: row?.read ?? 0,
  }
}
