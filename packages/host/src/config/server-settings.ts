/** The `server.*` keys: worker processes, shutdown, logs, metrics. */

import type { ConfigFault } from '@ostiary/core'
import * as z from 'zod'

const MAX_SECONDS = 600
const wholeNumber = () => z.number({ error: 'give a whole number' }).int()
const seconds = wholeNumber().min(0).max(MAX_SECONDS)

/** Of a port beside that of the server; there is none when `port` is absent. */
export const listenSchema = (port: string, host: string) =>
  z
    .strictObject({
      port: wholeNumber().min(1).max(65_535).optional().describe(port),
      host: z.string().min(1).default('127.0.0.1').describe(host),
    })
    .prefault({})

export const serverSchema = z.strictObject({
  workers: wholeNumber()
    .min(1)
    .max(256)
    .default(1)
    .describe('Processes that serve requests, on one port. More than one need a PostgreSQL'),
  drain_seconds: seconds
    .optional()
    .describe(
      'Seconds after SIGTERM in which /readyz answers 503 while requests are still served. When absent: 5 where trusted_proxies names a proxy, else 0',
    ),
  stop_seconds: seconds.default(5).describe('Seconds after that in which requests in progress may finish'),
  log_format: z
    .enum(['text', 'json'])
    .optional()
    .describe(
      'Log lines for people (text) or for programs (json). When absent: text on a terminal, else json',
    ),
  metrics: listenSchema(
    'The port of /metrics, for Prometheus; there are no metrics when absent',
    'The address of /metrics',
  ),
})

/** The `server.*` keys: worker processes, shutdown, logs, metrics. */
export interface ServerSettings {
  workers: number
  drain_seconds: number
  stop_seconds: number
  /** The form of log lines; null: text on a terminal, else JSON. */
  log_format: 'text' | 'json' | null
  /** The address of /metrics; null: there are no metrics. */
  metrics: { port: number; host: string } | null
}

/** A proxy needs the time to see that /readyz answers 503, or the requests that it still sends are lost. */
const DRAIN_BEHIND_PROXY_SECONDS = 5

export function serverSettings(
  { metrics, log_format, drain_seconds, ...rest }: z.output<typeof serverSchema>,
  trusted_proxies: readonly string[],
): ServerSettings {
  const { port, host } = metrics
  return {
    ...rest,
    drain_seconds: drain_seconds ?? (trusted_proxies.length > 0 ? DRAIN_BEHIND_PROXY_SECONDS : 0),
    log_format: log_format ?? null,
    metrics: port === undefined ? null : { port, host },
  }
}

/** The settings that `server` must agree with. */
export interface ServerConstraints {
  /** The kind of the storage. */
  storage: string
  /** The port that the server listens on. */
  port: number
  admin_port: number | undefined
  try_out: boolean
}

/** Settings of `server` that the storage, the port or try-out mode does not allow. */
export function serverFaults(
  { workers, metrics }: ServerSettings,
  constraints: ServerConstraints,
): ConfigFault[] {
  const faults: ConfigFault[] = []
  const reason = workers > 1 ? singleProcessReason(constraints) : null
  if (reason !== null) faults.push({ path: 'server.workers', message: `${reason}, or set 1 worker` })
  const taken = [constraints.port]
  for (const [path, port] of [
    ['server.metrics.port', metrics?.port],
    ['admin.listen.port', constraints.admin_port],
  ] as const) {
    if (port === undefined) continue
    if (taken.includes(port))
      faults.push({ path, message: `the server listens on ${port} too; set another port` })
    taken.push(port)
  }
  return faults
}

/** Why only one process can use the storage, or null. */
function singleProcessReason({ storage, try_out }: ServerConstraints): string | null {
  if (storage === 'embedded') return 'the embedded database takes one process; set DATABASE_URL'
  if (storage === 'memory') return 'processes do not share their memory; set DATABASE_URL'
  return try_out ? 'try-out mode runs in one process; write an ostiary.config.json' : null
}
