/** Metrics whose sources a test chooses. */

import { onTestFinished } from 'vitest'
import type { HostMetrics, MetricsSources } from '../src/metrics/host-metrics.ts'
import { createMetrics, exposition } from '../src/metrics/prometheus.ts'

export const SOURCES: MetricsSources = {
  readiness: async () => ({ ready: true, parts: {} }),
  figures: null,
  newest_keys: null,
  realms: () => ['default'],
  pool: undefined,
  passwords: () => ({ running: 0, waiting: 0, places: 64 }),
  clock_ahead: () => null,
  leads: () => true,
  schema: null,
  now: () => NOW_MS,
}
/** The connections that a database has refused: none. */
export const NOT_REFUSED = {
  too_many_connections: 0,
  configuration_limit_exceeded: 0,
  cannot_connect_now: 0,
  connection_refused: 0,
}
const NOW_MS = 1_800_000_000_000
export const NOW = NOW_MS / 1000

/** @param sources Instead of those that measure nothing. */
export const metricsOf = (sources: Partial<MetricsSources> = {}) => createMetrics({ ...SOURCES, ...sources })

/** After the first measurements. */
export async function measured(sources: Partial<MetricsSources>) {
  const metrics = metricsOf(sources)
  metrics.start()
  onTestFinished(() => metrics.stop())
  await new Promise((resolve) => setImmediate(resolve))
  return metrics
}

export const textOf = async (metrics: HostMetrics) => exposition([await metrics.snapshot()])

export const linesOf = async (metrics: HostMetrics) => (await textOf(metrics)).split('\n')
