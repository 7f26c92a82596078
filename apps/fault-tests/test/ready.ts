import { eventually } from '@ostiary/test-kit/eventually'
import { expect } from 'vitest'
import { send } from './client.ts'

/** Seconds until /readyz has this status. */
export async function untilReadyz(origin: string, status: number): Promise<number> {
  const started = performance.now()
  await eventually(async () => expect((await send(`${origin}/readyz`)).status).toBe(status))
  return Math.round((performance.now() - started) / 100) / 10
}
