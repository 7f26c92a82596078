/** What a server finds out about a database that was restored or copied. */

import { type RecoveryTarget, startRestorable } from '@ostiary/local-services/restorable'
import { UNLIMITED } from '@ostiary/test-kit/database'
import { eventually } from '@ostiary/test-kit/eventually'
import { expect, onTestFinished } from 'vitest'
import {
  lineageWatch,
  migrations,
  type PooledExecutor,
  type PostgresOptions,
  postgresExecutor,
  RestoredError,
} from '../src/index.js'

export const EARLIER = 'a server has seen a later state'
export const TO_TARGET = 'it was recovered to a point in time (recovery_target)'

export function open(url: string, options: PostgresOptions = {}): PooledExecutor {
  const executor = postgresExecutor(url, { ...UNLIMITED, connections: 1, ...options })
  onTestFinished(() => executor.close())
  return executor
}

/** True: it is used. False: nothing is known. Else the reason for which it is refused. */
export async function askedOf(executor: PooledExecutor, watch = lineageWatch()): Promise<boolean | string> {
  try {
    const onCommit = await watch.check(executor)
    onCommit?.()
    return onCommit !== null
  } catch (error) {
    if (error instanceof RestoredError) return error.message.split(': ')[1] ?? ''
    throw error
  }
}

/** A database whose files were restored, with what servers knew of it before. */
export async function restored(to: (now: string) => RecoveryTarget | null) {
  const cluster = await startRestorable()
  onTestFinished(() => cluster.stop())
  const executor = open(cluster.url)
  await migrations(executor).migrate()
  expect(await askedOf(executor)).toBe(true)
  await cluster.backup()
  await eventually(() => executor.query('create table kept (n int)'))
  const [row] = await executor.query<{ now: string }>('select clock_timestamp()::text as now')
  await executor.query('create table lost (n int)')
  const [watch, unanswered] = [lineageWatch(), lineageWatch()]
  expect(await askedOf(executor, watch)).toBe(true)
  expect(await unanswered.check(executor)).not.toBeNull()
  await cluster.restore(to(row?.now ?? ''))
  const another = open(cluster.url)
  await eventually(() =>
    another.query('insert into kept select 1 where false').catch(() => another.query('select 1')),
  )
  const [tables] = await another.query<{ lost: boolean }>(`select to_regclass('lost') is null as lost`)
  return { executor: another, watch, unanswered, lost: tables?.lost }
}
