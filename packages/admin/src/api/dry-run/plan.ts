/** What a change would do: the members that it sets, and what it ends. */

import { canonical } from '../preconditions.js'

/** One member of the record at the address. */
interface PlannedChange {
  /** A JSON Pointer (RFC 6901) into the record; empty for a record that is created or deleted. */
  pointer: string
  /** Absent when the member is not there, and of a secret. */
  from?: unknown
  to?: unknown
  /** The member is never shown. */
  secret?: true
}

/** How many end, or are made: of keys. Null where that is not counted before. */
interface Effects {
  sessions: number | null
  grants: number | null
  consents: number | null
  keys: number
  /** Of a realm that is deleted. */
  clients?: number | null
  users?: number | null
}

/** Collects what a change would do. */
export interface Plan {
  /** A record would be another one. Null is none. @param name Of the record among all that the change sets. */
  set(name: string, before: object | null, after: object | null): void
  /** Adds to the effects. */
  ends(more: Partial<Effects>): void
  result(): { changes: PlannedChange[]; effects: Effects }
}

interface SetRecord {
  before: object | null
  after: object | null
}

export function createPlan(): Plan {
  const records = new Map<string, SetRecord>()
  let effects: Effects = { sessions: 0, grants: 0, consents: 0, keys: 0 }
  return {
    set(name, before, after) {
      records.set(name, { before: records.has(name) ? (records.get(name)?.before ?? null) : before, after })
    },
    ends({ sessions = 0, grants = 0, consents = 0, keys = 0, ...of_realm }) {
      effects = {
        sessions: sum(effects.sessions, sessions),
        grants: sum(effects.grants, grants),
        consents: sum(effects.consents, consents),
        keys: effects.keys + keys,
        ...of_realm,
      }
    },
    result: () => ({ changes: [...records.values()].flatMap(changesOf), effects }),
  }
}

const sum = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? null : one + other

/** Never shown; by the names of the operations that set them. */
const SECRETS: Readonly<Record<string, string>> = {
  password_hash: '/password',
  client_secret_hash: '/client_secret',
}
/** They follow from others, or change with each of them. */
const DERIVED: readonly string[] = ['username_key', 'updated_at', 'credential_version']

type Members = Readonly<Record<string, unknown>>

function changesOf({ before, after }: SetRecord): PlannedChange[] {
  const [was, is] = [shownOf(before), shownOf(after)]
  if (was === null || is === null)
    return was === is ? [] : [{ pointer: '', ...(was && { from: was }), ...(is && { to: is }) }]
  const secrets = Object.entries(SECRETS).filter(
    ([name]) => (before as Members)[name] !== (after as Members)[name],
  )
  return [
    ...difference(was, is, ''),
    ...secrets.map(([, pointer]): PlannedChange => ({ pointer, secret: true })),
  ]
}

const shownOf = (record: object | null): Members | null =>
  record &&
  Object.fromEntries(Object.entries(record).filter(([name]) => !(name in SECRETS) && !DERIVED.includes(name)))

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Objects are compared by their members, everything else as a whole. */
function difference(was: Members, is: Members, prefix: string): PlannedChange[] {
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])]
  return names.flatMap((name): PlannedChange[] => {
    const pointer = `${prefix}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
    const [from, to] = [ownValue(was, name), ownValue(is, name)]
    if (canonical(from) === canonical(to)) return []
    if (isObject(from) && isObject(to)) return difference(from, to, pointer)
    return [{ pointer, ...(from !== undefined && { from }), ...(to !== undefined && { to }) }]
  })
}

const ownValue = (members: Members, name: string): unknown =>
  Object.hasOwn(members, name) ? members[name] : undefined
