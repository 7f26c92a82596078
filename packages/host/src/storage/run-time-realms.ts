/** The realms that were made at run time, where the configuration has them. Their package is loaded then. */

import type { Provider, ProviderOptions, Storage } from '@ostiary/core'
import type { IdentitySettings, PasswordRealm, PasswordRules } from '@ostiary/identity'
import type { RealmCounts, RealmPurge, RealmRecord, RunTimeRealms } from '@ostiary/realms'
import type { Executor } from '@ostiary/storage-postgres'
import type { HostConfig } from '../config/host-config.js'
import { realmIds } from '../config/realm-ids.js'
import {
  configuredPlace,
  type MadeRealm,
  madeRealmFaults,
  readMadeRealm,
  withMadeRealms,
} from '../config/realms/run-time.js'
import type { HostStorage } from './host-storage.js'

type StoredRealm = Pick<RealmRecord, 'id' | 'settings'>

/** The realms of a server that were made at run time. */
export interface HostRealms extends RunTimeRealms {
  /** The option `realms` of `createProvider`. */
  lookUp: NonNullable<ProviderOptions['realms']>
  /** Of a realm of the provider that the configuration does not name. @throws RealmNotReadError */
  identity(id: string): IdentitySettings
  passwordRules(realm: PasswordRealm): PasswordRules | null
  /** What ends with a realm. */
  count(id: string): Promise<RealmCounts>
  /** Tells the provider of changes. */
  attach(provider: Pick<Provider, 'forgetRealm'>): void
  /** Deletes what is stored of deleted realms. */
  purge: RealmPurge
  stop(): Promise<void>
}

interface Dependencies {
  storage: Pick<HostStorage, 'records' | 'deleteQuick'>
  /** Epoch seconds. */
  now: () => number
  /** Called when a realm could not be purged. */
  failed: (error: unknown) => void
}

interface ReadRealm extends MadeRealm {
  rules: ((realm: PasswordRealm) => PasswordRules) | null
}

/** Null without `realms_at_run_time`. */
export async function realmsOf(
  config: HostConfig,
  { storage: { records, deleteQuick }, now, failed }: Dependencies,
): Promise<HostRealms | null> {
  if (!config.realms_at_run_time || records === undefined) return null
  const { countRealm, databaseRealms, realmDirectory, realmIdFault, realmPurge } = await import(
    '@ostiary/realms'
  )
  const store = databaseRealms(records)
  const configured = new Set(realmIds(config))
  let forget: (id: string) => void = () => {}
  const directory = realmDirectory<ReadRealm>({
    store,
    read: async ({ id, settings }) => {
      const realm = readMadeRealm(config, id, settings)
      const { password_rules } = realm
      const rules = password_rules && (await import('@ostiary/password-rules')).passwordRules(password_rules)
      return { ...realm, rules }
    },
    changed: (id) => forget(id),
  })
  const purge = realmPurge({
    store,
    db: records,
    sharded: 'database' in config.storage && config.storage.database.sharded,
    now,
    failed,
    ...(deleteQuick && { elsewhere: deleteQuick }),
  })
  return {
    store,
    async check(id, settings) {
      const message = configured.has(id) ? null : realmIdFault(id)
      return [
        ...(message === null ? [] : [{ path: 'id', message }]),
        ...madeRealmFaults(config, id, settings),
      ]
    },
    configured: (id) => configuredPlace(config, id),
    changed: directory.changed,
    ids: async () => [...new Set([...configured, ...(await directory.ids())])],
    lookUp: async (id) => (await directory.find(id))?.oidc ?? null,
    identity: (id) => directory.current(id).identity,
    passwordRules: (realm) => directory.current(realm.id).rules?.(realm) ?? null,
    count: (id) => countRealm(records, id, elsewhere(config)),
    attach(provider) {
      forget = provider.forgetRealm
    },
    purge,
    async stop() {
      directory.stop()
      await purge.stop()
    },
  }
}

/** What is not in the database that has the realms. */
function elsewhere({ storage }: HostConfig): (keyof RealmCounts)[] {
  if ('database' in storage && storage.database.sharded) return ['users', 'sessions', 'grants', 'consents']
  return storage.kind === 'postgres and redis' && storage.sessions === 'redis' ? ['sessions'] : []
}

/** The settings of the sign-in of a realm. */
export const identityOf = (
  config: HostConfig,
  realms: HostRealms | null,
): ((id: string) => IdentitySettings) => {
  const configured = new Set(realmIds(config))
  return (id) =>
    realms === null || configured.has(id) ? (config.realms[id]?.identity ?? {}) : realms.identity(id)
}

/** A storage whose background work is that of all realms, also of those that this process has not used. A database finds them by itself. */
export const ofAllRealms = (
  { storage, deleteQuick }: Pick<HostStorage, 'storage' | 'deleteQuick'>,
  realms: HostRealms | null,
): Storage => {
  const { background } = storage
  if (realms === null || background === undefined || deleteQuick === undefined) return storage
  return Object.assign((id: string) => storage(id), storage, {
    background: {
      ...background,
      due: async (question: Parameters<typeof background.due>[0]) =>
        background.due({ ...question, realms: await realms.ids() }),
    },
  })
}

/** Realms that one statement reads. */
const PAGE = 1000

/** The configuration of a command, as if it named the realms of the database too. @param realm That one alone. */
export async function withStoredRealms(
  config: HostConfig,
  { records }: Pick<HostStorage, 'records'>,
  realm?: string,
): Promise<HostConfig> {
  if (!config.realms_at_run_time || records === undefined) return config
  if (realm !== undefined && configuredPlace(config, realm) !== null) return config
  const { databaseRealms } = await import('@ostiary/realms')
  const store = databaseRealms(records)
  if (realm !== undefined) {
    const found = await store.find(realm)
    return withMadeRealms(config, found === null || found.disabled_at !== null ? [] : [found])
  }
  const made: RealmRecord[] = []
  for (let page = await store.list({ limit: PAGE }); page.length > 0; ) {
    made.push(...page)
    page = await store.list({ limit: PAGE, after: page.at(-1)?.id ?? '' })
  }
  return withMadeRealms(
    config,
    made.filter(({ id }) => configuredPlace(config, id) === null),
  )
}

/** The settings of a realm that was made at run time; null of one of the configuration. */
export async function storedSettings(
  config: HostConfig,
  records: Executor,
  id: string,
): Promise<StoredRealm['settings'] | null> {
  if (!config.realms_at_run_time || configuredPlace(config, id) !== null) return null
  const { databaseRealms } = await import('@ostiary/realms')
  return (await databaseRealms(records).find(id))?.settings ?? null
}

/** A realm that an import makes. */
export interface CarriedRealm {
  /** As if it named the realm. */
  config: HostConfig
  /** @param now Epoch seconds. */
  make(now: number): Promise<void>
}

/** @returns Null where there is a realm with its id; a text: why it cannot be made here. */
export async function carriedRealm(
  config: HostConfig,
  records: Executor,
  realm: StoredRealm,
): Promise<CarriedRealm | string | null> {
  const { id, settings } = realm
  if (realmIds(config).includes(id)) return null
  const { databaseRealms, realmIdFault } = await import('@ostiary/realms')
  const store = databaseRealms(records)
  if ((await store.find(id)) !== null)
    return `the realm ${id} was deleted here, and its id is not used again: import it as another one with --realm`
  const named = realmIdFault(id)
  const faults = [
    ...(named === null ? [] : [{ path: 'id', message: named }]),
    ...madeRealmFaults(config, id, settings),
  ]
  if (faults.length > 0) return faults.map(({ path, message }) => `settings.${path}: ${message}`).join('\n')
  return {
    config: withMadeRealms(config, [realm]),
    async make(now) {
      await store.create(realm, now)
    },
  }
}
