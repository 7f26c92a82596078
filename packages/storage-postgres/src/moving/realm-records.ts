/** The records of one realm that an export has, and their order in it. */

import type { Client, ClientDocument, Consent, SigningKey } from '@ostiary/core'
import type { Factor, Link, User } from '@ostiary/identity'

/** A record with its kind. A deleted user is only a `sub`, which no other user ever gets. */
export type RealmRecord =
  | { kind: 'client'; record: Client }
  | { kind: 'client_document'; record: ClientDocument }
  | { kind: 'user'; record: User }
  | { kind: 'deleted_user'; record: { sub: string } }
  | { kind: 'factor'; record: Factor }
  | { kind: 'link'; record: Link }
  | { kind: 'consent'; record: Consent }
  | { kind: 'signing_key'; record: SigningKey }

/** What a record of an export is. */
export type RecordKind = RealmRecord['kind']

/** The tables in the order of the export; within a table, records are sorted by the bytes of their keys. */
export const REALM_TABLES = [
  { table: 'oidc_clients', kinds: ['client'], key: ['client_id'] },
  { table: 'oidc_client_documents', kinds: ['client_document'], key: ['client_id'] },
  { table: 'oidc_users', kinds: ['user', 'deleted_user'], key: ['sub'] },
  { table: 'oidc_factors', kinds: ['factor'], key: ['factor_id'] },
  { table: 'oidc_links', kinds: ['link'], key: ['sub', 'issuer', 'subject'] },
  { table: 'oidc_consents', kinds: ['consent'], key: ['sub', 'client_id', 'resource'] },
  { table: 'oidc_signing_keys', kinds: ['signing_key'], key: ['kid'] },
] as const

export type RealmTable = (typeof REALM_TABLES)[number]

/** The values of the table's key in a record. */
export function keyOf({ key }: RealmTable, { record }: RealmRecord): string[] {
  const fields = new Map<string, unknown>(Object.entries(record))
  return key.map((column) => String(fields.get(column)))
}

/** The table of the record, as its position in `REALM_TABLES`. */
export const tableOf = ({ kind }: Pick<RealmRecord, 'kind'>): number =>
  REALM_TABLES.findIndex(({ kinds }) => kinds.some((known) => known === kind))

/** Negative when `a` comes before `b` in an export, 0 for the same key. */
export function compareRecords(a: RealmRecord, b: RealmRecord): number {
  const position = tableOf(a)
  if (position !== tableOf(b)) return position - tableOf(b)
  const table = REALM_TABLES[position]
  if (table === undefined) return 0
  const others = keyOf(table, b)
  for (const [i, value] of keyOf(table, a).entries()) {
    const order = Buffer.compare(Buffer.from(value), Buffer.from(others[i] ?? ''))
    if (order !== 0) return order
  }
  return 0
}
