/** The pages of the audit: the list, one row, and the undoing of its change. */

import { refusalPage } from '@ostiary/console'
import { isRead, type OwnVisit } from '../visit.js'
import { auditList } from './list.js'
import { auditRow } from './one.js'
import { undoPage } from './undo.js'

export async function auditPages(
  c: OwnVisit,
  [audit_id, act, ...others]: readonly string[],
): Promise<Response | null> {
  if (others.length > 0) return null
  if (act === undefined && !isRead(c)) return refusalPage(c, 'method')
  if (audit_id === undefined) return auditList(c)
  if (act === undefined) return auditRow(c, audit_id)
  if (act !== 'undo') return null
  return c.may('audit', 'write') ? undoPage(c, audit_id) : refusalPage(c, 'not_permitted')
}
