/** What a server counts. No label takes a value that a client can choose. */

import type { OidcEvent } from '@ostiary/core'
import type { IdentityEvent } from '@ostiary/identity'
import type { HostStorage } from '../storage/host-storage.js'
import { counter, type Family, gauge, histogram, type Snapshot } from './registry.js'

export interface Answered {
  /** One of a fixed list, as is `method`. */
  route: string
  method: string
  status: number
  seconds: number
}

export interface HostMetrics {
  answered(request: Answered): void
  /** `body`: of the token request; the answer's error says why. Tokens that are issued are events. */
  tokenRefused(body: Uint8Array | null, response: Response): Promise<void>
  event(event: OidcEvent | IdentityEvent): void
  /** All of it, and what is true now. */
  snapshot(now: Gauged): Promise<Snapshot>
}

export interface Gauged {
  figures: HostStorage['figures']
  /** Seconds since the key that signs was made, by realm. */
  keyAges: () => Promise<[realm: string, seconds: number][]>
}

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** A Map, as a client names the key: an object has `constructor` and others too. */
const GRANTS: ReadonlyMap<string, string> = new Map([
  ['authorization_code', 'authorization_code'],
  ['refresh_token', 'refresh_token'],
  ['client_credentials', 'client_credentials'],
  ['urn:ietf:params:oauth:grant-type:token-exchange', 'token_exchange'],
])

/** RFC 6749 §5.2, RFC 8707 §2, and what an outage is answered with. */
const ERRORS = new Set([
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
  const requests = counter('ostiary_requests_total', 'Requests answered.')
  const duration = histogram('ostiary_request_duration_seconds', 'Time to the answer.', SECONDS)
  const tokens = counter('ostiary_token_requests_total', 'Requests at the token endpoint.')
  const logins = counter('ostiary_logins_total', 'Attempts to sign in.')
  const events = counter('ostiary_events_total', 'Events, as docs/events.md lists them.')
  return {
    answered({ route, method, status, seconds }) {
      requests.add({ route, method, status: String(status) })
      duration.observe({ route }, seconds)
    },
    async tokenRefused(body, response) {
      const form = new URLSearchParams(new TextDecoder().decode(body ?? undefined))
      tokens.add({
        grant: GRANTS.get(form.get('grant_type') ?? '') ?? 'other',
        outcome: await outcomeOf(response),
      })
    },
    event(event) {
      events.add({ type: event.type })
      if (event.type === 'token.issued')
        tokens.add({ grant: GRANTS.get(event.grant_type) ?? 'other', outcome: 'issued' })
      if (event.type === 'session.started') logins.add({ outcome: 'success' })
      if (event.type === 'login.refused') logins.add({ outcome: event.reason })
    },
    async snapshot(now) {
      const counted = [requests, duration, tokens, logins, events].map(({ family }) => family())
      return [...counted, ...(await gauges(now)), ...ofTheProcess()]
    },
  }
}

async function outcomeOf(response: Response): Promise<string> {
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null)
  const { error } = (body ?? {}) as { error?: unknown }
  return typeof error === 'string' && ERRORS.has(error) ? error : 'other'
}

/** One that cannot be told, because the database is away, is left out: the others are wanted all the more. */
async function gauges({ figures, keyAges }: Gauged): Promise<Family[]> {
  const waiting = await figures?.deliveries_waiting().catch(() => null)
  const ages = await keyAges().catch(() => [])
  const pool = figures?.pool?.()
  return [
    ...(waiting == null ? [] : [{ ...DELIVERIES, value: waiting }]),
    ...(pool
      ? [
          { ...UNANSWERED, value: pool.unanswered },
          { ...CONNECTIONS, value: pool.connections },
        ]
      : []),
  ]
    .map(({ value, ...described }) => gauge(described, [[{}, value]]))
    .concat(
      gauge(
        KEY_AGE,
        ages.map(([realm, age]) => [{ realm }, age]),
      ),
    )
}

const DELIVERIES = {
  name: 'ostiary_logout_deliveries_waiting',
  help: 'Back-channel logouts that a client has yet to confirm.',
  merge: 'max',
} as const
const UNANSWERED = {
  name: 'ostiary_database_queries',
  help: 'Queries that run or wait for a connection.',
  merge: 'sum',
} as const
const CONNECTIONS = {
  name: 'ostiary_database_connections_max',
  help: 'Queries that can run at a time.',
  merge: 'sum',
} as const
const KEY_AGE = {
  name: 'ostiary_signing_key_age_seconds',
  help: 'Age of the newest signing key, by realm.',
  merge: 'max',
} as const

const STARTED = Date.now() / 1000

function ofTheProcess(): Family[] {
  const { user, system } = process.cpuUsage()
  return [
    {
      name: 'process_cpu_seconds_total',
      help: 'Processor time used.',
      type: 'counter',
      merge: 'sum',
      samples: [['', (user + system) / 1e6]],
    },
    gauge({ name: 'process_resident_memory_bytes', help: 'Memory.', merge: 'sum' }, [
      [{}, process.memoryUsage.rss()],
    ]),
    gauge({ name: 'process_start_time_seconds', help: 'When it started, Unix time.', merge: 'max' }, [
      [{}, STARTED],
    ]),
  ]
}
