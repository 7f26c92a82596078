/** /metrics while a worker hangs, and after a worker has died. */

import { eventually } from '@ostiary/test-kit/eventually'
import { expect, it } from 'vitest'
import { signal, twoWorkers } from './two-workers.ts'

const HEALTHZ = /^ostiary_requests_total\{route="healthz",method="GET",status="200"\} (\d+)$/m

it('a worker that hangs delays no scrape and is counted; one that dies leaves its counts', async () => {
  const server = await twoWorkers()
  const scrape = async () => (await fetch(server.metrics)).text()
  const counted = async () => Number(HEALTHZ.exec(await scrape())?.[1] ?? 0)

  for (let times = 0; times < 40; times++)
    await fetch(`${server.issuer}/healthz`, { headers: { connection: 'close' } })
  await eventually(async () => (await counted()) === 40)

  const [hanging = 0] = server.pids()
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
  await eventually(async () => expect(await scrape()).toContain('ostiary_workers_answering 1\n'))
  expect(await scrape()).toContain('ostiary_workers 2\n')

  signal(hanging, 'SIGKILL')
  await eventually(() => server.logged('listening').length === 3)
  await eventually(async () => expect(await scrape()).toContain('ostiary_workers_answering 2\n'))
  expect(await counted()).toBe(40)
})
