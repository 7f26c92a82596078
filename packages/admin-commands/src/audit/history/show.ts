/** `audit record` and `audit diff`: a record as it was, and what differs between two times. */

import { isDeepStrictEqual } from 'node:util'
import type { AuditInput, AuditResult } from '../command-types.js'
import { iso, printable, secondsOf, textOf, timeFault } from '../output.js'
import type { RecordsPlace } from '../place.js'
import { type Leaf, leavesOf } from './leaves.js'
import { namedRecord } from './named-record.js'
import { type Member, type RecordAt, type RecordSource, recordAt } from './record-at.js'

/** @throws Errors of the command line. */
export async function showRecord(place: RecordsPlace, input: AuditInput): Promise<AuditResult> {
  const at = pastOf(place, input, 'at')
  const source = await namedRecord(place, input)
  const unknown = await beforeTheAudit(place, source, at)
  if (unknown) return unknown
  const found = await recordAt(source, at)
  requireRows(place, source, found)
  const doubts = [...auditIsOff(place), ...found.doubts]
  const text = [`${titleOf(source)} ${existence(found)} ${iso(at)}`]
  const rows = [...shownLeaves(found)].map(([label, leaf]) => [label, shownText(leaf)])
  if (rows.length > 0) text.push(place.table(rows))
  const values = [...found.members].filter(([, { replaced_by }]) => replaced_by === undefined)
  return {
    text: [...text, ...doubtLines(doubts)].join('\n'),
    json: {
      ...idOf(source),
      at,
      exists: found.exists,
      record:
        found.exists === true ? Object.fromEntries(values.map(([name, { value }]) => [name, value])) : null,
      not_kept: [...found.members].flatMap(([name, { replaced_by }]) =>
        replaced_by === undefined ? [] : name,
      ),
      not_certain: uncertain(found),
      doubts,
    },
  }
}

/** @throws Errors of the command line. */
export async function showDifference(place: RecordsPlace, input: AuditInput): Promise<AuditResult> {
  const from = pastOf(place, input, 'from')
  const to = input.text('to') === undefined ? Math.floor(Date.now() / 1000) : pastOf(place, input, 'to')
  if (to < from) throw place.errors.usageError('--to is before --from')
  const source = await namedRecord(place, input)
  const unknown = await beforeTheAudit(place, source, from)
  if (unknown) return unknown
  const [was, is] = [await recordAt(source, from), await recordAt(source, to)]
  requireRows(place, source, is)
  const doubts = [...auditIsOff(place), ...new Set([...was.doubts, ...is.doubts])]
  const changed = differingLeaves(was, is)
  const rows = changed.map(({ label, was: one, is: other }) => [label, shownText(one), shownText(other)])
  const text = [
    `${titleOf(source)} ${existence(was)} ${iso(from)}, and ${existence(is)} ${iso(to)}`,
    rows.length === 0 ? 'Nothing differs' : place.table([['MEMBER', 'FROM', 'TO'], ...rows]),
  ]
  return {
    text: [...text, ...doubtLines(doubts)].join('\n'),
    json: {
      ...idOf(source),
      from,
      to,
      exists: { from: was.exists, to: is.exists },
      changed: changed.map(({ label, was: one, is: other }) => ({
        member: label,
        from: one?.value ?? null,
        to: other?.value ?? null,
      })),
      not_certain: { ...uncertain(was), ...uncertain(is) },
      doubts,
    },
  }
}

/** A time that is over. */
function pastOf(place: RecordsPlace, input: AuditInput, option: string): number {
  const time = secondsOf(place, input, option)
  if (time === undefined) throw timeFault(place.errors, option)
  if (time > Date.now() / 1000) throw place.errors.usageError(`--${option}: it is in the future`)
  return time
}

const titleOf = ({ kind, id }: RecordSource): string => printable(`${kind} ${id}`)
const idOf = ({ kind, id }: RecordSource) => (kind === 'client' ? { client_id: id } : { sub: id })

function existence({ exists }: RecordAt): string {
  if (exists === null) return 'may have existed or not at'
  return exists ? 'as it was at' : 'did not exist at'
}

/** The result for a time of which the audit has no rows, or not all of them. */
async function beforeTheAudit(
  place: RecordsPlace,
  source: RecordSource,
  time: number,
): Promise<AuditResult | null> {
  const since = await place.knownSince()
  if (since !== null && time >= since) return null
  const begin =
    since === null
      ? 'the audit has no rows'
      : `the audit has all rows since ${iso(since)}: older ones were deleted, or never written`
  const doubt = `It is not known how ${titleOf(source)} was at ${iso(time)}: ${begin}`
  return {
    text: doubt,
    json: { ...idOf(source), at: time, exists: null, record: null, doubts: [doubt] },
    code: 1,
  }
}

/** A name that nothing has, most likely mistyped. */
function requireRows({ errors }: RecordsPlace, source: RecordSource, { has_rows }: RecordAt): void {
  if (source.now === null && !has_rows)
    throw errors.notFound(`There is no ${titleOf(source)}, and no row of its changes`)
}

const auditIsOff = ({ audit }: RecordsPlace): string[] =>
  audit === null ? ['audit.enabled is off: what was changed since has no rows'] : []

const doubtLines = (doubts: readonly string[]): string[] =>
  doubts.map((doubt) => printable(`Not certain: ${doubt}`))

const uncertain = ({ members }: RecordAt): Record<string, string> =>
  Object.fromEntries(
    [...members].flatMap(([name, { doubt }]) => (doubt === undefined ? [] : [[name, doubt]])),
  )

type ShownLeaf = Leaf & Pick<Member, 'replaced_by' | 'doubt'>

function shownLeaves({ members }: RecordAt): Map<string, ShownLeaf> {
  const shown = new Map<string, ShownLeaf>()
  for (const [member, { value, ...more }] of members) {
    const whole: [string, ShownLeaf] = [member, { member, name: null, value, ...more }]
    const leaves = more.replaced_by === undefined && value !== null ? leavesOf([[member, value]]) : [whole]
    for (const [label, leaf] of leaves) shown.set(label, { ...leaf, ...more })
  }
  return shown
}

function shownText(leaf: ShownLeaf | undefined): string {
  if (leaf === undefined) return '-'
  const { member, name, value, replaced_by, doubt } = leaf
  if (replaced_by !== undefined)
    return replaced_by === null ? '(not kept)' : `(not kept; row ${replaced_by} tells of another one since)`
  const is_time = name === null && member.endsWith('_at') && typeof value === 'number' && value > 0
  const text = is_time ? iso(value) : textOf(value ?? undefined)
  return doubt === undefined ? text : `${text} (not certain)`
}

function differingLeaves(was: RecordAt, is: RecordAt) {
  const [one, other] = [shownLeaves(was), shownLeaves(is)]
  return [...new Set([...one.keys(), ...other.keys()])].flatMap((label) => {
    const pair = { label, was: one.get(label), is: other.get(label) }
    const is_same =
      isDeepStrictEqual(pair.was?.value, pair.is?.value) && pair.was?.replaced_by === pair.is?.replaced_by
    return is_same ? [] : [pair]
  })
}
