/** Opens a realm for the commands, with or without a running server. */

import type { Audit } from '@ostiary/audit'
import {
  ConfigError,
  createProvider,
  type Management,
  type Provider,
  type Realm,
  type RealmStorage,
  SealedKeyError,
} from '@ostiary/core'
import type { EmailSignIn } from '@ostiary/email-sign-in'
import type { FactorStore, LinkStore, RememberedDeviceStore, TicketStore, UserStore } from '@ostiary/identity'
import type { Executor } from '@ostiary/storage-postgres'
import { openAudit } from '../audit/open-audit.js'
import { configuredLog } from '../config/configured-log.js'
import { DEFAULT_REALM, type RealmEntries } from '../config/entries.js'
import type { Environment } from '../config/environment.js'
import type { HostConfig } from '../config/host-config.js'
import { readConfig } from '../config/read-config.js'
import { realmIds } from '../config/realm-ids.js'
import { NO_CONFIGURATION } from '../config/try-out.js'
import { guardedDocuments } from '../network/guarded-fetch.js'
import { realmOf } from '../server/realm-of.js'
import { emailSignInOf } from '../storage/email-sign-in.js'
import type { HostStorage } from '../storage/host-storage.js'
import { openStorage } from '../storage/open-storage.js'
import { withStoredRealms } from '../storage/run-time-realms.js'
import { lostSecretError } from '../storage/storage-error.js'

/** What `manageRealm` takes. */
export interface ManageOptions {
  /** Where relative paths of the configuration start. */
  cwd: string
  /** `default` when absent. */
  realm?: string
  /** Called with each line of the log, without its line break. */
  write: (line: string) => void
}

/** One realm, with its storage open. */
export interface Workspace extends Pick<HostStorage, 'mails'>, OptionalParts {
  /** The stores of all realms. */
  opened: HostStorage
  /** The database, for parts that have statements of their own. */
  records: Executor | undefined
  provider: Provider
  management: Management
  storage: RealmStorage
  users: UserStore
  factors: FactorStore
  tickets: TicketStore
  links: LinkStore
  remembered_devices: RememberedDeviceStore
  /** What the configuration names. */
  entries: RealmEntries
  realm: Realm
  config: HostConfig
  /** Whether there is a realm with this id; absent without `realms_at_run_time`. */
  knownRealm?: (id: string) => Promise<boolean>
}

/** The realm does not exist. The message names the existing ones. */
export class RealmError extends Error {
  constructor(id: string, known: readonly string[]) {
    super(`There is no realm ${id}; name one with --realm: ${known.join(', ')}`)
    this.name = 'RealmError'
  }
}

/**
 * Opens the storage that the configuration names, runs, and closes it again.
 * @throws ConfigError, StorageError, RealmError
 */
export async function manageRealm<T>(
  env: Environment,
  { realm = DEFAULT_REALM, ...options }: ManageOptions,
  run: (workspace: Workspace) => Promise<T>,
): Promise<T> {
  const read = await readManageableConfig(env, options.cwd)
  // Others may be in the database.
  if (!read.realms_at_run_time) requireRealm(read, realm)
  return withStorage(read, { ...options, env }, async (opened, optional) => {
    const config = await withStoredRealms(read, opened, realm)
    requireRealm(config, realm)
    const { audit } = optional
    const { users, factors, tickets, links, remembered_devices, mails, records } = opened
    const provider = managingProvider(config, opened, audit)
    return run({
      ...optional,
      opened,
      provider,
      management: await provider.manage(realm),
      storage: (audit?.storage(opened.storage) ?? opened.storage)(realm),
      users: users(realm),
      factors: factors(realm),
      tickets: tickets(realm),
      links: links(realm),
      remembered_devices: remembered_devices(realm),
      mails,
      records,
      entries: config.realms[realm] ?? { clients: [], users: [], identity: {}, mail: null },
      config,
      realm: await realmOf(provider, realm),
      ...(read.realms_at_run_time && {
        knownRealm: async (id: string) => realmIds(await withStoredRealms(read, opened, id)).includes(id),
      }),
    })
  })
}

/** @throws RealmError */
export function requireRealm(config: HostConfig, realm: string): void {
  if (!realmIds(config).includes(realm)) throw new RealmError(realm, realmIds(config))
}

/** One realm of several, with its storage open. */
export interface OpenRealm extends Pick<Workspace, 'management' | 'factors' | 'config'> {
  id: string
}

/** All realms, with their storage open. */
export interface OpenRealms extends Pick<HostStorage, 'mails'> {
  config: HostConfig
  /** Runs for each realm, one after the other. Returns the results by realm id. */
  each<T>(run: (realm: OpenRealm) => Promise<T>): Promise<Record<string, T>>
}

/** @throws ConfigError, StorageError */
export async function manageEveryRealm<T>(
  env: Environment,
  options: Omit<ManageOptions, 'realm'>,
  run: (realms: OpenRealms) => Promise<T>,
): Promise<T> {
  const read = await readManageableConfig(env, options.cwd)
  return withStorage(read, { ...options, env }, async (opened, { audit }) => {
    const config = await withStoredRealms(read, opened)
    const provider = managingProvider(config, opened, audit)
    return run({
      config,
      mails: opened.mails,
      async each<R>(runIn: (realm: OpenRealm) => Promise<R>) {
        const results: Record<string, R> = {}
        for (const id of realmIds(config)) {
          const management = await provider.manage(id)
          results[id] = await runIn({ id, management, factors: opened.factors(id), config })
        }
        return results
      },
    })
  })
}

export async function readManageableConfig(env: Environment, cwd: string): Promise<HostConfig> {
  const config = await readConfig(env, cwd, { entry_secrets: false })
  // Most likely the wrong folder. Keys would be encrypted with a secret that is not stored, and lost.
  if (config.try_out?.stored === false)
    throw new ConfigError({
      path: '',
      message: `${NO_CONFIGURATION}: go to its folder, name the file with OSTIARY_CONFIG, or start the server first`,
    })
  if (config.storage.kind === 'memory')
    throw new ConfigError({
      path: 'storage',
      message: 'a command cannot reach records in the memory of a server; name a database',
    })
  return config
}

/** For what reads or writes everything in one transaction. @throws ConfigError when the database is several PostgreSQL. */
export function requireUndivided({ storage }: Pick<HostConfig, 'storage'>): void {
  if (!('database' in storage) || !storage.database.sharded) return
  throw new ConfigError({
    path: 'database.sharded',
    message:
      'the command works on one PostgreSQL, in one transaction: copy a divided database with pg_dump, PostgreSQL by PostgreSQL',
  })
}

/** Null where the configuration has none. */
interface OptionalParts {
  audit: Audit | null
  by_email: EmailSignIn | null
}

/** Opens the stores: each change of a user is entered for the sign-in by address, and has its row in the audit. */
export async function withStorage<T>(
  config: HostConfig,
  { write, env }: Pick<ManageOptions, 'write'> & { env: Environment },
  run: (opened: HostStorage, parts: OptionalParts) => Promise<T>,
): Promise<T> {
  const opened = await openStorage(config.storage, configuredLog(config, write), { guarded: false })
  try {
    const by_email = await emailSignInOf(config, opened)
    const stores = by_email ? { ...opened, users: by_email.users } : opened
    const audit = await openAudit(config, { storage: opened, env })
    return await run(audit?.stores(stores) ?? stores, { audit, by_email }).finally(audit?.stop)
  } catch (cause) {
    if (cause instanceof SealedKeyError) throw lostSecretError(cause, config)
    throw cause
  } finally {
    await opened.close()
  }
}

/** The same, and each change has its row in the audit. */
function managingProvider(config: HostConfig, opened: HostStorage, audit: Audit | null): Provider {
  const provider = bareProvider(config, opened)
  return audit?.provider(provider) ?? provider
}

/** A provider for management: it takes no requests. */
export function bareProvider(
  { oidc, secret, previous_secret, app_url, realms_at_run_time }: HostConfig,
  { storage, users }: Pick<HostStorage, 'storage' | 'users'>,
): Provider {
  return createProvider({
    oidc,
    secret,
    storage,
    ...(previous_secret !== undefined && { previous_secret }),
    ...(app_url !== undefined && { app_url }),
    // Then there may be no realm yet.
    ...(realms_at_run_time && { realms: async () => null }),
    // Disabled users too: no client may have their `sub` as its client_id.
    accounts: {
      async find(sub, realm) {
        const user = await users(realm.id).find(sub)
        return user && { sub, claims: {} }
      },
    },
    // Without a sink, the development log would write events to standard error.
    on_event: () => {},
    fetch_document: guardedDocuments(),
    interactions: { login: async () => new Response(null, { status: 404 }) },
  })
}

/** A command that works on a database as a whole. */
interface DatabaseCommand extends Pick<ManageOptions, 'write'> {
  env: Environment
  /** Its row in the audit, of which realm it is; that of the first one when absent. Null: it changes nothing. */
  row: { type: string; realm?: string } | null
  /** Whether an embedded database must have no server meanwhile. */
  alone?: boolean
}

/** All realms of the database. @throws StorageError when it cannot be opened. */
export async function inDatabase<T>(
  config: HostConfig,
  { write, env, row, alone }: DatabaseCommand,
  run: (executor: Executor, config: HostConfig) => Promise<T>,
): Promise<T> {
  const { storage } = config
  if (storage.kind === 'memory') throw new Error('The records are in memory')
  const { openDatabase } = await import('../storage/durable-storage.js')
  const executor = await openDatabase(
    storage,
    configuredLog(config, write),
    alone ? {} : { socket: 'connect' },
  )
  try {
    const stored = await withStoredRealms(config, { records: executor })
    const audit = row && (await openAudit(config, { storage: { records: executor }, env }))
    if (!audit) return await run(executor, stored)
    const [realm = DEFAULT_REALM] = realmIds(config)
    return await audit.change({ realm, ...row }, () => run(executor, stored)).finally(audit.stop)
  } finally {
    await executor.close()
  }
}
