/** What is measured in the background, and shown from memory. */

import { eventually } from '@ostiary/test-kit/eventually'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createApp, createLog } from '../src/index.ts'
import { createMetrics, exposition } from '../src/metrics/prometheus.ts'
import { createSampler } from '../src/metrics/sampler.ts'
import { linesOf, measured, metricsOf, NOT_REFUSED, NOW, SOURCES, textOf } from './measured.ts'
import { configure, FILE, inMemory } from './support.ts'

const SHOWN = { server: { metrics: { port: 9464 } } }

describe('/metrics answers from memory', () => {
  it('with figures that never answer, and a database that is down: the last figures stay', async () => {
    let answers = true
    const hangs = () => new Promise<never>(() => {})
    const figures = {
      deliveries_waiting: 4,
      oldest_delivery_at: NOW - 60,
      mails_waiting: 3,
      oldest_mail_at: NOW - 90,
    }
    vi.useFakeTimers({ now: 0, toFake: ['setInterval', 'clearInterval', 'performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const metrics = createMetrics(
      {
        ...SOURCES,
        readiness: async () => ({ ready: answers, parts: { database: answers, redis: true } }),
        figures: { database: () => (answers ? Promise.resolve(figures) : hangs()) },
        newest_keys: () => (answers ? Promise.resolve([{ realm: 'default', created_at: NOW - 9 }]) : hangs()),
        pool: () => ({ unanswered: 12, connections: 10, refused: NOT_REFUSED }),
      },
      { interval_ms: 1000 },
    )
    metrics.start()
    onTestFinished(() => metrics.stop())
    await settled()
    answers = false
    for (let round = 0; round < 20; round += 1) {
      vi.advanceTimersByTime(1000)
      await settled()
    }
    // The sources never answer: had the metrics asked them, this would not end.
    const lines = await linesOf(metrics)
    for (const line of [
      'ostiary_logout_deliveries_waiting 4',
      'ostiary_logout_deliveries_oldest_age_seconds 60',
      'ostiary_mail_pending 3',
      'ostiary_mail_oldest_seconds 90',
      'ostiary_signing_key_age_seconds{realm="default"} 9',
      'ostiary_ready 0',
      'ostiary_part_up{part="database"} 0',
      'ostiary_part_up{part="redis"} 1',
      'ostiary_database_queries 12',
      'ostiary_database_connections_max 10',
      'ostiary_sample_age_seconds{source="readiness"} 0',
      'ostiary_sample_age_seconds{source="database"} 20',
      'ostiary_sample_age_seconds{source="keys"} 20',
      'ostiary_sample_failures_total{source="readiness"} 0',
      'ostiary_sample_failures_total{source="database"} 19',
    ])
      expect(lines).toContain(line)
  })

  it('a source that does not answer is asked again after four rounds, and no more often', async () => {
    let asked = 0
    const never = () => {
      asked += 1
      return new Promise<never>(() => {})
    }
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const sampler = createSampler([{ name: 'x', every: 1, read: never }], { interval_ms: 1000 })
    sampler.start()
    onTestFinished(() => sampler.stop())
    vi.advanceTimersByTime(12_000)
    expect(asked).toBe(4)
    expect(sampler.states()).toMatchObject([{ name: 'x', failures: 12 }])
  })

  it('a figure of a realm that is not configured is left out', async () => {
    const newest_keys = async () => [
      { realm: 'default', created_at: NOW - 1 },
      { realm: 'former', created_at: NOW - 2 },
    ]
    const text = await textOf(await measured({ newest_keys }))
    expect(text).toContain('ostiary_signing_key_age_seconds{realm="default"} 1')
    expect(text).not.toContain('former')
  })

  it('the clock of this server, as far as it was compared with the one of the database', async () => {
    let ahead: number | null = null
    const metrics = metricsOf({ clock_ahead: () => ahead })
    expect(await textOf(metrics)).not.toContain('ostiary_clock_skew_seconds')
    ahead = -7
    expect(await textOf(metrics)).toContain('ostiary_clock_skew_seconds -7\n')
  })

  it('the background work: its age and its leader', async () => {
    let leads = false
    vi.useFakeTimers({ now: 0, toFake: ['performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const metrics = metricsOf({ leads: () => leads })
    metrics.ticked()
    vi.advanceTimersByTime(3000)
    const idle = await textOf(metrics)
    expect(idle).toContain('ostiary_background_leader 0\n')
    expect(idle).not.toContain('ostiary_background_age_seconds')
    leads = true
    const lines = await linesOf(metrics)
    expect(lines).toContain('ostiary_background_leader 1')
    expect(lines).toContain('ostiary_background_age_seconds 3')
  })

  it('a tick of the app makes its background work young', async () => {
    const config = await configure({ ...FILE, ...SHOWN })
    const log = createLog({ write: () => {} })
    const app = await createApp(config, { log, storage: inMemory(), tick_every: 5 })
    onTestFinished(() => app.stop())
    const age = async () => {
      const text = await exposition([await app.metrics()])
      return Number(/^ostiary_background_age_seconds (\S+)/m.exec(text)?.[1])
    }
    const first = await eventually(async () => ((await age()) > 0.05 ? age() : false))
    await app.start()
    await eventually(async () => (await age()) < first)
  })

  it('open file descriptors as a share of what a process may open', async () => {
    const lines = await linesOf(metricsOf())
    const lastValue = (name: string) =>
      Number(lines.find((line) => line.startsWith(`${name} `))?.split(' ')[1])
    const share = lastValue('ostiary_file_descriptors_share')
    expect(share).toBeGreaterThan(0)
    expect(share).toBeCloseTo(lastValue('process_open_fds') / lastValue('process_max_fds'), 5)
  })
})

/** Promises that need no timer are settled. */
const settled = () => new Promise((resolve) => setImmediate(resolve))
