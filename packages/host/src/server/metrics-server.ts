/** `/metrics` on a port of its own, as it is not meant for the public. */

import type { HostConfig } from '../config/host-config.js'
import { errorFields, type Log } from '../log/log.js'
import type { Snapshot } from '../metrics/host-metrics.js'
import { ListenError, METRICS_SETTINGS } from './listen-error.js'
import { json, readOnly, serverError } from './responses.js'
import type { Listener, Runtime } from './runtime.js'

export type MetricsServer = Pick<Listener, 'cut'>

export interface MetricsOptions {
  config: HostConfig
  log: Log
  /** One for each process of this server. */
  snapshots: () => Promise<Snapshot[]>
}

/** @returns Null when none is configured. */
export async function metricsServer(
  runtime: Runtime,
  { config, log, snapshots }: MetricsOptions,
): Promise<MetricsServer | null> {
  const { metrics } = config.server
  if (metrics === null) return null
  const { exposition } = await import('../metrics/prometheus.js')
  const failed = (error: unknown) => log.error('metrics failed', errorFields(error))
  const answer = async () =>
    new Response(await exposition(await snapshots()), {
      headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8', 'cache-control': 'no-store' },
    })
  const handler = async (request: Request): Promise<Response> => {
    try {
      if (new URL(request.url).pathname === '/metrics') return await readOnly(request, answer)
      return json(404, { error: 'not_found', error_description: 'Here is /metrics and nothing else' })
    } catch (error) {
      failed(error)
      return serverError()
    }
  }
  const listener = await runtime.listen(handler, { ...metrics, shared: false, failed }).catch((cause) => {
    throw new ListenError(METRICS_SETTINGS, cause)
  })
  log.info('the metrics server is listening', { ...metrics, path: '/metrics' })
  return listener
}
