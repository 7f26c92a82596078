/** `oidc.profile`: keys that are set together, and the values that no other key may undo (FAPI 2.0 Security Profile). */

import { FEATURE_CONFLICTS, type FeatureClientSettings } from '../features/declarations.js'
import type { ProfileRow } from '../util/profile-row.js'
import type { OidcSettings } from './config.js'
import type { ConfigFault } from './config-error.js'
import { isGroup, merge } from './merge.js'
import type { RealmConfig } from './realm-config.js'

/** ES256: one key, the cheapest of the permitted algorithms to sign with, and the shortest tokens. */
const FAPI2: RealmConfig = {
  clients: { private_key_jwt: true },
  dpop: 'on',
  par: 'required',
  keys: { algorithms: ['ES256'] },
}

/** The configuration with the keys of its profile. An unknown profile changes nothing: the schema refuses it. */
export function withProfile(config: RealmConfig): RealmConfig {
  if (config.profile !== 'fapi2') return config
  const merged = merge(FAPI2, config) as RealmConfig
  if (!isGroup(config.resources)) return merged
  const resources = Object.entries(config.resources).map(([key, resource]) => [key, boundResource(resource)])
  return { ...merged, resources: Object.fromEntries(resources) }
}

const boundResource = (resource: unknown): unknown =>
  isGroup(resource) ? { dpop: 'required', ...resource } : resource

/** Seconds (FAPI 2.0 Security Profile §5.3.2.1). */
const MAX_CODE_LIFETIME = 60

type ProfiledKey = 'dpop' | 'keys' | 'par' | 'preset' | 'profile' | 'resources' | 'tokens'
interface ProfiledSettings extends Pick<OidcSettings, ProfiledKey> {
  clients: FeatureClientSettings & { private_key_jwt?: boolean | undefined }
}

/** A key with a value that the profile forbids, and the values that it permits. */
interface Conflict {
  key: string
  value: unknown
  permitted: string
}

/**
 * The keys that the profile forbids as they are. Each was given explicitly, since the profile sets it otherwise.
 * @param path Of the settings, e.g. `oidc`.
 */
export function profileFaults(settings: ProfiledSettings, path: string): ConfigFault[] {
  if (settings.profile !== 'fapi2') return []
  const profile = `${path}.profile "fapi2"`
  const faults = conflicts(settings).map(({ key, value, permitted }) => ({
    path: `${path}.${key}`,
    message: `${JSON.stringify(value)} is not possible with ${profile}, which permits ${permitted}: remove this key, or the profile`,
  }))
  if (settings.preset === undefined) return faults
  const message = `${settings.preset} is for public clients, which ${profile} refuses: remove one of the two, or set them in different realms`
  return [{ path: `${path}.preset`, message }, ...faults]
}

function conflicts(settings: ProfiledSettings): Conflict[] {
  const { clients, dpop, par, keys, tokens, resources } = settings
  const rows: ProfileRow[] = [
    ['clients.private_key_jwt', clients.private_key_jwt, clients.private_key_jwt !== false, 'true'],
    ...FEATURE_CONFLICTS.map((conflict) => conflict(settings)),
    ['dpop', dpop, dpop !== 'off', '"on" and "nonce"'],
    ['par', par, par === 'required', '"required"'],
    ['keys.algorithms', keys.algorithms, !keys.algorithms.includes('RS256'), 'ES256, PS256 and EdDSA'],
    [
      'tokens.authorization_code',
      tokens.authorization_code,
      tokens.authorization_code <= MAX_CODE_LIFETIME,
      `at most ${MAX_CODE_LIFETIME} seconds`,
    ],
    ...Object.entries(resources).map(
      ([key, resource]): ProfileRow => [
        `resources.${key}.dpop`,
        resource.dpop,
        resource.dpop === 'required',
        '"required"',
      ],
    ),
  ]
  return rows
    .filter(([, , is_permitted]) => !is_permitted)
    .map(([key, value, , permitted]) => ({ key, value, permitted }))
}
