/** The metrics of a server with prom-client. Loaded only where they are shown: see open-metrics.ts. */

import { GRANT_TYPES, hasTooManyParameters } from '@ostiary/core'
import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { type AnyEvent, EVENT_TYPES } from '../log/log-events.js'
import { isOutage } from '../storage/outage.js'
import { gauges, type Measured, sampledSources } from './gauges.js'
import type { HostMetrics, MetricsSources, RequestOutcome, Snapshot } from './host-metrics.js'
import { createSampler, type Sampler } from './sampler.js'

const DURATION_BUCKETS_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Of a URN its last part. A Map, because a client chooses the key: an object also has `constructor`. */
const GRANT_LABELS: ReadonlyMap<string, string> = new Map(
  GRANT_TYPES.map((grant_type) => [grant_type, grant_type.split(':').at(-1)?.replace('-', '_') ?? '']),
)

const grantLabel = (grant_type: string | null): string => GRANT_LABELS.get(grant_type ?? '') ?? 'other'

const POLL_ERRORS = ['authorization_pending', 'slow_down', 'expired_token']
/** RFC 6749 §5.2, RFC 8628 §3.5, RFC 8707 §2, RFC 9449 §5 and §8, and the answer to an outage. */
const TOKEN_ERRORS = new Set([
  ...POLL_ERRORS,
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'invalid_scope',
  'invalid_target',
  'unauthorized_client',
  'unsupported_grant_type',
  'access_denied',
  'invalid_dpop_proof',
  'use_dpop_nonce',
  'server_error',
  'temporarily_unavailable',
])

/** RFC 9449 §5, §8 and §9. */
const PROOF_ERRORS: ReadonlySet<string> = new Set(['invalid_dpop_proof', 'use_dpop_nonce'])

/** Milliseconds between two measurements. */
const SAMPLE_INTERVAL_MS = 15_000

export function createMetrics(
  sources: MetricsSources,
  { interval_ms = SAMPLE_INTERVAL_MS }: { interval_ms?: number } = {},
): HostMetrics {
  const registry = new Registry()
  const registers = [registry]
  const counters = createCounters(registers, sources)
  createProcessGauges(registers)
  const runtime = new Registry()
  collectDefaultMetrics({ register: runtime })
  const measured: Measured = { readiness: null, database: null, newest_keys: [] }
  const sampler = createSampler(sampledSources(sources, measured), { interval_ms })
  const failures = sampleFailures(registers, sampler)
  const refusals = databaseRefusals(registers, sources)
  let ticked_at = performance.now()
  return {
    ...counters,
    ticked() {
      ticked_at = performance.now()
    },
    start: sampler.start,
    stop: sampler.stop,
    async snapshot() {
      failures()
      refusals()
      const own = await registry.getMetricsAsJSON()
      const known = {
        samples: sampler.states(),
        tick_age: (performance.now() - ticked_at) / 1000,
      }
      const names = new Set(own.map(({ name }) => name))
      const others = ((await runtime.getMetricsAsJSON()) as Snapshot).filter(({ name }) => !names.has(name))
      const all = [...own, ...gauges(sources, measured, known), ...others, ...descriptorShare(others)]
      return all as Snapshot
    },
  }
}

/** One text for all processes of a server: https://prometheus.io/docs/instrumenting/exposition_formats, version 0.0.4. */
export const exposition = (snapshots: readonly Snapshot[]): Promise<string> =>
  AggregatorRegistry.aggregate([...snapshots]).metrics()

/** These series begin at zero: an increase from nothing to one is no increase for Prometheus, and no alert would fire. */
const OUTAGE_REDIRECTS = ['server_error', 'temporarily_unavailable']
const ALERTED_DOCUMENT_OUTCOMES = ['fetched', 'unreachable', 'timeout']
const ALERTED_ROUTES = [
  'background',
  'login',
  'account',
  ...['authorize', 'resume', 'consent', 'token', 'userinfo', 'introspect', 'logout'].map(
    (name) => `oidc.${name}`,
  ),
]

type Counters = Pick<HostMetrics, 'countRequest' | 'countTokenError' | 'countEvent'>

/** Makes counters: a name, a help text, and the names of the labels. */
const countersOf =
  (registers: Registry[]) =>
  <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Counter<Label>({ name, help, labelNames, registers })

function createCounters(registers: Registry[], sources: MetricsSources): Counters {
  const counter = countersOf(registers)
  const requests = counter('ostiary_requests_total', 'Requests answered.', 'route', 'method', 'status')
  const duration = new Histogram({
    name: 'ostiary_request_duration_seconds',
    help: 'Time to the answer.',
    labelNames: ['route'],
    buckets: DURATION_BUCKETS_SECONDS,
    registers,
  })
  const tokens = counter(
    'ostiary_token_requests_total',
    'Requests at the token endpoint.',
    'grant',
    'outcome',
  )
  const countEvents = eventCounters(registers, sources)
  return {
    countRequest({ route, method, status, seconds }: RequestOutcome) {
      requests.inc({ route, method, status: String(status) })
      duration.observe({ route }, seconds)
    },
    async countTokenError(body, response) {
      const text = new TextDecoder().decode(body ?? undefined)
      const form = new URLSearchParams(hasTooManyParameters(text) ? '' : text)
      tokens.inc({ grant: grantLabel(form.get('grant_type')), outcome: await errorLabel(response) })
    },
    countEvent(event, route) {
      countEvents(event, route)
      if (event.type === 'token.issued')
        tokens.inc({ grant: grantLabel(event.grant_type), outcome: 'issued' })
    },
  }
}

function eventCounters(registers: Registry[], { realms }: MetricsSources): HostMetrics['countEvent'] {
  const counter = countersOf(registers)
  const events = counter('ostiary_events_total', 'Events, as docs/events.md lists them.', 'type')
  const logins = counter('ostiary_logins_total', 'Attempts to sign in.', 'outcome')
  const authorizationErrors = counter(
    'ostiary_authorization_errors_total',
    'Redirects that tell the client an error instead of a code.',
    'error',
  )
  const serverErrors = counter(
    'ostiary_server_errors_total',
    'Failures: of a storage that is unavailable (outage), or unexpected ones (fault).',
    'route',
    'kind',
  )
  const realmErrors = counter('ostiary_realm_errors_total', 'The same failures, by realm.', 'realm')
  const countClient = clientCounters(registers)
  for (const type of EVENT_TYPES) events.inc({ type }, 0)
  for (const error of OUTAGE_REDIRECTS) authorizationErrors.inc({ error }, 0)
  for (const route of ALERTED_ROUTES)
    for (const kind of ['outage', 'fault']) serverErrors.inc({ route, kind }, 0)
  return (event, route) => {
    events.inc({ type: event.type })
    countClient(event)
    if (event.type === 'session.started' || event.type === 'session.raised')
      logins.inc({ outcome: 'success' })
    if (event.type === 'login.refused') logins.inc({ outcome: event.reason })
    if (event.type === 'authorization.refused') authorizationErrors.inc({ error: event.error })
    if (event.type !== 'server.error') return
    serverErrors.inc({ route: route ?? 'background', kind: isOutage(event.cause) ? 'outage' : 'fault' })
    // The id may come from the path of a request whose realm could not be looked up.
    realmErrors.inc({ realm: realms().includes(event.realm) ? event.realm : 'other' })
  }
}

/** The labels are codes of core: a client cannot add one. */
function clientCounters(registers: Registry[]): (event: AnyEvent) => void {
  const counter = countersOf(registers)
  const documents = counter(
    'ostiary_client_documents_total',
    'Metadata documents of clients: fetched, or why not.',
    'outcome',
  )
  const authentications = counter(
    'ostiary_client_authentication_failures_total',
    'Clients that did not authenticate, by the reason.',
    'reason',
  )
  const proofs = counter(
    'ostiary_dpop_refusals_total',
    'DPoP proofs that were refused or asked for a nonce, and requests that need one, by the reason.',
    'reason',
  )
  for (const outcome of ALERTED_DOCUMENT_OUTCOMES) documents.inc({ outcome }, 0)
  return (event) => {
    if (event.type === 'client_document.fetched') documents.inc({ outcome: 'fetched' })
    if (event.type === 'client_document.refused') documents.inc({ outcome: event.reason })
    if (event.type === 'client.authentication_failed') authentications.inc({ reason: event.reason })
    const is_refusal = event.type === 'request.refused' || event.type === 'bearer.refused'
    if (is_refusal && PROOF_ERRORS.has(event.error)) proofs.inc({ reason: event.reason })
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

/** Sets the counter to what the sampler has counted. */
function sampleFailures(registers: Registry[], sampler: Sampler): () => void {
  const counted = countersOf(registers)(
    'ostiary_sample_failures_total',
    'Measurements that failed or were not answered in time: the last figures are shown.',
    'source',
  )
  return () => {
    counted.reset()
    for (const { name, failures } of sampler.states()) counted.inc({ source: name }, failures)
  }
}

/** Sets the counter to what the pool has counted. Every reason has a series from the start, at zero. */
function databaseRefusals(registers: Registry[], { pool }: MetricsSources): () => void {
  if (pool === undefined) return () => {}
  const refusals = countersOf(registers)(
    'ostiary_database_refusals_total',
    'Connections that PostgreSQL has refused, by the reason.',
    'reason',
  )
  return () => {
    refusals.reset()
    for (const [reason, count] of Object.entries(pool().refused)) refusals.inc({ reason }, count)
  }
}

/** The worst process counts: the sum over workers would hide one that is near its limit. Linux only, like its two values. */
function descriptorShare(runtime: Snapshot): Snapshot {
  const lastValue = (wanted: string) => runtime.find(({ name }) => name === wanted)?.values[0]?.value
  const open = lastValue('process_open_fds')
  const limit = lastValue('process_max_fds')
  if (open === undefined || !limit) return []
  return [
    {
      name: 'ostiary_file_descriptors_share',
      help: 'Open file descriptors of those that a process may open, 0 to 1.',
      type: 'gauge',
      aggregator: 'max',
      values: [{ labels: {}, value: open / limit }],
    },
  ] as unknown as Snapshot
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
