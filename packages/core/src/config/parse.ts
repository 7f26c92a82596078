/** Checks a configuration with the schema of config.ts, and merges the overrides of a realm. */

import { readBy } from '../util/schema-text.js'
import { type OidcConfig, type OidcSettings, oidcSchema } from './config.js'
import { ConfigError } from './config-error.js'
import { configFaults } from './faults.js'
import { withGroupsClaim } from './groups-claim.js'
import { isGroup, merge } from './merge.js'
import { withPreset } from './preset.js'
import { profileFaults, withProfile } from './profile.js'
import type { RealmConfig } from './realm-config.js'
import { withoutRetiredKeys } from './retired-keys.js'

/** The characters of a realm's id. It is part of URL paths, so `.` and `..` are refused as well. */
export const REALM_ID = /^[A-Za-z0-9._-]+$/

export interface ParsedConfig {
  settings: OidcSettings
  /** The raw overrides, by realm id. */
  realms: Record<string, RealmConfig>
  /** Settings of a realm with these overrides. */
  override(overrides: RealmConfig, path: string): OidcSettings
}

/**
 * Checks the `oidc.*` keys and fills in the defaults.
 * @param app_url Stands in for `oidc.issuer`.
 * @throws ConfigError when a key is unknown, missing or wrong.
 */
export function parseConfig(config: OidcConfig, app_url?: string): ParsedConfig {
  const { realms = {}, ...base } = config
  if (base.issuer === undefined && app_url !== undefined) base.issuer = app_url
  if (!isGroup(realms))
    throw new ConfigError({ path: 'oidc.realms', message: 'give an object of realms by their ids' })
  const settings = parseSettings(base, 'oidc')
  const override = (overrides: RealmConfig, path: string) => {
    if (!isGroup(overrides)) throw new ConfigError({ path, message: 'give an object of oidc keys' })
    for (const key of ['issuer', 'routes', 'realms'] as const)
      if (Object.hasOwn(overrides, key))
        throw new ConfigError({ path: `${path}.${key}`, message: 'a realm cannot override this key' })
    return parseSettings(merge(base, overrides) as RealmConfig, path)
  }
  for (const id of Object.keys(realms)) {
    const message = realmIdFault(id, settings)
    if (message !== null) throw new ConfigError({ path: `oidc.realms.${id}`, message })
  }
  return { settings, realms, override }
}

/** Why no realm can have this id, or null. */
function realmIdFault(id: string, { routes }: OidcSettings): string | null {
  if (!REALM_ID.test(id)) return 'a realm id consists of A-Z a-z 0-9 . _ -'
  if (id === '.' || id === '..') return 'this name cannot be part of a URL path'
  if (routes.realms === 'single' && id !== 'default')
    return 'set oidc.routes.realms to path to have other realms than default'
  return null
}

function parseSettings(raw: RealmConfig, path: string): OidcSettings {
  const { config: given, faults } = withoutRetiredKeys(raw, 'oidc', path)
  const config = given as RealmConfig
  const result = readBy(oidcSchema, withPreset(withProfile(config)))
  if (!result.success) faults.push(...configFaults(result.error, path, oidcSchema))
  if (!result.success || faults.length > 0) throw new ConfigError(faults)
  const settings = result.data
  const forbidden = profileFaults(settings, path)
  if (forbidden.length > 0) throw new ConfigError(forbidden)
  const { issuer } = settings
  if (issuer === undefined)
    throw new ConfigError({
      path: `${path}.issuer`,
      message:
        'missing, and app.url is not set either: give the public origin, such as https://id.example.com',
    })
  const { metadata_documents, private_key_jwt = metadata_documents.enabled } = settings.clients
  const claims = withGroupsClaim(settings)
  const provided = [...new Set([...settings.claims_supported, ...Object.keys(claims)])]
  return {
    ...settings,
    issuer,
    clients: { ...settings.clients, private_key_jwt },
    claims,
    claims_supported: config.claims_supported ?? provided,
  }
}
