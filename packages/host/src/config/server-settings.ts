/** How the server runs: processes, stopping, metrics. */

import * as z from 'zod'

const MAX_SECONDS = 600
const whole = () => z.number({ error: 'give a whole number' }).int()
const seconds = whole().min(0).max(MAX_SECONDS)

export const serverSchema = z.strictObject({
  workers: whole()
    .min(1)
    .max(256)
    .default(1)
    .describe('Processes that take requests, on one port. They need a database that they can share'),
  drain_seconds: seconds
    .default(0)
    .describe('After SIGTERM: how long /readyz is 503 while requests are still taken'),
  stop_seconds: seconds.default(5).describe('After that: how long requests under way may take to finish'),
  metrics: z
    .strictObject({
      port: whole()
        .min(1)
        .max(65_535)
        .optional()
        .describe('Where /metrics is, for Prometheus; nowhere when absent'),
      host: z.string().min(1).default('127.0.0.1').describe('The address of that'),
    })
    .prefault({}),
})

/** The `server.*` keys: processes, stopping, metrics. */
export interface ServerSettings {
  workers: number
  drain_seconds: number
  stop_seconds: number
  /** Where /metrics is; null: nowhere. */
  metrics: { port: number; host: string } | null
}

export function serverSettings({ metrics, ...rest }: z.output<typeof serverSchema>): ServerSettings {
  const { port, host } = metrics
  return { ...rest, metrics: port === undefined ? null : { port, host } }
}

export interface Surroundings {
  storage: string
  /** Where the server listens. */
  port: number
  try_out: boolean
}

/** What storage and mode do not allow. */
export function serverFaults({ workers, metrics }: ServerSettings, around: Surroundings): string[] {
  const faults: string[] = []
  const alone = workers > 1 ? whyAlone(around) : null
  if (alone !== null) faults.push(`server.workers: ${alone}, or take 1 worker`)
  if (metrics?.port === around.port)
    faults.push(`server.metrics.port: ${around.port} is where the server listens; take another port`)
  return faults
}

function whyAlone({ storage, try_out }: Surroundings): string | null {
  if (storage === 'embedded') return 'the embedded database takes one process; set DATABASE_URL'
  if (storage === 'memory') return 'each process has a memory of its own; set DATABASE_URL'
  return try_out ? 'try-out mode takes one process; write an ostiary.config.json' : null
}
