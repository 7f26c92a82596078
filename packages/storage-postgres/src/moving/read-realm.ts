/** Reads the records of a realm for an export. */

import type { ClientDocument, Consent, SigningKey } from '@ostiary/core'
import type { Factor, Link } from '@ostiary/identity'
import { type Executor, ONE_SNAPSHOT, type Queries, WITHOUT_TIME_LIMITS } from '../connection/executor.js'
import { clientOf } from '../stores/clients.js'
import {
  CLIENT,
  CLIENT_DOCUMENT,
  type ClientRow,
  CONSENT,
  columnList,
  FACTOR,
  LINK,
  SIGNING_KEY,
  USER,
} from '../stores/columns.js'
import { type UserRow, userOf } from '../stores/users.js'
import { keyOf, REALM_TABLES, type RealmRecord, type RealmTable } from './realm-records.js'

const BATCH_ROWS = 1_000

interface ReadTable {
  columns: readonly string[]
  toRecord(row: never): RealmRecord
}

const READ: Record<RealmTable['table'], ReadTable> = {
  oidc_clients: {
    columns: CLIENT,
    toRecord: (row: ClientRow) => ({ kind: 'client', record: clientOf(row) }),
  },
  oidc_client_documents: {
    columns: CLIENT_DOCUMENT,
    toRecord: (record: ClientDocument) => ({ kind: 'client_document', record }),
  },
  oidc_users: { columns: USER, toRecord: userRecord },
  oidc_factors: { columns: FACTOR, toRecord: (record: Factor) => ({ kind: 'factor', record }) },
  oidc_links: { columns: LINK, toRecord: (record: Link) => ({ kind: 'link', record }) },
  oidc_consents: { columns: CONSENT, toRecord: (record: Consent) => ({ kind: 'consent', record }) },
  oidc_signing_keys: {
    columns: SIGNING_KEY,
    toRecord: (record: SigningKey) => ({ kind: 'signing_key', record }),
  },
}

/** A deleted user has no username. */
function userRecord(row: UserRow): RealmRecord {
  if (row.username === '') return { kind: 'deleted_user', record: { sub: row.sub } }
  return { kind: 'user', record: userOf(row) }
}

/** How a table is read: its columns, and the record of a row. */
export const readTable = ({ table }: RealmTable): ReadTable => READ[table]

/**
 * Reads in batches, all from one snapshot of the database, in the order of an export.
 * @param take Called with each batch, which is read when the one before is taken.
 */
export function readRealm(
  executor: Executor,
  realm: string,
  take: (records: RealmRecord[]) => Promise<void>,
): Promise<void> {
  return executor.transaction(async (tx) => {
    await tx.query(ONE_SNAPSHOT)
    await tx.query(WITHOUT_TIME_LIMITS)
    for (const table of REALM_TABLES) await readAll(tx, { table, realm, take })
  })
}

interface Reading {
  table: RealmTable
  realm: string
  take(records: RealmRecord[]): Promise<void>
}

async function readAll(tx: Queries, { table, realm, take }: Reading): Promise<void> {
  const { columns, toRecord } = readTable(table)
  const keys = table.key.join(', ')
  const page = (condition: string) => `
    select ${columnList(columns)} from ${table.table} where realm = $1 ${condition} order by ${keys} limit ${BATCH_ROWS}`
  const next = page(`and (${keys}) > (${table.key.map((_, i) => `$${i + 2}`).join(', ')})`)
  let rows = await tx.query<never>(page(''), [realm])
  while (rows.length > 0) {
    const records = rows.map(toRecord)
    await take(records)
    const last = records.at(-1)
    if (last === undefined) return
    rows = await tx.query<never>(next, [realm, ...keyOf(table, last)])
  }
}
