/** The pages of the audit: the list, one row, and the undoing of its change. */

import { type Page, refusalFor } from '@ostiary/console'
import type { OwnVisit } from '../visit.js'
import { auditList } from './list.js'
import { auditRow } from './one.js'
import { undoPage } from './undo.js'

export async function auditPages(c: OwnVisit, [audit_id, act, ...others]: readonly string[]): Page {
  if (others.length > 0 || (act !== undefined && act !== 'undo')) return null
  const refusal = refusalFor(c, act === undefined ? null : 'audit')
  if (refusal !== null) return refusal
  if (audit_id === undefined) return auditList(c)
  return act === undefined ? auditRow(c, audit_id) : undoPage(c, audit_id)
}
