import type { HostMetrics, MetricsSources } from './host-metrics.js'

/** For a server that shows no metrics: nothing is counted and nothing is measured. */
const NO_METRICS: HostMetrics = {
  countRequest() {},
  async countTokenError() {},
  countEvent() {},
  ticked() {},
  start() {},
  stop() {},
  snapshot: async () => [],
}

/**
 * prom-client takes 40 ms and 11 MB: it is loaded only where metrics are shown.
 * @param sources Null where no metrics are shown.
 */
export async function openMetrics(sources: MetricsSources | null): Promise<HostMetrics> {
  if (sources === null) return NO_METRICS
  const { createMetrics } = await import('./prometheus.js')
  return createMetrics(sources)
}
