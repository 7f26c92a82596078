/** createSinks(): what a server takes of this package. */

import type { AuditStore } from '@ostiary/audit'
import { refuseFaults } from '@ostiary/core/common'
import { attempt } from './attempt.js'
import { ENTERED_SECONDS, type SinkStore } from './cursor.js'
import { type Delivery, deliverBatch } from './deliver.js'
import type { SinkEvent } from './events.js'
import type { EventKeys } from './security-event.js'
import { type SinkSettings, sinkFaults, sinkId } from './settings.js'

/** Options of `createSinks`. */
export interface SinkOptions {
  sinks: readonly SinkSettings[]
  /** Of `@ostiary/audit`, whose sealed rows are delivered. */
  audit: AuditStore
  store: SinkStore
  /** Whether `audit.events` is `all`. */
  keeps_all?: boolean
  /** Sends a request to the receiver of a sink. It follows no redirect, and reaches no address that the sink may not reach. */
  fetch: (sink: SinkSettings) => typeof fetch
  /** The keys of a realm, of sinks with the format `set`: `manage(realm).keys`. */
  keysOf: (realm: string) => Promise<EventKeys>
  /** Epoch seconds. */
  now?: () => number
  on_event?: (event: SinkEvent) => void
  /** Called when the store could not be used. The rows are delivered later. */
  failed?: (error: unknown) => void
}

/** Deliveries to the receivers of an audit. */
export interface Sinks {
  /** At intervals, in one process at a time: begins to deliver what is due. One receiver does not wait for another. */
  start(realms: readonly string[]): void
  /** Resolves when no delivery is under way. */
  settled(): Promise<void>
  /** Starts no more and ends those under way, which are due again. Resolves when all have ended. */
  stop(): Promise<void>
}

/** Seconds after which a turn of a sink ends, and the next `start` begins another. */
const TURN_SECONDS = 60
/** Seconds after which the cursor of a sink that no server has is deleted. */
const UNUSED_SECONDS = 30 * 86_400

/**
 * Delivers the sealed rows of an audit, to each receiver in the order of the seals.
 *
 * @throws ConfigError when a sink has a fault.
 *
 * @example
 * ```ts
 * import { memoryAuditStore } from '@ostiary/audit'
 * import { createSinks, memorySinkStore } from '@ostiary/audit-sinks'
 *
 * const audit = memoryAuditStore()
 *
 * export const sinks = createSinks({
 *   sinks: [{ url: 'https://siem.example.com/ostiary', format: 'json', secret: process.env.SIEM_SECRET }],
 *   audit,
 *   store: memorySinkStore(audit),
 *   fetch: () => fetch,
 *   keysOf: async () => Promise.reject(new Error('The format json needs no keys')),
 * })
 * ```
 */
export function createSinks({ sinks, keeps_all = false, ...options }: SinkOptions): Sinks {
  const faults = sinkFaults(sinks, { keeps_all })
  refuseFaults(faults.map((fault) => ({ ...fault, path: `sinks.${fault.path}` })))
  const stopping = new AbortController()
  /** By the id of a sink. */
  const running = new Map<string, Promise<void>>()
  const ids = sinks.map(({ url }) => sinkId(url))
  const turns = sinks.map((sink) => ({
    id: sinkId(sink.url),
    turn: turnsOf(sink, { ...options, ids, stopping }),
  }))

  function run(id: string, turn: Promise<void>): void {
    const ended = turn.catch((error: unknown) => options.failed?.(error)).finally(() => running.delete(id))
    running.set(id, ended)
  }

  async function settled(): Promise<void> {
    while (running.size > 0) await Promise.all(running.values())
  }

  return {
    start(realms) {
      for (const { id, turn } of turns)
        if (!running.has(id) && !stopping.signal.aborted) run(id, turn(realms))
    },
    settled,
    async stop() {
      stopping.abort()
      await settled()
    },
  }
}

interface TurnOptions extends Omit<SinkOptions, 'sinks' | 'keeps_all'> {
  /** Of all sinks. */
  ids: readonly string[]
  stopping: AbortController
}

/** What one sink does each time. */
function turnsOf(
  sink: SinkSettings,
  { now = () => Math.floor(Date.now() / 1000), store, audit, ids, stopping, ...options }: TurnOptions,
): (realms: readonly string[]) => Promise<void> {
  const id = sinkId(sink.url)
  const { signal: stopped } = stopping
  const reach = options.fetch(sink)
  const emit = options.on_event ?? (() => {})
  const send: Delivery['send'] = (row) =>
    attempt(row, { sink, fetch: reach, keys: () => options.keysOf(row.realm), now: now(), stopped })
  const delivery: Delivery = { id, sink, store, audit, send, now, emit, stopped }
  let next_entry = 0
  let entered: ReadonlySet<string> = new Set()

  async function enter(realms: readonly string[]): Promise<void> {
    if (now() < next_entry && realms.every((realm) => entered.has(realm))) return
    await store.forget(ids, now() - UNUSED_SECONDS)
    await store.enter(id, realms, now())
    next_entry = now() + ENTERED_SECONDS
    entered = new Set(realms)
  }

  return async (realms) => {
    await enter(realms)
    const end = now() + TURN_SECONDS
    const served = new Set(realms)
    for (let moved = true; moved; ) {
      moved = false
      for (const realm of await store.due(id, now())) {
        if (stopped.aborted || now() >= end) return
        if (served.has(realm)) moved = (await deliverBatch(delivery, realm)) || moved
      }
    }
  }
}
