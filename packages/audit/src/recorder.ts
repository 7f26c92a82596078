/** Writes rows in batches. What strangers can cause is counted, so that a flood of refusals adds few rows. */

import { type CountKey, minuteCounts, minuteOf } from './minute.js'
import { type AuditRow, type NewRow, newMoment, newRow, type RowMoment } from './row.js'
import type { AuditStore } from './store.js'

/** Milliseconds until a row is written, at most. */
const FLUSH_MS = 1000
/** Rows that one statement writes, and from which on it is written at once. */
const BATCH_ROWS = 200
/** Rows that wait for a database that does not answer; further ones are counted. */
const MAX_WAITING_ROWS = 10_000

/** The type of the row that counts what was dropped in a minute. */
const DROPPED = 'audit.dropped'

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

/** What a request notes of a row. Rows are made many at a time: one by one, between other work, they take twice as long. */
interface NotedRow {
  moment: RowMoment
  row: () => NewRow
}

/** Rows that wait: noted ones, made ones by their id; and what was dropped, by realm and minute, which is never dropped. */
interface Waiting {
  noted: NotedRow[]
  rows: Map<string, AuditRow>
  dropped: Map<string, AuditRow>
}

export function createRecorder({ store, failed = () => {} }: RecorderOptions): Recorder {
  const waiting: Waiting = { noted: [], rows: new Map(), dropped: new Map() }
  const { noted, rows } = waiting
  const minute = minuteCounts()
  let timer: ReturnType<typeof setTimeout> | undefined
  let writing: Promise<void> | null = null
  /** The last attempt has failed: the next one is in a second. */
  let failing = false

  const size = () => noted.length + rows.size

  function later(): void {
    if (size() >= BATCH_ROWS && !failing) void flush()
    if (timer !== undefined) return
    timer = setTimeout(() => void flush(), FLUSH_MS)
    timer.unref?.()
  }

  function enqueue(row: AuditRow): void {
    if (size() < MAX_WAITING_ROWS || rows.has(row.audit_id)) rows.set(row.audit_id, row)
    else countDropped(waiting.dropped, row)
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
      if (size() < MAX_WAITING_ROWS) noted.push({ moment: newMoment(of.time), row })
      else countDropped(waiting.dropped, of)
      later()
    },
    replace: enqueue,
    count(row, key) {
      const counted = minute.count(row, key)
      if (counted !== null) return enqueue(counted)
      countDropped(waiting.dropped, row)
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
  for (const { moment, row } of noted.splice(0, BATCH_ROWS)) {
    const made = newRow(row(), moment)
    rows.set(made.audit_id, made)
  }
  return rows.size
}

function countDropped(dropped: Waiting['dropped'], { realm, time }: RowPlace): void {
  const of_minute = minuteOf(time)
  const key = `${realm} ${of_minute}`
  const known = dropped.get(key)
  const row = known
    ? { ...known, count: known.count + 1 }
    : newRow({ realm, time: of_minute, type: DROPPED, outcome: 'refused', actor: 'system' })
  dropped.set(key, row)
}
