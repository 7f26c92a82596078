import { ConfigError } from '@ostiary/core'
import {
  type Executor,
  migrations,
  pgliteExecutor,
  postgresExecutor,
  postgresStorage,
  postgresUsers,
} from '@ostiary/storage-postgres'
import { FolderInUseError, SchemaError } from '@ostiary/storage-postgres/errors'
import type { HostConfig } from '../config/host-config.js'
import { realmIds } from '../config/realm-ids.js'
import { hidden } from '../config/redacted.js'
import { bareProvider } from '../management/manage.js'
import { storageError, THE_DATABASE } from '../storage/storage-error.js'
import { type Check, codeOf, fault, note, ok } from './check.js'
import { checkFolder } from './data-folder.js'
import { checkDemo } from './demo.js'
import { checkKeys } from './keys.js'

/** Seconds. Codes are good for a minute, tokens for minutes. */
const MAX_SKEW = 5

/** The database, its schema, its clock, and the keys in it. */
export async function checkDatabase(config: HostConfig): Promise<Check[]> {
  const { storage } = config
  if (storage.kind === 'memory') return [IN_MEMORY]
  if (storage.kind === 'embedded') {
    const folder = await checkFolder(storage)
    if (!('there' in folder)) return [folder]
    return folder.there ? withDatabase(config, () => pgliteExecutor(storage.folder)) : [EMPTY]
  }
  return withDatabase(config, async () => postgresExecutor(storage.database_url, { connections: 1 }))
}

const EMPTY = note('database', 'there is no embedded database yet', 'The first start makes it.')
const IN_MEMORY = note('database', 'there is none: records are in memory', 'They end with the server.')
const EMPTY_DATABASE = note('database', 'it answers, and is empty', 'The first start sets it up.')

async function withDatabase(config: HostConfig, open: () => Promise<Executor>): Promise<Check[]> {
  let executor: Executor | undefined
  try {
    executor = await open()
    const [missing] = await migrations(executor).plan()
    if (missing?.id === 1) return [EMPTY_DATABASE]
    await migrations(executor).check()
    const stores = { storage: postgresStorage(executor), users: postgresUsers(executor) }
    const provider = bareProvider(config, stores)
    const clock = await checkClock(executor)
    const keys: Check[] = []
    for (const realm of realmIds(config))
      keys.push(await checkKeys(provider, realm, Math.floor(Date.now() / 1000)))
    const { kind } = config.storage
    const answers = ok('database', `answers, and its schema is this version's (${kind})`)
    return [answers, ...(await checkDemo(config, executor)), clock, ...keys]
  } catch (error) {
    return [refused(config, error)]
  } finally {
    await executor?.close()
  }
}

async function checkClock(executor: Executor): Promise<Check> {
  const before = Date.now()
  const [row] = await executor.query<{ now: number }>(
    'select extract(epoch from clock_timestamp())::float8 as now',
  )
  const between = (before + Date.now()) / 2000
  const skew = Math.round((row?.now ?? 0) - between)
  if (Math.abs(skew) <= MAX_SKEW) return ok('clock', 'this machine and the database agree')
  return fault(
    'clock',
    `this machine is ${Math.abs(skew)} s ${skew > 0 ? 'behind' : 'ahead of'} the database`,
    'Set both by NTP: with different clocks, codes and tokens end too early or too late.',
  )
}

function refused({ storage }: HostConfig, error: unknown): Check {
  if (error instanceof FolderInUseError)
    return note(
      'database',
      error.message,
      'If that is the server, all is well: stop it to have a look inside.',
    )
  if (error instanceof SchemaError)
    return fault(
      'database',
      error.message,
      error.state === 'older' ? 'ostiary migrate runs them.' : 'See docs/commands.md.',
    )
  if (storage.kind === 'embedded' || storage.kind === 'memory')
    return fault(
      'database',
      messageIn(error),
      'Restore the folder from a backup, or delete it to start afresh.',
    )
  const place = hidden(storage.database_url)
  const code = codeOf(error)
  if (code === '28P01' || code === '28000')
    return fault('database', `${place} refuses the user or the password`, 'Correct both in DATABASE_URL.')
  if (code === '3D000')
    return fault('database', `${place}: there is no such database`, 'Create it, or correct DATABASE_URL.')
  if (code === '42501')
    return fault(
      'database',
      `${place}: the user may not read its tables`,
      'Grant that, or name their owner in DATABASE_URL.',
    )
  if (/^(?:E[A-Z]+|CONNECT_TIMEOUT|CONNECTION_\w+|57P03)$/.test(code))
    return fault(
      'database',
      `${place} does not answer (${code})`,
      'Start it, or correct DATABASE_URL; look at the firewall.',
    )
  return fault('database', messageIn(error), 'Correct DATABASE_URL, or ask whoever runs the database.')
}

const messageIn = (error: unknown): string =>
  error instanceof ConfigError ? error.message : storageError(THE_DATABASE, error).message
