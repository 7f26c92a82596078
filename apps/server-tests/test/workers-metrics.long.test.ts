/** /metrics while a worker hangs, and after a worker has died. */

import { freePort } from '@ostiary/test-kit/ports'
import { configFor, SECRET, startServer } from '@ostiary/test-kit/server'
import { expect, it, onTestFinished, vi } from 'vitest'
import { prepare } from './storages.ts'

const WAIT = { timeout: 90_000, interval: 20 }
const HEALTHZ = /^ostiary_requests_total\{route="healthz",method="GET",status="200"\} (\d+)$/m

it('a worker that hangs delays no scrape and is counted; one that dies leaves its counts', async () => {
  const { env, remove } = await prepare('postgres')
  const metrics_port = await freePort()
  const server = await startServer({
    config: (port: number) => ({
      ...configFor('http://localhost:8080/callback')(port),
      server: { workers: 2, metrics: { port: metrics_port } },
    }),
    env: { OIDC_SECRET: SECRET, ...env },
  })
  const pids = () => server.logged('a worker has been started').map(({ pid }) => Number(pid))
  onTestFinished(async () => {
    server.child.kill('SIGKILL')
    for (const pid of pids()) signal(pid, 'SIGKILL')
    await remove()
  })
  const scrape = async () => (await fetch(`http://localhost:${metrics_port}/metrics`)).text()
  const counted = async () => Number(HEALTHZ.exec(await scrape())?.[1] ?? 0)

  await vi.waitUntil(() => server.logged('listening').length === 2, WAIT)
  for (let times = 0; times < 40; times++)
    await fetch(`${server.issuer}/healthz`, { headers: { connection: 'close' } })
  await vi.waitUntil(async () => (await counted()) === 40, WAIT)

  const [hanging = 0] = pids()
  signal(hanging, 'SIGSTOP')
  await scrape()
  const times: number[] = []
  for (let round = 0; round < 10; round++) {
    const started = performance.now()
    expect(await counted()).toBe(40)
    times.push(performance.now() - started)
  }
  const median = times.sort((a, b) => a - b)[5] ?? 0
  console.log(
    `scrapes with a worker that hangs: median ${median.toFixed(0)} ms, longest ${times[9]?.toFixed(0)} ms`,
  )
  // Other programs of a busy machine take their share of it; the limit of a scrape that waits for a worker would be seconds.
  expect(median).toBeLessThan(500)
  await vi.waitFor(async () => expect(await scrape()).toContain('ostiary_workers_answering 1\n'), WAIT)
  expect(await scrape()).toContain('ostiary_workers 2\n')

  signal(hanging, 'SIGKILL')
  await vi.waitUntil(() => server.logged('listening').length === 3, WAIT)
  await vi.waitFor(async () => expect(await scrape()).toContain('ostiary_workers_answering 2\n'), WAIT)
  expect(await counted()).toBe(40)
})

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // It has ended.
  }
}
