/** A record as it was at a time: its members now, set back by the rows since. */

import { isDeepStrictEqual } from 'node:util'
import type { AuditRow } from '@ostiary/audit'
import { DERIVED_MEMBERS, membersOf, SECRET_MEMBERS } from '@ostiary/audit/rows'
import { iso, textOf } from '../output.js'
import {
  type AuditOf,
  CREATIONS,
  changedBy,
  changesOf,
  DELETIONS,
  importSince,
  isErased,
  type RecordName,
} from './rows.js'

/** A member of a record, as far as the audit knows it. */
export interface Member {
  /** Null for a secret, which is never kept. */
  value: unknown
  /** Of a secret: the row that replaced it; null when that of now is the same. */
  replaced_by?: string | null
  /** Why the value is not certain. */
  doubt?: string
}

/** A record at a time. */
export interface RecordAt {
  /** Null when that is not known. */
  exists: boolean | null
  members: ReadonlyMap<string, Member>
  /** What the audit cannot know, as sentences. */
  doubts: readonly string[]
  /** Whether the audit has a row of a change of it. */
  has_rows: boolean
}

/** The record whose past is asked for. */
export interface RecordSource extends RecordName, AuditOf {
  /** As it is stored; null when it is not. */
  now: object | null
}

/** Members that also change without a row of their own. */
const WITHOUT_ROWS: readonly string[] = ['expires_at', 'not_before', 'second_step']

/** The names by which secrets are shown. */
const SECRETS: Readonly<Record<string, string>> = {
  client_secret_hash: 'client_secret',
  password_hash: 'password',
}

const isKnown = (name: string): boolean => !DERIVED_MEMBERS.has(name) && !WITHOUT_ROWS.includes(name)

/** The record on the way back from now. */
interface Walk {
  exists: boolean | null
  members: Map<string, Member>
  /** What rows since the time tell of, so that nothing before them matters. */
  settled: Set<string>
  /** What rows before the time tell of. */
  compared: Set<string>
  /** Why the others may have been different. */
  perhaps: string | null
  doubts: string[]
  has_rows: boolean
}

/** The members at a time. Rows of that second count as made. */
export async function recordAt(source: RecordSource, at: number): Promise<RecordAt> {
  const walk: Walk = {
    exists: source.now !== null,
    members: new Map(),
    settled: new Set(),
    compared: new Set(),
    perhaps: null,
    doubts: [],
    has_rows: false,
  }
  for (const member of Object.entries(membersOf(source.now))) put(walk, member, null)
  let has_earlier_row = false
  for await (const row of changesOf(source, source)) {
    walk.has_rows = true
    if (row.time > at) setBack(walk, row)
    else {
      if (!has_earlier_row) forgetUnborn(walk, at, changedBy(row).after)
      has_earlier_row = true
      if (compare(walk, row) === 'end') break
    }
  }
  if (!has_earlier_row) {
    forgetUnborn(walk, at)
    const row = walk.exists === true && (await importSince(source, at))
    if (row) walk.doubts.push(`${nameOf(row)} has stored records, and this one may be one of them`)
  }
  return finished(walk)
}

/** @param row_id Of the row that tells of the value; null for the record of now. */
function put(walk: Walk, [name, value]: readonly [string, unknown], row_id: string | null): void {
  const { members, settled } = walk
  if (!isKnown(name)) return
  if (row_id !== null) settled.add(name)
  if (SECRET_MEMBERS.has(name)) members.set(SECRETS[name] ?? name, { value: null, replaced_by: row_id })
  else if (value === null || value === undefined) members.delete(name)
  else members.set(name, { value })
}

/** Undoes the change of a row that was made after the time. */
function setBack(walk: Walk, row: AuditRow): void {
  if (row.outcome === 'failed') return
  const { before, after, fields } = changedBy(row)
  const was_erased = row.type === 'user.delete' || isErased(row)
  if (row.outcome === 'begun') mayHaveChanged(walk, row)
  else if (CREATIONS.includes(row.type) || (before === undefined && after !== undefined)) {
    walk.exists = false
    walk.members.clear()
  } else if (was_erased) forgetErased(walk, row)
  else if (before === undefined) mayHaveChanged(walk, row)
  else {
    walk.exists = true
    // Of a record that was deleted, or could not be read after the change, the row has all members.
    if (after === undefined) walk.members.clear()
    for (const name of fields) put(walk, [name, before[name]], row.audit_id)
  }
}

function forgetErased(walk: Walk, row: AuditRow): void {
  if (walk.exists !== true || row.type === 'user.delete')
    walk.doubts.push(`${nameOf(row)}: what the rows had of the user was erased with the user`)
  walk.exists = true
  walk.members.clear()
}

function mayHaveChanged(walk: Walk, row: AuditRow): void {
  if (DELETIONS.includes(row.type) && walk.exists === false) walk.exists = null
  walk.settled.clear()
  walk.perhaps = `${nameOf(row)} has not reported its end, so it is not known what it changed`
}

/** A record that was made later did not exist, also when no row tells of its creation. The row of its creation may be a second older. */
function forgetUnborn(walk: Walk, at: number, after: Record<string, unknown> = {}): void {
  const name = walk.members.has('created_at') ? 'created_at' : 'client_id_issued_at'
  const made_at = walk.members.get(name)?.value
  if (typeof made_at !== 'number' || made_at <= at || made_at === after[name]) return
  walk.exists = false
  walk.members.clear()
}

/** Compares what a row before the time has left with the members at the time. `end`: older rows tell nothing more. */
function compare(walk: Walk, row: AuditRow): 'end' | undefined {
  if (row.outcome !== 'done') return undefined
  if (DELETIONS.includes(row.type)) return 'end'
  if (walk.exists !== true) {
    if (walk.exists === false)
      walk.doubts.push(`${nameOf(row)} shows that it existed before, and no row tells how it ended`)
    walk.exists = null
    return 'end'
  }
  const { before, after, fields } = changedBy(row)
  if (after === undefined) return 'end'
  const was_created = before === undefined
  const names = was_created ? new Set([...fields, ...walk.members.keys()]) : fields
  for (const name of names) compareMember(walk, name, { row, left: after[name] ?? null })
  return was_created ? 'end' : undefined
}

function compareMember(
  { members, compared, doubts }: Walk,
  name: string,
  { row, left }: { row: AuditRow; left: unknown },
): void {
  const member = members.get(name)
  const is_secret = SECRET_MEMBERS.has(name) || member?.replaced_by !== undefined
  if (!isKnown(name) || is_secret || compared.has(name)) return
  compared.add(name)
  const value = member?.value ?? null
  if (isDeepStrictEqual(value, left)) return
  const doubt = `${nameOf(row)} left it as ${textOf(left)}, and no row tells of another change`
  members.set(name, { value, doubt })
  doubts.push(`${name}: ${doubt}`)
}

function finished({ settled, compared, perhaps, doubts, ...found }: Walk): RecordAt {
  const { exists, members, has_rows } = found
  if (perhaps === null || exists === false) return { exists, members, doubts, has_rows }
  const known = [...members].map(([name, member]): [string, Member] => {
    const is_certain = settled.has(name) || compared.has(name) || member.replaced_by !== undefined
    return [name, is_certain ? member : { ...member, doubt: perhaps }]
  })
  const has_doubt = exists === null || known.some(([, { doubt }]) => doubt === perhaps)
  return { exists, members: new Map(known), doubts: has_doubt ? [...doubts, perhaps] : doubts, has_rows }
}

const nameOf = ({ audit_id, type, time }: AuditRow): string => `Row ${audit_id} (${type}, ${iso(time)})`
