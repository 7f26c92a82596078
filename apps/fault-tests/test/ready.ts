import { expect, vi } from 'vitest'
import { send } from './client.ts'

/** Seconds until /readyz has this status. */
export async function untilReadyz(origin: string, status: number): Promise<number> {
  const started = performance.now()
  await vi.waitFor(async () => expect((await send(`${origin}/readyz`)).status).toBe(status), {
    timeout: 30_000,
    interval: 100,
  })
  return Math.round((performance.now() - started) / 100) / 10
}
