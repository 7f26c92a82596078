/** Finds what is wrong with a configuration beyond the shape of its file, before anything is started or stored. */

import {
  ConfigError,
  clientFaults,
  createProvider,
  type OidcConfig,
  type Provider,
  type Realm,
} from '@ostiary/core'
import { memoryStorage } from '@ostiary/core/memory'
import { createIdentity, memoryUsers, ThemeError } from '@ostiary/identity'
import type { HostConfig } from './config.js'
import { type ClientEntry, DEFAULT_REALM } from './entries.js'

export type Unchecked = Omit<HostConfig, 'issuer'>

/**
 * Every fault with its path. Core reports those of `oidc`, which come first: no realm can be judged without it.
 * `issuer`: the origin, when there is no fault in `oidc`.
 */
export async function checkConfig(config: Unchecked): Promise<{ faults: string[]; issuer: string }> {
  const theme = themeFaults(config)
  const provider = tryProvider(config.oidc, config.app_url)
  if (!('locate' in provider)) return { faults: [...provider.faults, ...theme], issuer: '' }
  const faults: string[] = []
  for (const [id, { clients, users }] of Object.entries(config.realms)) {
    const realm = await realmOf(provider, id)
    if (realm) faults.push(...clients.flatMap((client) => entryFaults(realm, client)))
    else if (id !== DEFAULT_REALM) faults.push(`realms.${id}: there is no such realm in oidc.realms`)
    else if (clients.length + users.length > 0)
      faults.push(
        'clients, users: at the top level stand those of the realm default, which is not in oidc.realms; ' +
          'write them under realms.<id>',
      )
  }
  return { faults: [...faults, ...theme], issuer: new URL(provider.url('oidc.jwks')).origin }
}

/** The realm with this id, or null. */
export async function realmOf(provider: Provider, id: string): Promise<Realm | null> {
  const located = await provider.locate(new Request(provider.url('oidc.jwks', { realm: id })))
  // Without realms in the path, every URL is that of the realm default.
  return located?.realm.id === id ? located.realm : null
}

const SECRET = 'only to look at the settings: nothing is sealed with it'
const nobody = { find: async () => null }
const nothing = { login: async () => new Response(null) }

function tryProvider(oidc: OidcConfig, app_url?: string): Provider | { faults: string[] } {
  try {
    return createProvider({
      oidc,
      ...(app_url !== undefined && { app_url }),
      secret: SECRET,
      storage: memoryStorage(),
      accounts: nobody,
      interactions: nothing,
    })
  } catch (error) {
    if (error instanceof ConfigError) return { faults: error.message.split('\n') }
    throw error
  }
}

const entryFaults = (realm: Realm, { path, metadata, client_secret }: ClientEntry): string[] =>
  clientFaults(realm, metadata, client_secret !== null).map(
    ({ field, fault }) => `${path}.${field}: ${fault}`,
  )

function themeFaults({ theme }: Unchecked): string[] {
  if (!theme) return []
  try {
    const throttle = () => memoryStorage()(DEFAULT_REALM).throttle
    createIdentity({ users: memoryUsers(), throttle, secret: SECRET, theme })
    return []
  } catch (error) {
    if (error instanceof ThemeError) return [error.message]
    throw error
  }
}
