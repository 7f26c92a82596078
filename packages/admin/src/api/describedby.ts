/** The rows of the audit that a write has, as links of its answer (RFC 8288). */

import { createHash } from 'node:crypto'
import { referenceByHash } from '@ostiary/core/common'
import { ADMIN_PATH } from '../settings.js'
import type { Call } from './operation.js'

/** Reads rows: `AuditStore` of `@ostiary/audit`. */
export interface AuditRows {
  /** The newest rows first. */
  list(
    realm: string,
    page: { filter: { reference: string; actor: string; since: number }; limit: number },
  ): Promise<{ audit_id: string; data: string }[]>
}

/** Rows that are read: a write has three at most. */
const ROWS = 10
/** Seconds: an answer is given in five, and the clock of another server may be ahead. */
const SINCE = 60

/** The value of `Link`, the oldest row first; null for a write that has no row. */
export async function rowLinks(
  rows: AuditRows,
  { realm, caller, now }: Call,
  request_id: string,
): Promise<string | null> {
  const reference = referenceByHash(createHash('sha256').update(request_id).digest('hex'))
  const filter = { reference, actor: caller.holder, since: now - SINCE }
  const found = await rows.list(realm, { filter, limit: ROWS })
  // The reference is short, and not of this request alone.
  const own = found.filter(({ data }) => JSON.parse(data).request_id === request_id)
  if (own.length === 0) return null
  const path = `${ADMIN_PATH}/realms/${encodeURIComponent(realm)}/audit`
  return own
    .map(({ audit_id }) => `<${path}/${encodeURIComponent(audit_id)}>; rel="describedby"`)
    .reverse()
    .join(', ')
}
