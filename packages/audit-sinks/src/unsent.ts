/** The rows behind a cursor, in the order of their seals. */

import type { AuditRow, AuditStore } from '@ostiary/audit'
import type { SinkCursor } from './cursor.js'

/** What of the seal of a cursor is not delivered. */
export interface UnsentRows {
  rows: AuditRow[]
  /** The place of the last row of the seal. */
  end: number
}

/** Null when the realm has no such seal yet. */
export async function unsentRows(
  audit: Pick<AuditStore, 'seals' | 'rowsOf'>,
  { realm, seal, place }: Pick<SinkCursor, 'realm' | 'seal' | 'place'>,
): Promise<UnsentRows | null> {
  const [found] = await audit.seals(realm, { after: seal - 1, limit: 1 })
  if (found?.number !== seal) return null
  const rows = (await audit.rowsOf(realm, seal)).filter((row) => placeOf(row) > place)
  return { rows, end: Math.max(rowsIn(found.jws), place, ...rows.map(placeOf)) }
}

export const placeOf = ({ place }: Pick<AuditRow, 'place'>): number => place ?? 0

/** How many rows between two places were deleted before they were delivered. */
export function missingBetween({ rows }: UnsentRows, from: number, to: number): number {
  const present = rows.filter((row) => placeOf(row) > from && placeOf(row) <= to)
  return Math.max(0, to - from - present.length)
}

/** How many rows a seal is about; 0 when it does not tell, which `ostiary audit verify` finds. */
function rowsIn(jws: string): number {
  try {
    const payload = (jws.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')
    const { statement } = JSON.parse(atob(payload)) as { statement: { rows: unknown } }
    return typeof statement.rows === 'number' ? statement.rows : 0
  } catch {
    return 0
  }
}
