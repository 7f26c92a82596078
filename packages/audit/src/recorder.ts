/** Writes rows in batches. What strangers can cause is counted, so that a flood of refusals adds few rows. */

import { type CountKey, minuteCounts, minuteOf } from './minute.js'
import { type AuditRow, type NewRow, newMoment, newRow } from './row.js'
import type { AuditStore } from './store.js'

/** Milliseconds until a row is written, at most. */
const FLUSH_MS = 1000
/** Rows that one statement writes, and from which on it is written at once. */
const BATCH_ROWS = 200
/** Rows that wait for a database that does not answer; further ones are counted. */
const MAX_WAITING_ROWS = 10_000

type RowPlace = Pick<NewRow, 'realm' | 'time'>

export interface Recorder {
  /** Writes it within a second. `row` is called when it is written; its place among the others is that of now. */
  add(of: RowPlace, row: () => NewRow): void
  /** The same for what a stranger can cause: it adds to the row of this minute with the same key. */
  count(row: NewRow, key: CountKey): void
  /** The same for a row that is stored already. */
  replace(row: AuditRow): void
  /** Writes what waits. Resolves when it is written, or has failed. */
  flush(): Promise<void>
  /** Writes what waits. */
  stop(): Promise<void>
}

export interface RecorderOptions {
  store: AuditStore
  /** Called when rows could not be written; they are written later. */
  failed?: (error: unknown) => void
}

interface Waiting {
  /** Rows to be made, many at a time: one by one, between other work, they take twice as long. */
  noted: (() => AuditRow)[]
  /** Made ones, by their id. */
  rows: Map<string, AuditRow>
  /** What was dropped, by realm and minute. It is never dropped. */
  dropped: Map<string, AuditRow>
}

export function createRecorder({ store, failed = () => {} }: RecorderOptions): Recorder {
  const waiting: Waiting = { noted: [], rows: new Map(), dropped: new Map() }
  const { noted, rows, dropped } = waiting
  const minute = minuteCounts()
  let timer: ReturnType<typeof setTimeout> | undefined
  let writing: Promise<void> | null = null
  /** The last attempt has failed: the next one is in a second. */
  let failing = false

  const size = () => noted.length + rows.size

  /** Whether a row may wait. Else it is counted. */
  function hasRoom(of: RowPlace): boolean {
    if (size() < MAX_WAITING_ROWS) return true
    countDropped(dropped, of)
    return false
  }

  function later(): void {
    if (size() >= BATCH_ROWS && !failing) void flush()
    if (timer !== undefined) return
    timer = setTimeout(() => void flush(), FLUSH_MS)
    timer.unref?.()
  }

  function enqueue(row: AuditRow): void {
    if (rows.has(row.audit_id) || hasRoom(row)) rows.set(row.audit_id, row)
    later()
  }

  async function write(): Promise<void> {
    try {
      await writeAll(store, waiting)
      failing = false
    } catch (error) {
      if (!failing) failed(error)
      failing = true
      later()
    }
  }

  async function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    writing ??= write().finally(() => {
      writing = null
    })
    await writing
  }

  return {
    add(of, row) {
      const moment = newMoment(of.time)
      if (hasRoom(of)) noted.push(() => newRow(row(), moment))
      later()
    },
    replace: enqueue,
    count(row, key) {
      const counted = minute.count(row, key)
      if (counted !== null) return enqueue(counted)
      countDropped(dropped, row)
      later()
    },
    flush,
    async stop() {
      // A flush that is under way may not have seen what came last.
      await flush()
      await flush()
      clearTimeout(timer)
    },
  }
}

async function writeAll(store: AuditStore, waiting: Waiting): Promise<void> {
  const { rows, dropped } = waiting
  while (makeSome(waiting) > 0) {
    const batch = [...rows.values()].slice(0, BATCH_ROWS)
    await store.put(batch)
    // A row that was counted further meanwhile is another one, and is written again.
    for (const row of batch) if (rows.get(row.audit_id) === row) rows.delete(row.audit_id)
  }
  const counted = [...dropped]
  await store.put(counted.map(([, row]) => row))
  const newest = counted.at(-1)?.[1].time
  for (const [key, row] of counted) if (row.time !== newest && dropped.get(key) === row) dropped.delete(key)
}

/** @returns How many made ones wait. */
function makeSome({ noted, rows }: Waiting): number {
  for (const make of noted.splice(0, BATCH_ROWS)) {
    const row = make()
    rows.set(row.audit_id, row)
  }
  return rows.size
}

/** Adds to the row that counts what was dropped in this minute. */
function countDropped(dropped: Waiting['dropped'], { realm, time }: RowPlace): void {
  const of_minute = minuteOf(time)
  const key = `${realm} ${of_minute}`
  const known = dropped.get(key)
  const row = known
    ? { ...known, count: known.count + 1 }
    : newRow({ realm, time: of_minute, type: 'audit.dropped', outcome: 'refused', actor: 'system' })
  dropped.set(key, row)
}
