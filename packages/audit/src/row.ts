/** A row of the audit: one event, or one change. */

import { hash, randomUUID } from 'node:crypto'
import { isStorableText, referenceByHash } from '@ostiary/core/common'

/** `begun`: a change that has not reported its end, so that it was made or not. `failed`: a change that was not made. */
export type AuditOutcome = 'done' | 'begun' | 'failed' | 'refused'

/** What erasing a person's data deletes from a row: the seal holds without it. */
export interface PrivatePart {
  /** The address of the sender, in the form of `log.addresses`. */
  address?: string
  /** The changed members, as they were. */
  before?: Record<string, unknown>
  /** The changed members, as they are. */
  after?: Record<string, unknown>
}

/** A row as it is stored. Times are epoch seconds. */
export interface AuditRow {
  realm: string
  /** Sorts by the time at which it was made. */
  audit_id: string
  time: number
  /** Of an event (docs/events.md), or of a change, such as `user.update`. */
  type: string
  outcome: AuditOutcome
  /** `sub:…` or `client:…`, who has signed in or authenticated; `cli:user@host`; `system`; `stranger`. */
  actor: string
  /** The user that it is about. */
  sub: string | null
  /** The client that it is about. */
  client_id: string | null
  /** The authorization request that it belongs to: the first 16 characters of its hash. */
  flow: string | null
  /** The references of its requests, as error pages show them. */
  refs: string[]
  /** How many of them; 1 for an event or a change. */
  count: number
  /** JSON of the other fields. */
  data: string
  /** JSON of a {@link PrivatePart}; null for none, or when it was erased. */
  private: string | null
  /** Of the hash below; it is erased with what it hashes. */
  salt: string | null
  /** Of salt and private part. */
  private_hash: string | null
  /** The number of its seal; null until it is sealed. */
  seal: number | null
  /** In the seal: 1 for its first row. */
  place: number | null
  /** Of the row, when it was sealed. */
  hash: string | null
}

/** A row before it is stored. */
export interface NewRow extends Pick<AuditRow, 'realm' | 'time' | 'type' | 'outcome' | 'actor'> {
  sub?: string | null
  client_id?: string | null
  flow?: string | null
  refs?: readonly string[]
  count?: number
  data?: Record<string, unknown>
  private?: PrivatePart | undefined
}

export function newRow(row: NewRow, moment = newMoment(row.time)): AuditRow {
  const { realm, time, type, outcome, actor, sub = null, client_id = null, flow = null } = row
  const { refs = [], count = 1, data = {}, private: part = {} } = row
  return {
    realm,
    audit_id: auditIdOf(moment),
    time,
    type,
    outcome,
    actor,
    sub,
    client_id,
    flow,
    refs: [...refs],
    count,
    data: storableJson(data),
    ...privateColumns(part),
    seal: null,
    place: null,
    hash: null,
  }
}

/** A database refuses some texts, which JSON escapes: one of them would keep all others from being stored. */
function storableJson(value: object): string {
  const text = JSON.stringify(value)
  return text.includes('\\u') ? JSON.stringify(value, storable) : text
}

const storable = (_key: string, value: unknown): unknown =>
  typeof value === 'string' && !isStorableText(value) ? NOT_STORABLE : value
const NOT_STORABLE = '(not a text that a database can store)'

/** The row with another private part. */
export const withPrivate = (row: AuditRow, part: PrivatePart): AuditRow => ({
  ...row,
  ...privateColumns(part),
})

function privateColumns(part: PrivatePart): Pick<AuditRow, 'private' | 'salt' | 'private_hash'> {
  if (Object.keys(part).length === 0) return { private: null, salt: null, private_hash: null }
  const salt = randomUUID()
  const text = storableJson(part)
  return { private: text, salt, private_hash: privateHash(salt, text) }
}

/** As base64url. */
export const sha256 = (text: string): string => hash('sha256', text, 'base64url')

/** Without the salt, an address could be found by trying all of them. */
export const privateHash = (salt: string, text: string): string => sha256(`${salt}.${text}`)

/** What a seal is about: the private part by its hash, so that it can be erased. */
export function hashOfRow(row: AuditRow): string {
  const { realm, audit_id, time, type, outcome, actor, sub, client_id, flow, refs, count, data } = row
  const sealed = [realm, audit_id, time, type, outcome, actor, sub, client_id, flow, refs, count, data]
  return sha256(JSON.stringify([...sealed, row.private_hash]))
}

/** As `referenceOf` of `@ostiary/core`. */
export const referenceOf = (request_id: string): string => referenceByHash(hash('sha256', request_id, 'hex'))

export const dataOf = (row: Pick<AuditRow, 'data'>): Record<string, unknown> => JSON.parse(row.data)
export const privateOf = (row: Pick<AuditRow, 'private'>): PrivatePart => JSON.parse(row.private ?? '{}')

/** When a row was made: milliseconds since the epoch, and how many were made before it in the same ones. */
export interface RowMoment {
  ms: number
  nth: number
}

/** Of the newest row. */
let newest: RowMoment = { ms: 0, nth: 0 }

/** Of a row with this time: none is before it. */
export function newMoment(time: number): RowMoment {
  const ms = Math.max(Date.now(), time * 1000)
  newest = { ms, nth: ms === newest.ms ? newest.nth + 1 : 0 }
  return newest
}

/** The moment and chance: the ids of one process sort as its rows were made. */
const auditIdOf = ({ ms, nth }: RowMoment): string =>
  idAt(ms) + nth.toString(36).padStart(3, '0') + randomUUID().slice(0, 8)

/** The beginning of the ids that are made from this moment on. @param ms Milliseconds since the epoch. */
export const idAt = (ms: number): string => Math.max(0, ms).toString(36).padStart(9, '0')
