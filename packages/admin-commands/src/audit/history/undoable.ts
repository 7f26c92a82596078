/** Whether a row can be undone at all. */

import type { AuditRow } from '@ostiary/audit'
import { requireRow, type TargetPlace } from '../place.js'
import type { RowChange } from './inverse.js'
import { changedBy, isErased } from './rows.js'
import { memberRules, UNDO } from './undo-rules.js'

/** A row whose change can be set back. */
export interface UndoableRow {
  row: AuditRow
  of: 'client' | 'user'
  change: RowChange
}

/** @throws Errors of the command line, with the reason why it cannot be undone. */
export async function requireUndoable(place: TargetPlace, id: string): Promise<UndoableRow> {
  const row = await requireRow(place, id)
  const refuse = (why: string) => place.errors.failure(`Row ${id} (${row.type}) cannot be undone: ${why}`)
  const rule = Object.hasOwn(UNDO, row.type) ? UNDO[row.type] : undefined
  if (rule === undefined) throw refuse('it is an event, and changes have rows of their own')
  if (typeof rule === 'string') throw refuse(rule)
  const { before, after, fields } = changedBy(row)
  const fault = outcomeFault(row) ?? membersFault(memberRules(rule.of, place.core), fields)
  if (fault !== null) throw refuse(fault)
  if (before === undefined || after === undefined)
    throw refuse('the record could not be read before or after the change')
  return { row, of: rule.of, change: { before, after } }
}

function outcomeFault(row: AuditRow): string | null {
  if (row.outcome === 'begun') return 'its end is not known; look at the record, and change it with a command'
  if (row.outcome !== 'done') return 'the change was not made'
  return isErased(row) ? 'what was changed was erased with the data of the user' : null
}

function membersFault(rules: ReturnType<typeof memberRules>, fields: readonly string[]): string | null {
  const faults = fields.flatMap((name) => {
    const rule = Object.hasOwn(rules, name) ? rules[name] : 'this release does not know it'
    return rule === true ? [] : [`${name}: ${rule}`]
  })
  if (faults.length > 0) return faults.join('; ')
  if (fields.length === 0) return 'it has changed nothing'
  if (fields.includes('disabled_at') && fields.length > 1)
    return 'disabled_at has changed with other members; use user enable or disable, and user update'
  return null
}
