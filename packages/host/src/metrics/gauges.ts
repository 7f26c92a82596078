/** The gauges of a process: what was measured last, and what can be read at once. Plain data, made for each snapshot. */

import type { DatabaseFigures, NewestKey } from '@ostiary/storage-postgres'
import { programVersion } from '../config/version.js'
import type { MetricsSources, Readiness, Snapshot } from './host-metrics.js'
import type { SampledSource, SampleState } from './sampler.js'

/** What was measured last; null before the first time. */
export interface Measured {
  readiness: Readiness | null
  database: DatabaseFigures | null
  newest_keys: readonly NewestKey[]
}

/** What is known without a measurement. */
export interface KnownState {
  samples: readonly SampleState[]
  /** Seconds since the background work has ended a round, or since the start. */
  tick_age: number
}

/** The newest keys change when a person rotates them, and with 1,000 realms they are 1,000 rows. */
const ROUNDS_BETWEEN_KEYS = 4

/** The sources of a server, which store into `measured`. */
export function sampledSources(sources: MetricsSources, measured: Measured): SampledSource[] {
  const { readiness, figures, newest_keys } = sources
  const sampled: SampledSource[] = [
    {
      name: 'readiness',
      every: 1,
      async read() {
        measured.readiness = await readiness()
      },
    },
  ]
  if (figures !== null)
    sampled.push({
      name: 'database',
      every: 1,
      async read() {
        measured.database = await figures.database()
      },
    })
  if (newest_keys !== null)
    sampled.push({
      name: 'keys',
      every: ROUNDS_BETWEEN_KEYS,
      async read() {
        measured.newest_keys = await newest_keys()
      },
    })
  return sampled
}

type Sample = [labels: Record<string, string>, value: number]
/** How the values of several processes become one. */
type Aggregator = 'sum' | 'min' | 'max' | 'first'
type Gauge = [name: string, help: string, aggregator: Aggregator, samples: Sample[]]

const one = (value: number | boolean | null | undefined): Sample[] =>
  value == null ? [] : [[{}, Number(value)]]

export function gauges(sources: MetricsSources, measured: Measured, known: KnownState): Snapshot {
  return [
    ...serverGauges(sources, measured, known),
    ...databaseGauges(sources, measured),
    ...sampleGauges(known.samples),
  ]
    .filter(([, , , samples]) => samples.length > 0)
    .map(([name, help, aggregator, samples]) => ({
      name,
      help,
      type: 'gauge',
      aggregator,
      values: samples.map(([labels, value]) => ({ labels, value })),
    })) as unknown as Snapshot
}

function serverGauges(
  { pool, passwords, leads, clock_ahead, schema }: MetricsSources,
  { readiness }: Measured,
  { tick_age }: KnownState,
): Gauge[] {
  const parts = Object.entries(readiness?.parts ?? {})
  const load = pool?.()
  const checks = passwords()
  const build = { version: programVersion(), schema: schema === null ? 'none' : String(schema) }
  return [
    ['ostiary_build_info', 'The version of the program and of its schema; always 1.', 'first', [[build, 1]]],
    ['ostiary_ready', '1 when /readyz answers 200.', 'min', one(readiness?.ready)],
    [
      'ostiary_part_up',
      '1 when the part of /readyz works.',
      'min',
      parts.map(([part, works]) => [{ part }, Number(works)]),
    ],
    [
      'ostiary_background_age_seconds',
      'Time since the background work has ended a round, on the server that leads it.',
      'max',
      leads() ? one(tick_age) : [],
    ],
    ['ostiary_background_leader', '1 when this server leads the background work.', 'max', one(leads())],
    [
      'ostiary_clock_skew_seconds',
      'By how much the clock of this server is ahead of that of the database.',
      'first',
      one(clock_ahead()),
    ],
    ['ostiary_password_checks_running', 'Password checks that run.', 'sum', one(checks.running)],
    ['ostiary_password_checks_waiting', 'Password checks that wait.', 'sum', one(checks.waiting)],
    [
      'ostiary_password_checks_waiting_max',
      'Password checks that can wait: more are refused.',
      'sum',
      one(checks.places),
    ],
    ['ostiary_database_queries', 'Queries that run or wait for a connection.', 'sum', one(load?.unanswered)],
    ['ostiary_database_connections_max', 'Queries that can run at a time.', 'sum', one(load?.connections)],
  ]
}

function databaseGauges({ realms, now }: MetricsSources, { database, newest_keys }: Measured): Gauge[] {
  const seconds = now() / 1000
  const configured = new Set(realms())
  const ageOf = (oldest: number | null | undefined) => (oldest == null ? 0 : Math.max(0, seconds - oldest))
  return [
    [
      'ostiary_logout_deliveries_waiting',
      'Back-channel logouts that a client has yet to confirm.',
      'max',
      one(database?.deliveries_waiting),
    ],
    [
      'ostiary_logout_deliveries_oldest_age_seconds',
      'Age of the oldest of them; 0 when none waits.',
      'max',
      one(database && ageOf(database.oldest_delivery_at)),
    ],
    ['ostiary_mail_pending', 'Mails that wait to be sent.', 'max', one(database?.mails_waiting)],
    [
      'ostiary_mail_oldest_seconds',
      'Age of the oldest of them; 0 when none waits.',
      'max',
      one(database && ageOf(database.oldest_mail_at)),
    ],
    [
      'ostiary_signing_key_age_seconds',
      'Age of the newest signing key, by realm; of several algorithms, that of the oldest one.',
      'max',
      newest_keys
        .filter(({ realm }) => configured.has(realm))
        .map(({ realm, created_at }) => [{ realm }, Math.floor(seconds - created_at)]),
    ],
  ]
}

const sampleGauges = (samples: readonly SampleState[]): Gauge[] => [
  [
    'ostiary_sample_age_seconds',
    'Time since the figures of this source were measured.',
    'max',
    samples.map(({ name, age }) => [{ source: name }, age]),
  ],
]
