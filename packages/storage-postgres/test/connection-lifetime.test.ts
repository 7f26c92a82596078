import { UNLIMITED } from '@ostiary/test-kit/database'
import { expect, it, onTestFinished, vi } from 'vitest'
import { postgresExecutor } from '../src/index.js'
import { ownDatabase } from './_setup.js'

const HALF_AN_HOUR_MS = 1_800_000

it('a connection is replaced when it is between half an hour and an hour old', async () => {
  const database = await ownDatabase()
  onTestFinished(() => database.drop())
  // Before the pool: it counts from this clock, which begins at another time than the real one.
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const executor = postgresExecutor(database.url, { ...UNLIMITED, connections: 1 })
  onTestFinished(() => executor.close())
  const backend = async () => {
    const [row] = await executor.query<{ pid: number }>('select pg_backend_pid() as pid')
    return row?.pid
  }
  const first = await backend()
  vi.advanceTimersByTime(HALF_AN_HOUR_MS)
  expect(await backend()).toBe(first)
  vi.advanceTimersByTime(HALF_AN_HOUR_MS + 1)
  const second = await backend()
  expect(second).not.toBe(first)
  expect(await backend()).toBe(second)
})
