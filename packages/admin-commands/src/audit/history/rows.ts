/** The rows about one client or one user, and since when the audit has all of them. */

import type { AuditRow, AuditStore } from '@ostiary/audit'
import { privateOf } from '@ostiary/audit/rows'

/** Whose record it is. */
export interface RecordName {
  kind: 'client' | 'user'
  /** The `client_id` or the `sub`. */
  id: string
}

/** The changes whose rows have the changed members of the record. */
export const RECORD_CHANGES: Readonly<Record<RecordName['kind'], readonly string[]>> = {
  client: [
    'client.create',
    'client.ensure',
    'client.store',
    'client.update',
    'client.revoke',
    'client.rotate_secret',
    'client.delete',
  ],
  user: ['user.create', 'user.update', 'user.delete'],
}
export const CREATIONS: readonly string[] = ['client.create', 'user.create']
export const DELETIONS: readonly string[] = ['client.delete', 'user.delete']

const PAGE = 1000

/** Where rows are. */
export interface AuditOf {
  store: Pick<AuditStore, 'list'>
  realm: string
}

/** The rows of the changes of a record, the newest first. */
export async function* changesOf(
  { store, realm }: AuditOf,
  { kind, id }: RecordName,
): AsyncGenerator<AuditRow> {
  const filter = { ...(kind === 'client' ? { client_id: id } : { sub: id }), type: `${kind}.` }
  let before: string | undefined
  for (;;) {
    const rows = await store.list(realm, { filter, ...(before !== undefined && { before }), limit: PAGE })
    yield* rows.filter(({ type }) => RECORD_CHANGES[kind].includes(type))
    if (rows.length < PAGE) return
    before = rows.at(-1)?.audit_id
  }
}

/** An import since a time, which has no row for each record that it stored; undefined for none. */
export async function importSince({ store, realm }: AuditOf, time: number): Promise<AuditRow | undefined> {
  const rows = await store.list(realm, { filter: { type: 'realm.import', since: time }, limit: PAGE })
  return rows.find(({ outcome }) => outcome !== 'failed')
}

/** From this time on the audit has every row; null when it has none. */
export async function knownSince(store: AuditStore, realm: string): Promise<number | null> {
  const [oldest] = await store.page(realm, { limit: 1 })
  if (oldest === undefined) return null
  const [first] = await store.seals(realm, { after: 0, limit: 1 })
  if (first?.expired !== true) return oldest.time
  // Rows are deleted with their seals: a row of a kept seal may be older than a deleted one, by what another server wrote late.
  const [kept] =
    oldest.seal === null
      ? [await store.lastSeal(realm)]
      : await store.seals(realm, { after: oldest.seal - 1, limit: 1 })
  return Math.max(oldest.time, kept?.last_time ?? 0)
}

/** Whether its private part was erased with the data of a person. */
export const isErased = ({ private: part, private_hash }: AuditRow): boolean =>
  part === null && private_hash !== null

/** The changed members of a row: those of a record that did not exist are undefined. */
export const changedBy = (row: AuditRow) => {
  const { before, after } = privateOf(row)
  const { fields } = JSON.parse(row.data) as { fields?: string[] }
  return { before, after, fields: fields ?? [] }
}
