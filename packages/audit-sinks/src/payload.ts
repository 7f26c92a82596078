/** What a receiver is sent of a row. */

import type { AuditRow } from '@ostiary/audit'

/** A row for a receiver: its columns, without the changed values, whose names are in `data.fields`. */
export interface RowPayload
  extends Pick<
    AuditRow,
    | 'realm'
    | 'audit_id'
    | 'outcome'
    | 'actor'
    | 'sub'
    | 'client_id'
    | 'flow'
    | 'refs'
    | 'count'
    | 'seal'
    | 'place'
  > {
  /** The address of the sender, in the form of `log.addresses`; absent without one, and after it was erased. */
  address?: string
  /** The other fields of the event. */
  data: Readonly<Record<string, unknown>>
}

/** Texts that a client or a user chose are in the values of changed members alone, which are left out. */
export function payloadOf(row: AuditRow): RowPayload {
  const { realm, audit_id, outcome, actor, sub, client_id, flow, refs, count, seal, place } = row
  const { address } = JSON.parse(row.private ?? '{}') as { address?: string }
  const columns = { realm, audit_id, outcome, actor, sub, client_id, flow, refs, count, seal, place }
  return { ...columns, ...(address !== undefined && { address }), data: JSON.parse(row.data) }
}
