/** How the server runs: processes, stopping, metrics. The same keys stand in the file, below `server`, and in variables. */

import * as z from 'zod'

const MAX_SECONDS = 600
const seconds = z.number().int().min(0).max(MAX_SECONDS)
const port = z.number().int().min(1).max(65_535)

export const serverSchema = z.strictObject({
  /** Processes that take requests, on one port. */
  workers: z.number().int().min(1).max(256).optional(),
  /** After SIGTERM: how long /readyz is 503 while requests are still taken. */
  drain_seconds: seconds.optional(),
  /** After that: how long requests under way may take to finish. */
  stop_seconds: seconds.optional(),
  metrics: z.strictObject({ port: port.optional(), host: z.string().min(1).optional() }).optional(),
})

/** A whole number in a variable. What is out of range is reported like any other fault of the schema. */
const number = (schema: z.ZodNumber) =>
  z
    .string()
    .regex(/^\d{1,5}$/, 'give a whole number')
    .transform(Number)
    .pipe(schema)
    .optional()

export const serverVariables = {
  OSTIARY_WORKERS: number(serverSchema.shape.workers.unwrap()),
  OSTIARY_DRAIN_SECONDS: number(seconds),
  OSTIARY_STOP_SECONDS: number(seconds),
  OSTIARY_METRICS_PORT: number(port),
  OSTIARY_METRICS_HOST: z.string().optional(),
}

export interface ServerSettings {
  workers: number
  drain_seconds: number
  stop_seconds: number
  /** Where /metrics is; null: nowhere. */
  metrics: { port: number; host: string } | null
}

type FileSettings = z.output<typeof serverSchema>
type Variables = { [Name in keyof typeof serverVariables]?: z.output<(typeof serverVariables)[Name]> }

/** A variable wins over the file. */
export function serverSettings(file: FileSettings, variables: Variables): ServerSettings {
  const metrics_port = variables.OSTIARY_METRICS_PORT ?? file.metrics?.port
  const metrics_host = variables.OSTIARY_METRICS_HOST ?? file.metrics?.host ?? '127.0.0.1'
  return {
    workers: variables.OSTIARY_WORKERS ?? file.workers ?? 1,
    drain_seconds: variables.OSTIARY_DRAIN_SECONDS ?? file.drain_seconds ?? 0,
    stop_seconds: variables.OSTIARY_STOP_SECONDS ?? file.stop_seconds ?? 5,
    metrics: metrics_port === undefined ? null : { port: metrics_port, host: metrics_host },
  }
}

/** What the chosen storage does not allow, with the name of the setting to change. */
export function serverFaults(
  { workers, metrics }: ServerSettings,
  {
    variables,
    storage,
    port,
    try_out,
  }: {
    variables: Variables
    storage: 'memory' | 'embedded' | string
    port: number
    try_out: boolean
  },
): string[] {
  const faults: string[] = []
  const workersKey = variables.OSTIARY_WORKERS === undefined ? 'server.workers' : 'OSTIARY_WORKERS'
  const metricsKey =
    variables.OSTIARY_METRICS_PORT === undefined ? 'server.metrics.port' : 'OSTIARY_METRICS_PORT'
  if (workers > 1 && storage === 'embedded')
    faults.push(`${workersKey}: the embedded database takes one process; set DATABASE_URL, or take 1 worker`)
  else if (workers > 1 && storage === 'memory')
    faults.push(`${workersKey}: each process has a memory of its own; set DATABASE_URL, or take 1 worker`)
  else if (workers > 1 && try_out)
    faults.push(
      `${workersKey}: try-out mode takes one process; write an ostiary.config.json, or take 1 worker`,
    )
  if (metrics?.port === port)
    faults.push(`${metricsKey}: ${port} is where the server listens; take another port`)
  return faults
}
