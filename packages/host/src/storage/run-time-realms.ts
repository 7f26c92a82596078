/** The realms that were made at run time, where the configuration has them. Their package is loaded then. */

import type { ProviderOptions, Storage } from '@ostiary/core'
import type { IdentitySettings, PasswordRealm, PasswordRules } from '@ostiary/identity'
import type { ServerRealms, ServerRealmsOptions } from '@ostiary/realms'
import type { Executor } from '@ostiary/storage-postgres'
import type { HostConfig } from '../config/host-config.js'
import { realmIds } from '../config/realm-ids.js'
import {
  configuredPlace,
  type MadeRealm,
  readMadeRealm,
  type StoredRealm,
  settingsRules,
  withMadeRealms,
} from '../config/realms/run-time.js'
import type { HostStorage } from './host-storage.js'

interface ReadRealm extends MadeRealm {
  rules: ((realm: PasswordRealm) => PasswordRules) | null
}

/** The realms of a server that were made at run time. */
export interface HostRealms extends ServerRealms<ReadRealm> {
  /** The option `realms` of `createProvider`. */
  lookUp: NonNullable<ProviderOptions['realms']>
  /** Of a realm of the provider that the configuration does not name. @throws RealmNotReadError */
  identity(id: string): IdentitySettings
  passwordRules(realm: PasswordRealm): PasswordRules | null
}

interface Dependencies extends Pick<ServerRealmsOptions<unknown>, 'now' | 'failed'> {
  storage: Pick<HostStorage, 'records' | 'deleteQuick'>
}

/** Null without `realms_at_run_time`. */
export async function realmsOf(
  config: HostConfig,
  { storage: { records, deleteQuick }, ...dependencies }: Dependencies,
): Promise<HostRealms | null> {
  if (!config.realms_at_run_time || records === undefined) return null
  const { serverRealms } = await import('@ostiary/realms')
  const realms = serverRealms<ReadRealm>({
    ...dependencies,
    db: records,
    configured: realmIds(config),
    place: (id) => configuredPlace(config, id),
    rules: settingsRules(config),
    async read(stored) {
      const realm = await readMadeRealm(config, stored)
      const { password_rules } = realm
      const rules = password_rules && (await import('@ostiary/password-rules')).passwordRules(password_rules)
      return { ...realm, rules }
    },
    sharded: 'database' in config.storage && config.storage.database.sharded,
    elsewhere: elsewhere(config),
    ...(deleteQuick && { deleteElsewhere: deleteQuick }),
  })
  return {
    ...realms,
    lookUp: async (id) => (await realms.find(id))?.oidc ?? null,
    identity: (id) => realms.current(id).identity,
    passwordRules: (realm) => realms.current(realm.id).rules?.(realm) ?? null,
  }
}

/** What is not in the database that has the realms. */
function elsewhere({ storage }: HostConfig): ServerRealmsOptions<unknown>['elsewhere'] {
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

/** The configuration of a command, as if it named the realms of the database too. @param realm That one alone. */
export async function withStoredRealms(
  config: HostConfig,
  { records }: Pick<HostStorage, 'records'>,
  realm?: string,
): Promise<HostConfig> {
  if (!config.realms_at_run_time || records === undefined) return config
  if (realm !== undefined && configuredPlace(config, realm) !== null) return config
  const { allRealms, databaseRealms, findRealm } = await import('@ostiary/realms')
  const store = databaseRealms(records)
  if (realm !== undefined) {
    const found = await findRealm({ store }, realm)
    return withMadeRealms(config, found === null ? [] : [found])
  }
  const made = await allRealms(store)
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
  /** @param now Epoch seconds. @returns Why it could not be made; null when it is. */
  make(now: number): Promise<string | null>
}

/** @returns Null where there is a realm with its id, or the file has no settings; a text: why it cannot be made here. */
export async function carriedRealm(
  config: HostConfig,
  records: Executor,
  { id, settings }: Pick<StoredRealm, 'id'> & { settings?: StoredRealm['settings'] | undefined },
): Promise<CarriedRealm | string | null> {
  if (!config.realms_at_run_time || settings === undefined || realmIds(config).includes(id)) return null
  const { databaseRealms, importFault, makeImported } = await import('@ostiary/realms')
  const store = databaseRealms(records)
  const realm = { id, settings }
  const fault = await importFault(store, settingsRules(config), realm)
  if (fault !== null) return fault
  return {
    config: await withMadeRealms(config, [realm]),
    make: (now) => makeImported(store, realm, now),
  }
}
