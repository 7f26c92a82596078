/** Exports the records of a realm, and imports them into a realm of this or another server. */

import type { ImportReport, RealmRecord } from '@ostiary/storage-postgres'
import type { Environment } from '../config/environment.js'
import { realmOf } from '../server/realm-of.js'
import { emailSignInOf } from '../storage/email-sign-in.js'
import { carriedRealm, storedSettings } from '../storage/run-time-realms.js'
import { databaseStores } from './database-stores.js'
import {
  inDatabase,
  type ManageOptions,
  readManageableConfig,
  requireRealm,
  requireUndivided,
} from './manage.js'
import {
  EXPORT_VERSION,
  type ExportHeader,
  linesOf,
  NEWER_FILE,
  NO_HEADER,
  parseHeader,
  RealmFileError,
  recordBatches,
} from './realm-file.js'
import { isSecret, recordCheck, SECRET_FIELDS } from './realm-records.js'
import { secretsOf } from './secrets.js'

/** Records by kind. */
type RecordCounts = Record<string, number>

/** What an export has written. */
export interface RealmExport {
  counts: RecordCounts
  /** Factors that are not in the file, because their secrets are encrypted for this server: authenticator apps. */
  factors_left_out: number
}

export interface ExportOptions extends Omit<ManageOptions, 'realm'> {
  realm: string
  with_secrets: boolean
  /** Takes text, whole lines. The next batch is read when it resolves. */
  out(text: string): Promise<void> | void
}

/**
 * One snapshot of the database, in batches.
 * @throws ConfigError, StorageError, RealmError
 */
export async function exportRealm(env: Environment, options: ExportOptions): Promise<RealmExport> {
  const { cwd, write, realm, with_secrets, out } = options
  const config = await readManageableConfig(env, cwd)
  requireUndivided(config)
  if (!config.realms_at_run_time) requireRealm(config, realm)
  const { MIGRATIONS, readRealm } = await import('@ostiary/storage-postgres')
  const counts: RecordCounts = {}
  let factors_left_out = 0
  await inDatabase(config, { write, env, row: { type: 'realm.export', realm } }, async (executor, stored) => {
    requireRealm(stored, realm)
    const settings = await storedSettings(config, executor, realm)
    const header: ExportHeader = {
      ostiary_export: EXPORT_VERSION,
      realm,
      schema: MIGRATIONS.at(-1)?.id ?? 0,
      created_at: new Date().toISOString(),
      with_secrets,
      ...(settings && { settings }),
    }
    await out(`${JSON.stringify(header)}\n`)
    await readRealm(executor, realm, async (records) => {
      const exported = with_secrets ? records : records.flatMap(withoutSecrets)
      if (!with_secrets) factors_left_out += records.filter(isSecret).filter(isFactor).length
      for (const { kind } of exported) counts[kind] = (counts[kind] ?? 0) + 1
      await out(exported.map((record) => `${JSON.stringify(record)}\n`).join(''))
    })
    const records = Object.values(counts).reduce((sum, count) => sum + count, 0)
    await out(`${JSON.stringify({ kind: 'end', records })}\n`)
  })
  return { counts, factors_left_out }
}

const isFactor = ({ kind }: RealmRecord): boolean => kind === 'factor'

function withoutSecrets(entry: RealmRecord): { kind: string; record: object }[] {
  if (isSecret(entry)) return []
  const { kind, record } = entry
  const fields = Object.entries(record).filter(([name]) => !SECRET_FIELDS.includes(name))
  return [{ kind, record: Object.fromEntries(fields) }]
}

export interface ImportRealmOptions extends ManageOptions {
  file: string
  plan_only: boolean
}

/** What an import would do, or has done. */
export interface RealmImport extends ImportReport {
  realm: string
  with_secrets: boolean
  /** Confidential clients and users that need a new secret or password: how many, and the first ones. */
  without_secret: { clients: NamedCount; users: NamedCount }
}

export interface NamedCount {
  count: number
  first: string[]
}

/**
 * Checks every line first; then all records are stored, or none. Without a realm, that of the file.
 * @throws RealmFileError, ConfigError, StorageError, RealmError
 */
export async function importRealm(env: Environment, options: ImportRealmOptions): Promise<RealmImport> {
  const { cwd, write, file, plan_only } = options
  const header = await readHeader(file)
  const config = await readManageableConfig(env, cwd)
  requireUndivided(config)
  const { compareRecords, MIGRATIONS, writeRealm } = await import('@ostiary/storage-postgres')
  if (header.schema > (MIGRATIONS.at(-1)?.id ?? 0)) throw headerFault(file, NEWER_FILE)
  const id = options.realm ?? header.realm
  if (!config.realms_at_run_time) requireRealm(config, id)
  const row = plan_only ? null : { type: 'realm.import', realm: id }
  return inDatabase(config, { write, env, row }, async (executor, known) => {
    const carried = await carriedRealm(known, executor, { id, settings: header.settings })
    if (typeof carried === 'string') throw headerFault(file, carried)
    const stored = carried?.config ?? known
    requireRealm(stored, id)
    const { provider, ...stores } = await databaseStores(stored, executor)
    const realm = await realmOf(provider, id)
    const now = Math.floor(Date.now() / 1000)
    const check = recordCheck({ header, realm, secrets: secretsOf(config), now })
    const batches = () => recordBatches({ file, check, compare: compareRecords })
    for await (const _ of batches());
    const without_secret = { clients: namedCount(), users: namedCount() }
    const { with_secrets } = header
    const report = await writeRealm(executor, batches(), {
      realm: id,
      plan_only,
      with_secrets,
      onAdded: (records) => {
        if (!with_secrets) for (const record of records) noteMissingSecret(record, without_secret)
      },
    })
    if (report.done) {
      const fault = await carried?.make(now)
      if (fault) throw headerFault(file, fault)
      await (await emailSignInOf(config, stores))?.fill()
    }
    return { ...report, realm: id, with_secrets, without_secret }
  })
}

const MAX_NAMES = 20
const namedCount = (): NamedCount => ({ count: 0, first: [] })

function noteMissingSecret(
  { kind, record }: RealmRecord,
  { clients, users }: RealmImport['without_secret'],
): void {
  const add = (counted: NamedCount, name: string) => {
    counted.count += 1
    if (counted.first.length < MAX_NAMES) counted.first.push(name)
  }
  if (kind === 'client' && record.client_secret_hash !== null && record.revoked_at === null)
    add(clients, record.client_id)
  if (kind === 'user') add(users, record.username)
}

/** @throws RealmFileError */
async function readHeader(file: string): Promise<ExportHeader> {
  for await (const { text } of linesOf(file)) {
    const header = text === null ? NO_HEADER : parseHeader(text)
    if (typeof header !== 'string') return header
    throw headerFault(file, header)
  }
  throw headerFault(file, 'the file is empty')
}

const headerFault = (file: string, fault: string): RealmFileError =>
  new RealmFileError(file, [{ line: 1, fault }])
