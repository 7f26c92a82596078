import type { HostMetrics } from './host-metrics.js'

/** For a server that shows no metrics: nothing is counted. */
const NO_METRICS: HostMetrics = {
  countRequest() {},
  async countTokenError() {},
  countEvent() {},
  snapshot: async () => [],
}

/** prom-client takes 40 ms and 11 MB: it is loaded only where metrics are shown. */
export async function openMetrics({ enabled }: { enabled: boolean }): Promise<HostMetrics> {
  if (!enabled) return NO_METRICS
  const { createMetrics } = await import('./prometheus.js')
  return createMetrics()
}
