/** What strangers did in this minute: one row for all that are alike, within bounds. */

import { type AuditRow, type NewRow, newRow } from './row.js'

/** Rows of refusals in one minute, from one address and in one realm. */
const MAX_ROWS_OF_ADDRESS = 60
const MAX_ROWS_OF_REALM = 600
/** References of one row: those of the first requests that it counts. */
const MAX_REFERENCES = 20

/** @returns The beginning of the minute, epoch seconds. */
export const minuteOf = (time: number): number => time - (time % 60)

/** Whose row it is, and who has sent it. */
export interface CountKey {
  /** What alike rows have in common. */
  key: string
  /** The address, or empty. */
  sender: string
}

export interface MinuteCounts {
  /** The row of this minute with this one added. Null: there are too many rows. */
  count(row: NewRow, key: CountKey): AuditRow | null
}

export function minuteCounts(): MinuteCounts {
  let minute = 0
  /** By realm and key. */
  const rows = new Map<string, AuditRow>()
  /** Rows by realm, and by realm and address. */
  const counts = new Map<string, number>()

  function hasRoom(realm: string, sender: string): boolean {
    const of_sender = JSON.stringify([realm, sender])
    const in_realm = counts.get(realm) ?? 0
    const from_sender = counts.get(of_sender) ?? 0
    if (in_realm >= MAX_ROWS_OF_REALM || from_sender >= MAX_ROWS_OF_ADDRESS) return false
    counts.set(realm, in_realm + 1).set(of_sender, from_sender + 1)
    return true
  }

  return {
    count(row, { key, sender }) {
      if (minuteOf(row.time) > minute) {
        minute = minuteOf(row.time)
        rows.clear()
        counts.clear()
      }
      const name = `${row.realm} ${key}`
      const known = rows.get(name)
      if (known === undefined && !hasRoom(row.realm, sender)) return null
      const counted = known === undefined ? newRow(row) : withOneMore(known, row)
      rows.set(name, counted)
      return counted
    },
  }
}

/** Another object: the one before may be on its way to the database. */
const withOneMore = (row: AuditRow, { time, refs = [], data = {} }: NewRow): AuditRow => ({
  ...row,
  count: row.count + 1,
  refs: [...new Set([...row.refs, ...refs])].slice(0, MAX_REFERENCES),
  ...(data.exp !== undefined && { data: withLast(row.data, { last_exp: data.exp, last_time: time }) }),
})

/** Beside the first one of the minute: whether a client sends the same assertion again shows in two of them. */
const withLast = (data: string, last: { last_exp: unknown; last_time: number }): string =>
  JSON.stringify({ ...JSON.parse(data), ...last })
