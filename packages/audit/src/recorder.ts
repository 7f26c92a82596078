/** Writes rows in batches. What strangers can cause is counted, so that a flood of refusals adds few rows. */

import { type CountKey, minuteCounts, minuteOf } from './minute.js'
import { type AuditRow, type NewRow, newAuditId, newRow } from './row.js'
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
  /** Writes it within a second. What takes longer than to note it is done by `row`, when it is written. */
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

/** A row is made when it is written: its hashes take longer than all else that a request does for it. */
type WaitingRow = () => AuditRow

/** Rows that wait, by their id; and what was dropped, by realm and minute, which is never dropped. */
interface Waiting {
  rows: Map<string, WaitingRow>
  dropped: Map<string, AuditRow>
}

type Enqueued = Pick<AuditRow, 'audit_id' | 'realm' | 'time'>

export function createRecorder({ store, failed = () => {} }: RecorderOptions): Recorder {
  const waiting: Waiting = { rows: new Map(), dropped: new Map() }
  const { rows } = waiting
  const minute = minuteCounts()
  let timer: ReturnType<typeof setTimeout> | undefined
  let writing: Promise<void> | null = null
  /** The last attempt has failed: the next one is in a second. */
  let failing = false

  function later(): void {
    if (rows.size >= BATCH_ROWS && !failing) void flush()
    timer ??= setTimeout(() => void flush(), FLUSH_MS)
    timer.unref?.()
  }

  function drop(row: RowPlace): void {
    countDropped(waiting.dropped, row)
    later()
  }

  function enqueue({ audit_id, ...about }: Enqueued, row: WaitingRow): void {
    if (rows.size < MAX_WAITING_ROWS || rows.has(audit_id)) rows.set(audit_id, row)
    else countDropped(waiting.dropped, about)
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
    add({ realm, time }, row) {
      const audit_id = newAuditId(time)
      enqueue({ audit_id, realm, time }, () => newRow(row(), audit_id))
    },
    replace: (row) => enqueue(row, () => row),
    count(row, key) {
      const counted = minute.count(row, key)
      if (counted === null) drop(row)
      else enqueue(counted, () => counted)
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

async function writeAll(store: AuditStore, { rows, dropped }: Waiting): Promise<void> {
  while (rows.size > 0) {
    const batch = [...rows].slice(0, BATCH_ROWS)
    await store.put(batch.map(([, row]) => row()))
    // A row that was counted further meanwhile is another one, and is written again.
    for (const [audit_id, row] of batch) if (rows.get(audit_id) === row) rows.delete(audit_id)
  }
  const counted = [...dropped]
  await store.put(counted.map(([, row]) => row))
  const newest = counted.at(-1)?.[1].time
  for (const [key, row] of counted) if (row.time !== newest && dropped.get(key) === row) dropped.delete(key)
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
