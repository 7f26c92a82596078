/** The key `realms_at_run_time`, and the settings of realms that are made at run time. */

import { basename } from 'node:path'
import { ConfigError, type ConfigFault, configFaults, type RealmConfig, readBy } from '@ostiary/core'
import type { IdentitySettings } from '@ostiary/identity'
import { given } from '../../values/given.js'
import { tryProvider } from '../check-config.js'
import { DEFAULT_REALM } from '../entries.js'
import type { HostConfig } from '../host-config.js'
import { identityFaults, identitySchema, identitySettings } from '../identity-settings.js'
import { type PasswordSettings, passwordKeyFaults } from '../password-settings.js'
import { realmIds } from '../realm-ids.js'
import { withMeantKey } from '../suggestions.js'

/** What is stored of a realm. */
export interface StoredSettings {
  oidc?: Record<string, unknown>
  identity?: Record<string, unknown>
}

/** The settings of a realm, as the parts of a server take them. */
export interface MadeRealm {
  /** Over the keys of `oidc`. */
  oidc: RealmConfig
  identity: IdentitySettings
  /** Null: its passwords have no rules. */
  password_rules: PasswordSettings | null
}

/** Keys of `identity` that need nothing but their value. */
const IDENTITY_KEYS: readonly string[] = [
  'passkeys',
  'second_factor',
  'password',
  'enrolment',
  'remember_device',
]

const AT_START =
  'only a realm of the configuration has it: the server reads at its start what it needs, such as files, variables, and which realms have it. Leave it out'
const OTHER_MEMBERS: Readonly<Record<string, string>> = {
  theme: 'a realm has no theme of its own: leave it out, and set theme of the configuration',
  clients: 'the settings of a realm have no clients: make them when the realm is there',
  users: 'the settings of a realm have no users: make them when the realm is there',
}

/** What is wrong with the settings, with the paths of a file: `oidc.tokens.access_token`. */
export function madeRealmFaults(config: HostConfig, id: string, settings: StoredSettings): ConfigFault[] {
  const shape = shapeFaults(settings)
  if (shape.length > 0) return shape
  return [...oidcFaults(config, id, settings), ...identityKeyFaults(config, id, settings)]
}

function shapeFaults(settings: StoredSettings): ConfigFault[] {
  const members = Object.entries(settings)
  const faults = members.flatMap(([path, value]): ConfigFault[] => {
    if (path !== 'oidc' && path !== 'identity')
      return [{ path, message: OTHER_MEMBERS[path] ?? 'unknown: a realm has the members oidc and identity' }]
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? []
      : [{ path, message: `give an object of ${path} keys` }]
  })
  if (JSON.stringify(settings).includes('"__proto__":'))
    faults.push({ path: '', message: 'no key has the name __proto__: leave it out' })
  return faults
}

function oidcFaults(config: HostConfig, id: string, { oidc = {} }: StoredSettings): ConfigFault[] {
  const tried = tryProvider({ ...config, oidc: { ...config.oidc, realms: { [id]: oidc } } })
  if (!('faults' in tried)) return []
  const above = `oidc.realms.${id}`
  return tried.faults.map((fault) => {
    const { path, ...rest } = told(withMeantKey(fault))
    return { path: path.startsWith(above) ? `oidc${path.slice(above.length)}` : path, ...rest }
  })
}

function identityKeyFaults(config: HostConfig, id: string, { identity = {} }: StoredSettings): ConfigFault[] {
  const others = Object.keys(identity).filter(
    (key) => key in identitySchema.shape && !IDENTITY_KEYS.includes(key),
  )
  const refused = others.map((key) => ({ path: `identity.${key}`, message: AT_START }))
  const result = readBy(identitySchema, withoutKeys(identity, others))
  if (!result.success)
    return [...refused, ...configFaults(result.error, 'identity').map(withMeantKey).map(told)]
  const { password } = result.data
  const file =
    password.blocklist_file === undefined
      ? []
      : [
          {
            path: 'identity.password.blocklist_file',
            message: 'it names a file of the machine: leave it out',
          },
        ]
  const { issuer } = issuerOf(config, id)
  return [
    ...refused,
    ...file,
    ...passwordKeyFaults(password, 'identity.password'),
    ...identityFaults(identitySettings(result.data), issuer, ''),
  ]
}

const withoutKeys = (keys: Record<string, unknown>, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(Object.entries(keys).filter(([key]) => !names.includes(key)))

const told = ({ path, message, meant }: ConfigFault): ConfigFault => ({
  path,
  message,
  ...given({ meant }),
})

const issuerOf = ({ issuer }: HostConfig, id: string): { issuer: string } => ({
  issuer: `${issuer}/realms/${id}`,
})

/** Reads what is stored of a realm. @throws ConfigError when it is wrong, as after a change of the configuration. */
export function readMadeRealm(config: HostConfig, id: string, settings: StoredSettings): MadeRealm {
  const faults = identityKeyFaults(config, id, settings)
  const { oidc = {}, identity = {} } = settings
  const read = readBy(identitySchema, identity)
  if (faults.length > 0 || !read.success)
    throw new ConfigError(faults.map((fault) => ({ ...fault, path: `realms.${id}.${fault.path}` })))
  const { rules, min_length } = read.data.password
  return {
    oidc: oidc as RealmConfig,
    identity: identitySettings(read.data),
    password_rules: rules ? { ...given({ min_length }), also_refused: [] } : null,
  }
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
export function withMadeRealms(
  config: HostConfig,
  made: readonly { id: string; settings: StoredSettings }[],
): HostConfig {
  if (made.length === 0) return config
  const read = made.map(({ id, settings }) => ({ id, ...readMadeRealm(config, id, settings) }))
  const byId = <T>(of: (realm: (typeof read)[number]) => T) =>
    Object.fromEntries(read.map((realm) => [realm.id, of(realm)]))
  const rules = read.flatMap(({ id, password_rules }) => (password_rules ? [[id, password_rules]] : []))
  return {
    ...config,
    oidc: { ...config.oidc, realms: { ...config.oidc.realms, ...byId(({ oidc }) => oidc) } },
    realms: {
      ...config.realms,
      ...byId(({ identity }) => ({ clients: [], users: [], identity, mail: null })),
    },
    password_rules: { ...config.password_rules, ...Object.fromEntries(rules) },
  }
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
