/** The metrics of a server with prom-client. Loaded only where they are shown: see open-metrics.ts. */

import type { OidcEvent } from '@ostiary/core'
import type { IdentityEvent } from '@ostiary/identity'
import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { GaugeSources, HostMetrics, RequestOutcome, Snapshot } from './host-metrics.js'

const DURATION_BUCKETS_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** A Map, because a client chooses the key: an object also has `constructor`. */
const GRANT_LABELS: ReadonlyMap<string, string> = new Map([
  ['authorization_code', 'authorization_code'],
  ['refresh_token', 'refresh_token'],
  ['client_credentials', 'client_credentials'],
  ['urn:ietf:params:oauth:grant-type:token-exchange', 'token_exchange'],
])

const grantLabel = (grant_type: string | null): string => GRANT_LABELS.get(grant_type ?? '') ?? 'other'

/** RFC 6749 §5.2, RFC 8707 §2, and the answer to an outage. */
const TOKEN_ERRORS = new Set([
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'invalid_scope',
  'invalid_target',
  'unauthorized_client',
  'unsupported_grant_type',
  'access_denied',
  'server_error',
  'temporarily_unavailable',
])

export function createMetrics(): HostMetrics {
  const registry = new Registry()
  const registers = [registry]
  const counters = createCounters(registers)
  createProcessGauges(registers)
  const runtime = new Registry()
  collectDefaultMetrics({ register: runtime })
  return {
    ...counters,
    async snapshot(sources) {
      const own = await registry.getMetricsAsJSON()
      const measured = await createGauges(sources).then((gauges) => gauges.getMetricsAsJSON())
      const names = new Set(own.map(({ name }) => name))
      const others = (await runtime.getMetricsAsJSON()).filter(({ name }) => !names.has(name))
      return [...own, ...measured, ...others] as Snapshot
    },
  }
}

/** One text for all processes of a server: https://prometheus.io/docs/instrumenting/exposition_formats, version 0.0.4. */
export const exposition = (snapshots: readonly Snapshot[]): Promise<string> =>
  AggregatorRegistry.aggregate([...snapshots]).metrics()

function createCounters(registers: Registry[]): Omit<HostMetrics, 'snapshot'> {
  const requests = new Counter({
    name: 'ostiary_requests_total',
    help: 'Requests answered.',
    labelNames: ['route', 'method', 'status'],
    registers,
  })
  const duration = new Histogram({
    name: 'ostiary_request_duration_seconds',
    help: 'Time to the answer.',
    labelNames: ['route'],
    buckets: DURATION_BUCKETS_SECONDS,
    registers,
  })
  const tokens = new Counter({
    name: 'ostiary_token_requests_total',
    help: 'Requests at the token endpoint.',
    labelNames: ['grant', 'outcome'],
    registers,
  })
  const logins = new Counter({
    name: 'ostiary_logins_total',
    help: 'Attempts to sign in.',
    labelNames: ['outcome'],
    registers,
  })
  const events = new Counter({
    name: 'ostiary_events_total',
    help: 'Events, as docs/events.md lists them.',
    labelNames: ['type'],
    registers,
  })
  return {
    countRequest({ route, method, status, seconds }: RequestOutcome) {
      requests.inc({ route, method, status: String(status) })
      duration.observe({ route }, seconds)
    },
    async countTokenError(body, response) {
      const form = new URLSearchParams(new TextDecoder().decode(body ?? undefined))
      tokens.inc({ grant: grantLabel(form.get('grant_type')), outcome: await errorLabel(response) })
    },
    countEvent(event: OidcEvent | IdentityEvent) {
      events.inc({ type: event.type })
      if (event.type === 'token.issued')
        tokens.inc({ grant: grantLabel(event.grant_type), outcome: 'issued' })
      if (event.type === 'session.started') logins.inc({ outcome: 'success' })
      if (event.type === 'login.refused') logins.inc({ outcome: event.reason })
    },
  }
}

async function errorLabel(response: Response): Promise<string> {
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null)
  const { error } = (body ?? {}) as { error?: unknown }
  return typeof error === 'string' && TOKEN_ERRORS.has(error) ? error : 'other'
}

/** In a registry of their own, made for each snapshot: while the database is away, the others are still shown. */
async function createGauges({ figures, keyAges }: GaugeSources): Promise<Registry> {
  const registry = new Registry()
  const registers = [registry]
  const waiting = await figures?.deliveries_waiting().catch(() => null)
  if (waiting != null) {
    // All processes see the same deliveries.
    const name = 'ostiary_logout_deliveries_waiting'
    const help = 'Back-channel logouts that a client has yet to confirm.'
    new Gauge({ name, help, aggregator: 'max', registers }).set(waiting)
  }
  const pool = figures?.pool?.()
  if (pool) {
    const queries = { name: 'ostiary_database_queries', help: 'Queries that run or wait for a connection.' }
    new Gauge({ ...queries, registers }).set(pool.unanswered)
    const limit = { name: 'ostiary_database_connections_max', help: 'Queries that can run at a time.' }
    new Gauge({ ...limit, registers }).set(pool.connections)
  }
  const ages = new Gauge({
    name: 'ostiary_signing_key_age_seconds',
    help: 'Age of the newest signing key, by realm.',
    labelNames: ['realm'],
    aggregator: 'max',
    registers,
  })
  for (const [realm, seconds] of await keyAges().catch(() => [])) ages.set({ realm }, seconds)
  return registry
}

/** With these help texts, and the latest start of several processes: prom-client's own have others and leave it out. */
function createProcessGauges(registers: Registry[]): void {
  new Counter({
    name: 'process_cpu_seconds_total',
    help: 'Processor time used.',
    registers,
    collect() {
      const { user, system } = process.cpuUsage()
      this.reset()
      this.inc((user + system) / 1e6)
    },
  })
  new Gauge({
    name: 'process_resident_memory_bytes',
    help: 'Memory.',
    registers,
    collect() {
      this.set(process.memoryUsage.rss())
    },
  })
  const started = new Gauge({
    name: 'process_start_time_seconds',
    help: 'When it started, Unix time.',
    aggregator: 'max',
    registers,
  })
  started.set(Date.now() / 1000 - process.uptime())
}
