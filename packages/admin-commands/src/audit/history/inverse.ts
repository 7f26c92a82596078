/** What sets the change of a row back, and what stands against it in the record of now. */

import { isDeepStrictEqual } from 'node:util'
import { membersOf } from '@ostiary/audit/rows'
import { type Leaf, leavesOf, withLeaf } from './leaves.js'

/** The members of a row, as they were and as they are. */
export interface RowChange {
  before: Record<string, unknown>
  after: Record<string, unknown>
}

/** A part of the record that is set back, or is not as the row left it. */
export interface LeafChange {
  label: string
  now: unknown
  then: unknown
}

/** The inverse of a change, for one record. */
export interface Inverse {
  /** Null takes a member away. */
  members: Record<string, unknown>
  changed: LeafChange[]
  /** Parts that have changed since; then nothing may be set back. */
  conflicts: LeafChange[]
}

/** A part that is as before the change already is no conflict, and stays. */
export function inverseOf({ before, after }: RowChange, stored: object): Inverse {
  const now = leavesOf(Object.entries(membersOf(stored)))
  const [was, is] = [leavesOf(Object.entries(before)), leavesOf(Object.entries(after))]
  const inverse: Inverse = { members: {}, changed: [], conflicts: [] }
  for (const label of new Set([...was.keys(), ...is.keys()])) {
    const [then, left, current] = [was, is, now].map((leaves) => leaves.get(label)?.value)
    if (isDeepStrictEqual(then, left) || isDeepStrictEqual(current, then)) continue
    const change = { label, now: current, then }
    if (!isDeepStrictEqual(current, left)) inverse.conflicts.push(change)
    else {
      inverse.changed.push(change)
      setBack(inverse, stored, { ...((was.get(label) ?? is.get(label)) as Leaf), value: then })
    }
  }
  restoreWholes(inverse, stored, { before, after })
  return inverse
}

function setBack({ members }: Inverse, stored: object, leaf: Leaf): void {
  const { member } = leaf
  const current = Object.hasOwn(members, member)
    ? members[member]
    : (stored as Record<string, unknown>)[member]
  members[member] = withLeaf(current, leaf)
}

/** A member that is still as the row left it gets its former value as a whole, with its order. */
function restoreWholes({ members }: Inverse, stored: object, { before, after }: RowChange): void {
  for (const member of Object.keys(members))
    if (isDeepStrictEqual((stored as Record<string, unknown>)[member] ?? undefined, after[member]))
      members[member] = before[member] ?? null
}
