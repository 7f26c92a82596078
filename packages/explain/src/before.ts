/** What came before a refusal, and can be its cause: the reason alone does not say which of several it was. */

import type { AuditFilter, AuditRow, AuditStore } from '@ostiary/audit'
import { dataOf, minuteOf } from '@ostiary/audit/rows'

/** Rows of one user, or of one type, that are looked through. */
const MAX_ROWS = 200
/** A withdrawn consent has two rows: one of the consent, and one of its grants. */
const MAX_SHOWN = 3

/** What ends the access or disables the user, by the reason: events, such as `consent.revoked`, and changes, such as `consent.revoke`. */
const OF_USER: Readonly<Record<string, RegExp>> = {
  revoked_grant:
    /^(?:consent|grant)\.revoke|^session\.end|^user\.end_access$|^code\.replayed$|^refresh_token\.reused$/,
  disabled: /^user\.update$/,
}

interface Search {
  filter: AuditFilter
  type: RegExp
}

/** An index answers each filter. */
function searchFor(refused: AuditRow): Search | null {
  const reason = `${dataOf(refused).reason}`
  if (reason === 'unknown_key') return { filter: { type: 'key.' }, type: /^key\.revoke/ }
  const type = Object.hasOwn(OF_USER, reason) ? OF_USER[reason] : undefined
  return type === undefined || refused.sub === null ? null : { filter: { sub: refused.sub }, type }
}

/** The newest first; null for a reason that names its cause itself. */
export async function rowsBefore(store: AuditStore, refused: AuditRow): Promise<AuditRow[] | null> {
  const search = searchFor(refused)
  if (search === null) return null
  const { realm, client_id } = refused
  const rows = await store.list(realm, pageBefore(refused, search.filter))
  return rows
    .filter((row) => search.type.test(row.type) && (row.client_id ?? client_id) === client_id)
    .slice(0, MAX_SHOWN)
}

/** A row that counts several refusals has the time and the id of the first. */
const pageBefore = ({ count, audit_id: before, time }: AuditRow, filter: AuditFilter) =>
  count === 1
    ? { filter, before, limit: MAX_ROWS }
    : { filter: { ...filter, until: minuteOf(time) + 60 }, limit: MAX_ROWS }
