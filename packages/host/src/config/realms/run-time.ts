/** The key `realms_at_run_time`, and the settings of realms that are made at run time. */

import { basename } from 'node:path'
import { ConfigError, type ConfigFault, configFaults, type RealmConfig, readBy } from '@ostiary/core'
import type { IdentitySettings } from '@ostiary/identity'
import type { ReadKeys, RealmRecord, SettingsRules } from '@ostiary/realms'
import { given } from '../../values/given.js'
import { tryProvider } from '../check-config.js'
import { DEFAULT_REALM } from '../entries.js'
import type { HostConfig } from '../host-config.js'
import { identityFaults, identitySchema, identitySettings } from '../identity-settings.js'
import { type PasswordSettings, passwordKeyFaults } from '../password-settings.js'
import { realmIds } from '../realm-ids.js'
import { withMeantKey } from '../suggestions.js'

/** A realm as it is stored. */
export type StoredRealm = Pick<RealmRecord, 'id' | 'settings'>

/** What keys of `identity` mean. */
export interface MadeIdentity {
  identity: IdentitySettings
  /** Null: its passwords have no rules. */
  password_rules: PasswordSettings | null
}

/** The settings of a realm, as the parts of a server take them. */
export interface MadeRealm extends MadeIdentity {
  /** Over the keys of `oidc`. */
  oidc: RealmConfig
}

/** The rules of this configuration for the settings of a realm. */
export const settingsRules = (config: HostConfig): SettingsRules<MadeIdentity> => ({
  oidcFaults(id, oidc) {
    const tried = tryProvider({ ...config, oidc: { ...config.oidc, realms: { [id]: oidc } } })
    return 'faults' in tried ? tried.faults.map(withMeantKey).map(told) : []
  },
  identity_keys: Object.keys(identitySchema.shape),
  readIdentity(id, keys) {
    const result = readBy(identitySchema, keys)
    if (!result.success)
      return { faults: configFaults(result.error, 'identity').map(withMeantKey).map(told), identity: null }
    return readKeys(result.data, `${config.issuer}/realms/${id}`)
  },
})

function readKeys(keys: ReturnType<typeof identitySchema.parse>, issuer: string): ReadKeys<MadeIdentity> {
  const { rules, min_length } = keys.password
  const identity = identitySettings(keys)
  return {
    faults: [
      ...passwordKeyFaults(keys.password, 'identity.password'),
      ...identityFaults(identity, issuer, ''),
    ],
    identity: {
      identity,
      password_rules: rules ? { ...given({ min_length }), also_refused: [] } : null,
    },
  }
}

const told = ({ path, message, meant }: ConfigFault): ConfigFault => ({
  path,
  message,
  ...given({ meant }),
})

/** Reads what is stored of a realm. @throws ConfigError when it is wrong, as after a change of the configuration. */
export async function readMadeRealm(config: HostConfig, { id, settings }: StoredRealm): Promise<MadeRealm> {
  const { readIdentity } = await import('@ostiary/realms')
  const { faults, identity } = readIdentity(settingsRules(config), id, settings)
  if (faults.length > 0 || identity === null)
    throw new ConfigError(faults.map((fault) => ({ ...fault, path: `realms.${id}.${fault.path}` })))
  return { ...identity, oidc: (settings.oidc ?? {}) as RealmConfig }
}

/** Where the configuration names the realm; null when it does not. */
export function configuredPlace(config: HostConfig, id: string): { file: string | null; key: string } | null {
  // Administrators elsewhere need no path of the machine.
  const file = config.file === null ? null : basename(config.file)
  if (realmIds(config).includes(id)) return { file, key: `oidc.realms.${id}` }
  // The settings of the top level are of this realm, also where it is not among those of the configuration.
  return id === DEFAULT_REALM ? { file, key: 'oidc' } : null
}

/** The configuration, as if it named these realms too, which it does not. */
export async function withMadeRealms(config: HostConfig, made: readonly StoredRealm[]): Promise<HostConfig> {
  if (made.length === 0) return config
  const oidc: Record<string, RealmConfig> = { ...config.oidc.realms }
  const realms = { ...config.realms }
  const password_rules = { ...config.password_rules }
  for (const stored of made) {
    const realm = await readMadeRealm(config, stored)
    oidc[stored.id] = realm.oidc
    realms[stored.id] = { clients: [], users: [], identity: realm.identity, mail: null }
    if (realm.password_rules !== null) password_rules[stored.id] = realm.password_rules
  }
  return { ...config, oidc: { ...config.oidc, realms: oidc }, realms, password_rules }
}

/** @returns What else the key needs. */
export function runTimeFaults({
  realms_at_run_time,
  oidc,
  storage,
}: Pick<HostConfig, 'realms_at_run_time' | 'oidc' | 'storage'>): ConfigFault[] {
  if (!realms_at_run_time) return []
  const path = 'realms_at_run_time'
  const faults: ConfigFault[] = []
  if (oidc.routes?.realms !== 'path')
    faults.push({ path, message: 'it needs a path for each realm: set oidc.routes.realms to path' })
  if (storage.kind === 'memory')
    faults.push({
      path,
      message:
        'it needs a database, in which the realms are: set DATABASE_URL, or remove storage: memory for the embedded database',
    })
  return faults
}
