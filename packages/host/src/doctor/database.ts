import { sinkFindings } from '@ostiary/audit-sinks/commands'
import { ConfigError, type Storage } from '@ostiary/core'
import {
  type DiagnoseOptions,
  diagnose,
  diagnoseFailure,
  type Executor,
  type PostgresStores,
  postgresStores,
} from '@ostiary/storage-postgres'
import type { HostConfig } from '../config/host-config.js'
import { realmIds } from '../config/realm-ids.js'
import { hidden } from '../config/redacted.js'
import { bareProvider } from '../management/manage.js'
import { realmOf } from '../server/realm-of.js'
import { embeddedExecutor } from '../storage/embedded.js'
import { openPostgres } from '../storage/postgres.js'
import { withStoredRealms } from '../storage/run-time-realms.js'
import { DATABASE_SUBJECT, isFolderFault, storageError } from '../storage/storage-error.js'
import { checkFolder } from './data-folder.js'
import { checkDemo } from './demo.js'
import { checkStoredHosts } from './document-hosts.js'
import { checkFactors, checkPasskeys, surveyRealm } from './factors.js'
import { type Finding, fault, note, ok } from './finding.js'
import { checkKeys, checkPreviousSecret } from './keys.js'
import { checkMails, surveyPending } from './mails.js'
import { checkStoredClients } from './stored-clients.js'

interface DatabaseOptions {
  /** Send no request to hosts of clients. */
  offline: boolean
}

/** Checks the database, its schema, its clock, and in it the signing keys, the factors of users, the clients and the hosts of their documents. */
export async function checkDatabase(config: HostConfig, { offline }: DatabaseOptions): Promise<Finding[]> {
  const { storage } = config
  const checkRecords = async (stored: HostConfig, stores: Storage) => [
    ...(await checkStoredClients(stored, stores)),
    ...(offline ? [] : await checkStoredHosts(stored, stores)),
  ]
  if (storage.kind === 'memory') return [IN_MEMORY]
  if (storage.kind === 'embedded') {
    const folder = await checkFolder(storage)
    if (!('exists' in folder)) return [folder]
    const open = () => embeddedExecutor(storage.folder, { socket: 'connect' })
    return folder.exists ? withDatabase(config, open, { checkRecords }) : [NO_DATABASE]
  }
  const open = () => openPostgres(storage, { connections: 1 })
  const options = storage.database.prepare ? { another: open } : {}
  return withDatabase(config, open, { options, checkRecords })
}

const NO_DATABASE = note('database', 'there is no embedded database yet', 'The first start creates it.')
const IN_MEMORY = note(
  'database',
  'there is none: records are in memory',
  'They are lost when the server stops.',
)
const EMPTY_DATABASE = note('database', 'it answers, and is empty', 'The first start creates its tables.')

interface DatabaseChecks {
  options?: DiagnoseOptions
  /** @param stored The configuration with all realms of the database. */
  checkRecords: (stored: HostConfig, storage: Storage) => Promise<Finding[]> | Finding[]
}

async function withDatabase(
  config: HostConfig,
  open: () => Promise<Executor> | Executor,
  { options, checkRecords }: DatabaseChecks,
): Promise<Finding[]> {
  let executor: Executor | undefined
  try {
    executor = await open()
    const { is_empty, server, clock } = await diagnose(executor, options)
    const state = server.map((finding): Finding => ({ check: 'database', ...finding }))
    if (is_empty) return [EMPTY_DATABASE, ...state]
    const stores = postgresStores(executor)
    const stored = await withStoredRealms(config, { records: executor })
    const sealed = await checkSealed(stored, stores)
    const { kind } = config.storage
    const answers = ok('database', `answers, and its schema is this version's (${kind})`)
    const demo = await checkDemo(stored, executor)
    return [
      answers,
      ...state,
      ...demo,
      { check: 'clock', ...clock },
      ...sealed,
      ...(await checkRecords(stored, stores.storage)),
      ...(await sinkFindings(executor, config.audit_sinks)),
    ]
  } catch (error) {
    return [failureFinding(config, error)]
  } finally {
    await executor?.close()
  }
}

/** The keys of each realm, the factors of its users, and the mails that wait to be sent. */
async function checkSealed(config: HostConfig, stores: PostgresStores): Promise<Finding[]> {
  const provider = bareProvider(config, stores)
  const findings: Finding[] = []
  const mails = await surveyPending(config, stores.mails)
  for (const realm of realmIds(config)) {
    const keys = await checkKeys(provider, realm, { config, now: Math.floor(Date.now() / 1000) })
    const survey = await surveyRealm(config, stores.factors, realm)
    const { issuer } = await realmOf(provider, realm)
    const is_readable = keys.every(({ status }) => status !== 'fault')
    const sealed_mails = mails.sealed_before.get(realm) ?? 0
    const place = { realm, apps: survey.sealed_before, mails: sealed_mails }
    findings.push(
      ...keys,
      ...(is_readable ? await checkPreviousSecret(config, stores, place) : []),
      ...checkFactors(config, survey, { realm, issuer }),
      ...(await checkPasskeys(config, stores, { realm, issuer })),
    )
  }
  return [...findings, ...checkMails(mails)]
}

/** What an error of the database means, and what to do about it. */
function failureFinding({ storage }: HostConfig, error: unknown): Finding {
  if (isFolderFault(error)) return note('database', error.message, 'If that is the server, all is well.')
  const shown_as = 'database_url' in storage ? hidden(storage.database_url) : null
  const known = diagnoseFailure(error, shown_as)
  if (known !== null) return { check: 'database', ...known }
  const advice =
    shown_as === null
      ? 'Restore the folder from a backup, or delete it and lose its records.'
      : 'Correct DATABASE_URL, or ask the administrator of the database.'
  return fault('database', failureMessage(error), advice)
}

const failureMessage = (error: unknown): string =>
  error instanceof ConfigError ? error.message : storageError(DATABASE_SUBJECT, error).message
