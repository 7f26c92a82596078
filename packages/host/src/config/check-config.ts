/** Finds the faults of a configuration beyond the shape of its keys, before anything is started or stored. */

import {
  ConfigError,
  type ConfigFault,
  clientFaults,
  createProvider,
  type Provider,
  type Realm,
} from '@ostiary/core'
import { memoryStorage } from '@ostiary/core/memory'
import { createIdentity, memoryUsers, type Theme, ThemeError } from '@ostiary/identity'
import { guardedDocuments } from '../network/guarded-fetch.js'
import { given } from '../values/given.js'
import { type ClientEntry, DEFAULT_REALM, type RealmEntries, type UserEntry } from './entries.js'
import { hasPasswords } from './has-passwords.js'
import type { UncheckedConfig } from './host-config.js'
import { identityFaults } from './identity-settings.js'
import { findRealm } from './realms/find-realm.js'

/** The result of `checkConfig`. */
export interface CheckedConfig {
  faults: ConfigFault[]
  /** The origin of all URLs; empty when `oidc` has a fault. */
  issuer: string
}

/** Core checks `oidc` first: without valid settings, clients and users cannot be checked. */
export async function checkConfig(config: UncheckedConfig): Promise<CheckedConfig> {
  const theme = themeFaults(config)
  const provider = tryProvider(config)
  if ('faults' in provider) return { faults: [...provider.faults, ...theme], issuer: '' }
  const faults: ConfigFault[] = []
  for (const [id, entries] of Object.entries(config.realms)) {
    const realm = await findRealm(provider, id)
    if (realm) faults.push(...realmFaults(realm, entries))
    else faults.push(...unknownRealmFaults(id, entries))
  }
  return { faults: [...faults, ...theme], issuer: new URL(provider.url('oidc.jwks')).origin }
}

const realmFaults = (realm: Realm, { clients, users, identity }: RealmEntries): ConfigFault[] => [
  ...clients.flatMap((client) => entryFaults(realm, client)),
  ...(hasPasswords(identity) ? [] : users.flatMap(passwordFaults)),
  ...identityFaults(identity, realm.issuer, realm.id === DEFAULT_REALM ? '' : `realms.${realm.id}.`),
]

const passwordFaults = ({ path, user, unset_variable }: UserEntry): ConfigFault[] =>
  user.password === undefined && unset_variable === undefined
    ? []
    : [
        {
          path,
          message:
            'it has a password, and identity.password.enabled is false: remove the password, and let the user in with ostiary user recovery-link',
        },
      ]

function unknownRealmFaults(id: string, { clients, users, mail }: RealmEntries): ConfigFault[] {
  if (id !== DEFAULT_REALM)
    return [{ path: `realms.${id}`, message: 'there is no such realm in oidc.realms' }]
  const message =
    'this key at the top level belongs to the realm default, which is not in oidc.realms; write it under realms.<id>'
  return [
    ...(clients.length > 0 ? [{ path: 'clients', message }] : []),
    ...(users.length > 0 ? [{ path: 'users', message }] : []),
    ...(mail ? [{ path: 'identity.mail', message }] : []),
  ]
}

/** For a provider that only checks the settings: it seals and signs nothing. */
const PLACEHOLDER_SECRET = 'a placeholder, because no key is encrypted with this secret'

/** A provider with these settings, or what is wrong with them. */
export function tryProvider({
  oidc,
  app_url,
  realms_at_run_time,
}: Pick<UncheckedConfig, 'oidc' | 'app_url' | 'realms_at_run_time'>):
  | Provider
  | { faults: readonly ConfigFault[] } {
  try {
    return createProvider({
      oidc,
      ...given({ app_url }),
      secret: PLACEHOLDER_SECRET,
      storage: memoryStorage(),
      accounts: { find: async () => null },
      fetch_document: guardedDocuments(),
      interactions: { login: async () => new Response(null) },
      // Then the configuration may name no realm.
      ...(realms_at_run_time && oidc.routes?.realms === 'path' && { realms: async () => null }),
    })
  } catch (error) {
    if (error instanceof ConfigError) return { faults: error.faults }
    throw error
  }
}

const entryFaults = (realm: Realm, { path, metadata, client_secret }: ClientEntry): ConfigFault[] =>
  clientFaults(realm, metadata, client_secret !== null).map(({ field, fault }) => ({
    path: `${path}.${field}`,
    message: fault,
  }))

/** Each part alone, so that a fault does not hide those of others. */
function themeFaults({ theme = {} }: UncheckedConfig): ConfigFault[] {
  const { variables = {}, dark_variables = {}, ...others } = theme
  const single = (key: 'variables' | 'dark_variables', values: object): Theme[] =>
    Object.entries(values).map(([name, value]) => ({ [key]: { [name]: value } }))
  const parts = [
    ...Object.entries(others).map(([key, value]): Theme => ({ [key]: value })),
    ...single('variables', variables),
    ...single('dark_variables', dark_variables),
  ]
  return parts.flatMap(themeFault)
}

function themeFault(theme: Theme): ConfigFault[] {
  try {
    const throttle = () => memoryStorage()(DEFAULT_REALM).throttle
    createIdentity({ users: memoryUsers(), throttle, secret: PLACEHOLDER_SECRET, theme })
    return []
  } catch (error) {
    if (error instanceof ThemeError) return [error.fault]
    throw error
  }
}
