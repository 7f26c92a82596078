/** Writes the row of a change before it, and completes the row after it. */

import type { Recorder } from './recorder.js'
import { type AuditRow, newRow, withPrivate } from './row.js'
import type { AuditStore } from './store.js'

/** The row of a change cannot be written, so the change was not made. */
export class AuditError extends Error {
  constructor(cause: unknown) {
    super('Nothing was changed, because the audit could not be written: the database does not answer', {
      cause,
    })
    this.name = 'AuditError'
  }
}

/** What a change is about. */
export interface Subject {
  sub?: string
  client_id?: string
  /** Further ids, for `data`. */
  ids?: Readonly<Record<string, unknown>>
}

/** A change, before it is made. */
export interface Change extends Subject {
  realm: string
  type: string
  actor: string
  request?: RequestOrigin | undefined
}

/** The request that causes a change. */
export interface RequestOrigin {
  request_id: string
  reference: string
  /** As it is kept. */
  address?: string | undefined
  flow: string | null
}

/** How a change is made. */
interface ChangeRun<T> {
  run(): Promise<T>
  /** The record that it changes; null when there is none. */
  record?(): Promise<object | null>
  /** What the answer tells about the row. */
  told?(result: T): Partial<Subject>
}

export interface Changes {
  /**
   * Writes the row, makes the change, and completes the row.
   * @throws AuditError, before the change, when the row cannot be written; and what the change throws.
   */
  recorded<T>(change: Change, how: ChangeRun<T>): Promise<T>
}

export interface ChangesOptions {
  store: AuditStore
  recorder: Recorder
  /** Epoch seconds. */
  now: () => number
}

export function createChanges({ store, recorder, now }: ChangesOptions): Changes {
  /** The change is made already: what cannot be written now is written later. */
  const complete = (row: AuditRow) => store.put([row]).catch(() => recorder.replace(row))

  async function begin(change: Change, record: ChangeRun<unknown>['record']) {
    const { realm, type, actor, sub = null, client_id = null, ids = {}, request } = change
    try {
      const row = newRow({
        realm,
        type,
        actor,
        sub,
        client_id,
        time: now(),
        outcome: 'begun',
        flow: request?.flow ?? null,
        refs: request ? [request.reference] : [],
        data: { ...ids, ...(request && { request_id: request.request_id }) },
        ...(request?.address !== undefined && { private: { address: request.address } }),
      })
      const before = (await record?.()) ?? null
      await store.put([row])
      return { row, before }
    } catch (cause) {
      throw new AuditError(cause)
    }
  }

  return {
    async recorded(change, { run, record, told }) {
      const { row, before } = await begin(change, record)
      let result: Awaited<ReturnType<typeof run>>
      try {
        result = await run()
      } catch (error) {
        await complete({ ...row, outcome: 'failed' })
        throw error
      }
      const is_made = result !== false && result !== null
      if (!is_made) {
        await complete({ ...row, outcome: 'failed' })
        return result
      }
      const { ids = {}, ...subject } = told?.(result) ?? {}
      const after = await record?.().catch(() => null)
      const { fields, ...changed } = record ? difference(before, after ?? null) : { fields: undefined }
      const data = { ...JSON.parse(row.data), ...ids, ...(fields && { fields }) }
      const part = { ...JSON.parse(row.private ?? '{}'), ...changed }
      const done = { ...row, ...subject, outcome: 'done' as const, data: JSON.stringify(data) }
      await complete(withPrivate(done, part))
      return result
    },
  }
}

/** Members whose values are never kept: only that they have changed. */
export const SECRET_MEMBERS: ReadonlySet<string> = new Set(['client_secret_hash', 'password_hash'])
/** Members that follow from others, or change with each of them. */
export const DERIVED_MEMBERS: ReadonlySet<string> = new Set([
  'username_key',
  'updated_at',
  'credential_version',
  'registration_key',
])

interface Difference {
  /** The names of all changed members. */
  fields: string[]
  before?: Record<string, unknown>
  after?: Record<string, unknown>
}

/** The members that differ. A secret is named, and not shown. */
function difference(before: object | null, after: object | null): Difference {
  const [was, is] = [membersOf(before), membersOf(after)]
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])]
  const fields = names.filter(
    (name) => !DERIVED_MEMBERS.has(name) && JSON.stringify(was[name]) !== JSON.stringify(is[name]),
  )
  const shown = (members: Record<string, unknown>) =>
    Object.fromEntries(
      fields.flatMap((name) =>
        SECRET_MEMBERS.has(name) || members[name] === undefined ? [] : [[name, members[name]]],
      ),
    )
  return {
    fields,
    ...(before !== null && { before: shown(was) }),
    ...(after !== null && { after: shown(is) }),
  }
}

/** Null is as good as absent: a record that was created names only what it has. */
export function membersOf(record: object | null): Record<string, unknown> {
  const members = Object.entries(record ?? {}).filter(([, value]) => value !== null && value !== undefined)
  return Object.fromEntries(members)
}
