import { ConfigError, type Storage } from '@ostiary/core'
import { type Executor, migrations, postgresStorage, postgresUsers } from '@ostiary/storage-postgres'
import { SchemaError } from '@ostiary/storage-postgres/errors'
import type { HostConfig } from '../config/host-config.js'
import { realmIds } from '../config/realm-ids.js'
import { hidden } from '../config/redacted.js'
import { bareProvider } from '../management/manage.js'
import { embeddedExecutor } from '../storage/embedded.js'
import { openPostgres } from '../storage/postgres.js'
import { DATABASE_SUBJECT, databaseAdvice, isFolderInUse, storageError } from '../storage/storage-error.js'
import { checkFolder } from './data-folder.js'
import { checkDemo } from './demo.js'
import { checkStoredHosts } from './document-hosts.js'
import { codeOf, type Finding, fault, messageOf, note, ok } from './finding.js'
import { checkKeys, checkPreviousSecret } from './keys.js'
import { checkPostgres } from './postgres-state.js'
import { checkStoredClients } from './stored-clients.js'

/** Codes are valid for a minute, tokens for minutes, and proofs (DPoP) and assertions from their `iat` on. */
const MAX_SKEW_SECONDS = 5

interface DatabaseOptions {
  /** Send no request to hosts of clients. */
  offline: boolean
}

/** Checks the database, its schema, its clock, and in it the signing keys, the clients and the hosts of their documents. */
export async function checkDatabase(config: HostConfig, { offline }: DatabaseOptions): Promise<Finding[]> {
  const { storage } = config
  const checkRecords = async (stores: Storage) => [
    ...(await checkStoredClients(config, stores)),
    ...(offline ? [] : await checkStoredHosts(config, stores)),
  ]
  if (storage.kind === 'memory') return [IN_MEMORY]
  if (storage.kind === 'embedded') {
    const folder = await checkFolder(storage)
    if (!('exists' in folder)) return [folder]
    const open = () => embeddedExecutor(storage.folder)
    return folder.exists ? withDatabase(config, open, { checkRecords }) : [NO_DATABASE]
  }
  const open = async () => openPostgres(storage, { connections: 1 })
  return withDatabase(config, open, {
    checkServer: (executor) => checkPostgres(storage, executor),
    checkRecords,
  })
}

const NO_DATABASE = note('database', 'there is no embedded database yet', 'The first start creates it.')
const IN_MEMORY = note(
  'database',
  'there is none: records are in memory',
  'They are lost when the server stops.',
)
const EMPTY_DATABASE = note('database', 'it answers, and is empty', 'The first start creates its tables.')

interface DatabaseChecks<T extends Executor> {
  checkServer?: (executor: T) => Promise<Finding[]>
  checkRecords: (storage: Storage) => Promise<Finding[]> | Finding[]
}

async function withDatabase<T extends Executor>(
  config: HostConfig,
  open: () => Promise<T>,
  { checkServer = async () => [], checkRecords }: DatabaseChecks<T>,
): Promise<Finding[]> {
  let executor: T | undefined
  try {
    executor = await open()
    const state = await checkServer(executor)
    const [missing] = await migrations(executor).plan()
    if (missing?.id === 1) return [EMPTY_DATABASE, ...state]
    await migrations(executor).check()
    const stores = { storage: postgresStorage(executor), users: postgresUsers(executor) }
    const provider = bareProvider(config, stores)
    const clock = await checkClock(executor)
    const keys: Finding[] = []
    for (const realm of realmIds(config)) {
      const found = await checkKeys(provider, realm, { config, now: Math.floor(Date.now() / 1000) })
      keys.push(...found)
      if (found.every(({ status }) => status !== 'fault'))
        keys.push(...(await checkPreviousSecret(config, stores, realm)))
    }
    const { kind } = config.storage
    const answers = ok('database', `answers, and its schema is this version's (${kind})`)
    const demo = await checkDemo(config, executor)
    return [answers, ...state, ...demo, clock, ...keys, ...(await checkRecords(stores.storage))]
  } catch (error) {
    return [failureFinding(config, error)]
  } finally {
    await executor?.close()
  }
}

async function checkClock(executor: Executor): Promise<Finding> {
  const before = Date.now()
  const [row] = await executor.query<{ now: number }>(
    'select extract(epoch from clock_timestamp())::float8 as now',
  )
  const between = (before + Date.now()) / 2000
  const skew = Math.round((row?.now ?? 0) - between)
  if (Math.abs(skew) <= MAX_SKEW_SECONDS)
    return ok('clock', 'this machine and the database show the same time')
  return fault(
    'clock',
    `this machine is ${Math.abs(skew)} s ${skew > 0 ? 'behind' : 'ahead of'} the database`,
    'Set both by NTP: with different clocks, codes, tokens and proofs (DPoP) end too early or too late, or are refused.',
  )
}

/** What an error of the database means, and what to do about it. */
function failureFinding({ storage }: HostConfig, error: unknown): Finding {
  if (isFolderInUse(error))
    return note(
      'database',
      error.message,
      'If that is the server, there is no fault: stop the server to check its database.',
    )
  if (error instanceof SchemaError)
    return fault(
      'database',
      error.message,
      error.state === 'older'
        ? 'Run ostiary migrate.'
        : 'Run the newer version of the server; see docs/upgrade.md.',
    )
  if (storage.kind === 'embedded' || storage.kind === 'memory')
    return fault(
      'database',
      failureMessage(error),
      'Restore the folder from a backup, or delete it to start without its records.',
    )
  const place = hidden(storage.database_url)
  const advice = databaseAdvice(error)
  if (advice !== null) return fault('database', `${place}: ${messageOf(error)}`, advice)
  const code = codeOf(error)
  if (code === '28P01' || code === '28000')
    return fault('database', `${place} refuses the user or the password`, 'Correct both in DATABASE_URL.')
  if (code === '3D000')
    return fault('database', `${place}: there is no such database`, 'Create it, or correct DATABASE_URL.')
  if (code === '42501')
    return fault(
      'database',
      `${place}: the user may not read its tables`,
      'Grant the privilege, or name the owner of the tables in DATABASE_URL.',
    )
  if (/^(?:E[A-Z]+|CONNECT_TIMEOUT|CONNECTION_\w+|57P03)$/.test(code))
    return fault(
      'database',
      `${place} does not answer (${code})`,
      'Start it, or correct DATABASE_URL; check the firewall.',
    )
  return fault(
    'database',
    failureMessage(error),
    'Correct DATABASE_URL, or ask the administrator of the database.',
  )
}

const failureMessage = (error: unknown): string =>
  error instanceof ConfigError ? error.message : storageError(DATABASE_SUBJECT, error).message
