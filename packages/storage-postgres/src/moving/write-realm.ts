/** Writes the records of an export into a realm: all of them, or none. */

import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { bucketByHash } from '../connection/buckets.js'
import { type Executor, type Queries, WITHOUT_TIME_LIMITS } from '../connection/executor.js'
import { clientRow } from '../stores/clients.js'
import { columnList } from '../stores/columns.js'
import { linkKey } from '../stores/links.js'
import { deletedUserRow, IS_USER, storedUser } from '../stores/users.js'
import { readTable } from './read-realm.js'
import {
  keyOf,
  REALM_TABLES,
  type RealmRecord,
  type RealmTable,
  type RecordKind,
  tableOf,
} from './realm-records.js'

/** A record of the file that contradicts a stored one. */
export interface ImportConflict {
  kind: RecordKind
  /** The key of the record, its parts separated by spaces. */
  id: string
  /** A clause. */
  reason: string
}

/** What an import would do, or has done. */
export interface ImportReport {
  counts: Record<RecordKind, { added: number; identical: number; conflicts: number }>
  /** The first ones. */
  conflicts: ImportConflict[]
  /** True when the records are stored. */
  done: boolean
}

/** How `writeRealm` works. */
export interface WriteOptions {
  /** The id of the realm into which the records go. */
  realm: string
  /** True: nothing is stored. */
  plan_only: boolean
  /** False: the file has no hashes, and stored ones are not compared with its records. */
  with_secrets: boolean
  /** Called with records that are not stored yet. */
  onAdded?: (records: RealmRecord[]) => void
}

const MAX_NAMED_CONFLICTS = 20

/**
 * One transaction, which is rolled back when there is a conflict, or only a plan is asked for. Memory holds one batch.
 * @param batches In the order of an export, no record twice.
 */
export async function writeRealm(
  executor: Executor,
  batches: AsyncIterable<RealmRecord[]>,
  options: WriteOptions,
): Promise<ImportReport> {
  const count = () => ({ added: 0, identical: 0, conflicts: 0 })
  const report: ImportReport = {
    counts: Object.fromEntries(
      REALM_TABLES.flatMap(({ kinds }) => kinds.map((kind) => [kind, count()])),
    ) as ImportReport['counts'],
    conflicts: [],
    done: false,
  }
  try {
    await executor.transaction(async (tx) => {
      await tx.query(WITHOUT_TIME_LIMITS)
      for await (const batch of batches)
        for (const [position, table] of REALM_TABLES.entries()) {
          const records = batch.filter((record) => tableOf(record) === position)
          if (records.length > 0) await writeBatch(tx, { table, records, report, options })
        }
      await findSharedIds(tx, options.realm, report)
      if (options.plan_only || hasConflicts(report)) throw new RolledBack()
    })
    return { ...report, done: true }
  } catch (error) {
    if (error instanceof RolledBack) return report
    throw error
  }
}

class RolledBack extends Error {}

const hasConflicts = ({ counts }: ImportReport): boolean =>
  Object.values(counts).some(({ conflicts }) => conflicts > 0)

interface Batch {
  table: RealmTable
  records: RealmRecord[]
  report: ImportReport
  options: WriteOptions
}

async function writeBatch(tx: Queries, { table, records, report, options }: Batch): Promise<void> {
  const { columns, toRecord } = readTable(table)
  const { realm, with_secrets, onAdded } = options
  const keys = table.key.join(', ')
  const stored_columns = columnList(records.some(isOfPerson) ? ['bucket', ...columns] : columns)
  const insert = `
    insert into ${table.table} (realm, ${stored_columns})
    select $1, ${stored_columns} from json_populate_recordset(null::${table.table}, $2::text::json) as given
    where ${CONDITIONS[table.table] ?? 'true'}
    on conflict do nothing returning ${keys}`
  const find = `
    select ${columnList(columns, 't')} from ${table.table} t join (
      select ${keys} from json_populate_recordset(null::${table.table}, $2::text::json)
    ) as wanted using (${keys}) where t.realm = $1`
  const idOf = (record: RealmRecord) => keyOf(table, record).join(' ')
  if (table.table === 'oidc_users') await claimNames(tx, records, realm)
  const claimed = table.table === 'oidc_links' ? await claimLinks(tx, records, realm) : records
  const inserted = await tx.query<Record<string, string>>(insert, [realm, JSON.stringify(claimed.map(rowOf))])
  const added = new Set(inserted.map((row) => table.key.map((column) => row[column]).join(' ')))
  const isAdded = (record: RealmRecord) => added.has(idOf(record))
  for (const { kind } of records.filter(isAdded)) report.counts[kind].added += 1
  onAdded?.(records.filter(isAdded))
  const others = records.filter((record) => !isAdded(record))
  if (others.length === 0) return
  const rows = await tx.query<never>(find, [realm, JSON.stringify(others.map(({ record }) => record))])
  const stored = new Map(rows.map(toRecord).map((record) => [idOf(record), record]))
  for (const record of others) {
    const known = stored.get(idOf(record))
    const reason = difference(record, known, with_secrets)
    if (reason === null) report.counts[record.kind].identical += 1
    else addConflict(report, { kind: record.kind, id: idOf(record), reason })
  }
}

/** Those of a person have a bucket. */
type RecordOfPerson = Extract<RealmRecord, { record: { sub: string } }>

const isOfPerson = (entry: RealmRecord): entry is RecordOfPerson => 'sub' in entry.record

function rowOf(entry: RealmRecord): object {
  if (entry.kind === 'client') return clientRow(entry.record)
  return isOfPerson(entry) ? { ...rowOfPerson(entry), bucket: bucketByHash(entry.record.sub) } : entry.record
}

function rowOfPerson(entry: RecordOfPerson): object {
  if (entry.kind === 'user') return storedUser(entry.record)
  return entry.kind === 'deleted_user' ? deletedUserRow(entry.record.sub) : entry.record
}

/** What one user alone has. An import with a conflict is rolled back, its claims too. */
const claim = (table: string, columns: string) => `
    insert into ${table} (realm, bucket, sub, ${columns})
    select $1, bucket, sub, ${columns} from json_populate_recordset(null::${table}, $2::text::json)
    on conflict do nothing`

/** The names of the users, if no other user has them. */
async function claimNames(tx: Queries, records: readonly RealmRecord[], realm: string): Promise<void> {
  const names = records.flatMap(({ kind, record }) =>
    kind === 'user'
      ? [{ username_key: record.username_key, sub: record.sub, bucket: bucketByHash(record.username_key) }]
      : [],
  )
  if (names.length > 0)
    await tx.query(claim('oidc_usernames', 'username_key'), [realm, JSON.stringify(names)])
}

/** The links whose account elsewhere no other user has. */
async function claimLinks(
  tx: Queries,
  records: readonly RealmRecord[],
  realm: string,
): Promise<RealmRecord[]> {
  const keyOf = (entry: RealmRecord) => (entry.kind === 'link' ? linkKey(entry.record) : '')
  const rows = records.filter(isOfPerson).map((entry) => ({
    link_key: keyOf(entry),
    sub: entry.record.sub,
    claim: randomUUID(),
    bucket: bucketByHash(keyOf(entry)),
  }))
  const held = `
    select link_key from oidc_link_keys where realm = $1 and (bucket, link_key, sub) in (
      select bucket, link_key, sub from json_populate_recordset(null::oidc_link_keys, $2::text::json))`
  const params = [realm, JSON.stringify(rows)]
  await tx.query(claim('oidc_link_keys', 'link_key, claim'), params)
  const own = new Set((await tx.query<{ link_key: string }>(held, params)).map(({ link_key }) => link_key))
  return records.filter((entry) => own.has(keyOf(entry)))
}

const HAS_USER = `exists (
      select from oidc_users u
      where u.realm = $1 and u.bucket = given.bucket and u.sub = given.sub and ${IS_USER}
    )`

/** What has to be stored for a row, which is `given`. A deleted user has no name. */
const CONDITIONS: Partial<Record<RealmTable['table'], string>> = {
  oidc_users: `(given.username = '' or exists (
      select from oidc_usernames n
      where n.realm = $1 and n.username_key = given.username_key and n.sub = given.sub
    ))`,
  oidc_factors: HAS_USER,
  oidc_links: HAS_USER,
}

const SECRETS = ['client_secret_hash', 'password_hash']

/** The same private key and the same secret of an app are encrypted anew for each realm, so their texts are not compared. */
function isCompared({ kind, record }: RealmRecord, name: string): boolean {
  if (kind === 'factor' && record.kind === 'totp') return name !== 'data'
  return name !== 'sealed_private_key'
}

/** Why a record was not added that is not there. */
const MISSING: Partial<Record<RecordKind, string>> = {
  factor: 'its user is not stored',
  link: 'its user is not stored, or another user has linked the account',
}

/** Why a record cannot be added, as a clause; null when it is stored already. */
function difference(
  wanted: RealmRecord,
  known: RealmRecord | undefined,
  with_secrets: boolean,
): string | null {
  if (known === undefined) return MISSING[wanted.kind] ?? 'another user has its username'
  // The server has fetched it itself, and fetches it again: the stored one stays.
  if (wanted.kind === 'client_document') return null
  if (known.kind !== wanted.kind)
    return known.kind === 'deleted_user' ? 'the user is deleted here' : 'a user has this sub'
  const stored = new Map<string, unknown>(Object.entries(known.record))
  const fields = Object.entries(wanted.record)
    .filter(([name]) => isCompared(wanted, name) && (with_secrets || !SECRETS.includes(name)))
    .filter(([name, value]) => !isDeepStrictEqual(value, stored.get(name)))
    .map(([name]) => name)
  return fields.length === 0 ? null : `the stored record has another ${fields.join(', ')}`
}

/** A token of a client itself has its client_id as `sub`: it would count as the user's token. */
async function findSharedIds(tx: Queries, realm: string, report: ImportReport): Promise<void> {
  const shared = await tx.query<{ client_id: string }>(
    `select client_id from oidc_clients c where realm = $1 and exists (
       select from oidc_users u where u.realm = c.realm and u.sub = c.client_id and u.username <> ''
     ) order by client_id`,
    [realm],
  )
  for (const { client_id } of shared)
    addConflict(report, { kind: 'client', id: client_id, reason: 'a user has this client_id as its sub' })
}

function addConflict({ counts, conflicts }: ImportReport, conflict: ImportConflict): void {
  counts[conflict.kind].conflicts += 1
  if (conflicts.length < MAX_NAMED_CONFLICTS) conflicts.push(conflict)
}
