/** Delivers rows of one realm to one sink, one after the other. */

import type { AuditRow, AuditStore } from '@ostiary/audit'
import type { Outcome } from './attempt.js'
import type { Lease, SinkCursor, SinkStore } from './cursor.js'
import type { SinkEvent } from './events.js'
import { hintOf } from './hints.js'
import { getsType } from './row-types.js'
import type { SinkSettings } from './settings.js'
import { missingBetween, placeOf, type UnsentRows, unsentRows } from './unsent.js'

/** Seconds that a cursor is kept from other servers since its last row: several times what an attempt takes. */
const LEASE_SECONDS = 60
/** Seconds before the end of the lease in which no attempt begins: it may take 10, and clocks of servers differ. */
const LEASE_END_SECONDS = 30
/** Rows of a realm, before the next realm has its turn. */
const BATCH_ROWS = 100
/** Seals that one turn reads, or gives up. */
const MAX_SEALS = 100

/** Seconds between two attempts: 10, doubled each time up to 10 minutes. */
const FIRST_RETRY_SECONDS = 10
const LAST_RETRY_SECONDS = 600
/** Seconds that a receiver may be out of order before rows are given up, and how old they are then. */
const GIVE_UP_SECONDS = 86_400

export interface Delivery {
  id: string
  sink: SinkSettings
  store: SinkStore
  audit: Pick<AuditStore, 'seals' | 'rowsOf'>
  send(row: AuditRow): Promise<Outcome>
  /** Epoch seconds. */
  now(): number
  emit(event: SinkEvent): void
  stopped: AbortSignal
}

/** A cursor whose lease this turn has. */
interface Turn {
  cursor: SinkCursor
  lease: string
  leased_until: number
  /** Rows that were sent. */
  sent: number
}

/** Delivers until the batch is full, nothing is left, or an attempt fails. @returns Whether the cursor has moved. */
export async function deliverBatch(c: Delivery, realm: string): Promise<boolean> {
  const lease = crypto.randomUUID()
  const held: Lease = { lease, leased_until: c.now() + LEASE_SECONDS }
  const cursor = await c.store.claim({ realm, sink: c.id }, held, c.now())
  if (cursor === null) return false
  const turn: Turn = { cursor, ...held, sent: 0 }
  let moved = false
  for (let seals = 0; seals < MAX_SEALS; seals += 1) {
    const end = await deliverSeal(c, turn)
    moved ||= end !== 'waits'
    if (end === 'lost') return moved
    if (end !== 'done') break
  }
  // The realm that has waited the longest is next.
  const next_attempt_at = Math.max(turn.cursor.next_attempt_at, c.now())
  await c.store.save({ ...turn.cursor, next_attempt_at }, { lease, leased_until: 0 })
  return moved
}

/** `waits`: there is nothing more, or it has to wait. `lost`: another server has the lease. `full`: the batch ends. */
type End = 'done' | 'full' | 'waits' | 'lost'

async function deliverSeal(c: Delivery, turn: Turn): Promise<End> {
  const unsent = await unsentRows(c.audit, turn.cursor)
  if (unsent === null) return 'waits'
  for (const row of unsent.rows.filter(({ type }) => getsType(c.sink.events, type))) {
    if (turn.sent >= BATCH_ROWS) return 'full'
    if (c.stopped.aborted) return 'waits'
    if (c.now() > turn.leased_until - LEASE_END_SECONDS) return 'lost'
    const outcome = await c.send(row)
    if (outcome.is === 'stopped') return 'waits'
    if (outcome.is === 'failed') {
      if (!isGivenUp(c, turn, { row, ...outcome })) return retryLater(c, turn, { row, ...outcome })
      drop(c, turn, { count: 1, reason: outcome.reason })
    } else turn.cursor = { ...turn.cursor, ...NOT_FAILING }
    turn.sent += 1
    passBy(c, turn, { unsent, place: placeOf(row) })
    if (!(await store(c, turn))) return 'lost'
  }
  passBy(c, turn, { unsent, place: unsent.end })
  turn.cursor = { ...turn.cursor, seal: turn.cursor.seal + 1, place: 0 }
  return (await store(c, turn)) ? 'done' : 'lost'
}

const NOT_FAILING = { attempts: 0, failing_since: null, error: null }

/**
 * Whether this row alone is given up: the receiver would refuse it always, or has refused it for long enough. It answers, so those
 * behind it are tried.
 */
function isGivenUp({ now }: Delivery, { cursor }: Turn, { row, reason, is_final }: Failure): boolean {
  const before = now() - GIVE_UP_SECONDS
  const is_old = (cursor.failing_since ?? now()) <= before && row.time <= before
  return is_final || (is_old && /^(?:status_4|err_)/.test(reason))
}

/** Moves the cursor within its seal. Rows on the way that are gone are given up. */
function passBy(c: Delivery, turn: Turn, { unsent, place }: { unsent: UnsentRows; place: number }): void {
  const missing = missingBetween(unsent, turn.cursor.place, place)
  if (missing > 0) drop(c, turn, { count: missing, reason: 'deleted' })
  turn.cursor = { ...turn.cursor, place }
}

/** Stores how far the rows are delivered, and holds the lease for longer. */
async function store(c: Delivery, turn: Turn): Promise<boolean> {
  turn.leased_until = c.now() + LEASE_SECONDS
  return c.store.save(turn.cursor, turn)
}

interface Dropped {
  count: number
  reason: string
}

function drop({ sink, now, emit }: Delivery, turn: Turn, { count, reason }: Dropped): void {
  const { realm, dropped } = turn.cursor
  turn.cursor = { ...turn.cursor, dropped: dropped + count }
  const { host } = new URL(sink.url)
  emit({ type: 'audit.sink_dropped', time: now(), realm, host, reason, count })
}

interface Failure {
  row: AuditRow
  reason: string
  is_final: boolean
}

async function retryLater(c: Delivery, turn: Turn, { row, reason }: Failure): Promise<End> {
  const { sink, now, emit } = c
  const attempts = turn.cursor.attempts + 1
  const next_attempt_at =
    now() + Math.min(LAST_RETRY_SECONDS, FIRST_RETRY_SECONDS * 2 ** Math.min(attempts - 1, 10))
  const failing_since = turn.cursor.failing_since ?? now()
  turn.cursor = { ...turn.cursor, attempts, failing_since, error: reason, next_attempt_at }
  const { host } = new URL(sink.url)
  const { realm, audit_id } = row
  emit({
    type: 'audit.sink_failed',
    time: now(),
    realm,
    host,
    audit_id,
    attempts,
    reason,
    next_attempt_at,
    hint: hintOf(reason),
  })
  if (failing_since <= now() - GIVE_UP_SECONDS) await giveUp(c, turn, reason)
  return 'waits'
}

/** Rows that are too old. The younger ones behind them are tried for as long. */
async function giveUp(c: Delivery, turn: Turn, reason: string): Promise<void> {
  const before = c.now() - GIVE_UP_SECONDS
  let count = 0
  for (let seals = 0; seals < MAX_SEALS; seals += 1) {
    const unsent = await unsentRows(c.audit, turn.cursor)
    if (unsent === null) break
    const { seal, place } = turn.cursor
    const younger = unsent.rows.findIndex(({ time }) => time > before)
    const old = younger === -1 ? unsent.rows : unsent.rows.slice(0, younger)
    const end = younger === -1 ? unsent.end : Math.max(place, ...old.map(placeOf))
    count +=
      missingBetween(unsent, place, end) + old.filter(({ type }) => getsType(c.sink.events, type)).length
    const next = younger === -1 ? { seal: seal + 1, place: 0 } : { seal, place: end }
    turn.cursor = { ...turn.cursor, ...next }
    if (younger !== -1) break
  }
  if (count > 0) drop(c, turn, { count, reason })
}
