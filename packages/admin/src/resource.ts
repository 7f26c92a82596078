/** The resource of the admin API: added to the settings of the admin realm, closed, with its scopes. */

import type { ConfigFault, OidcConfig } from '@ostiary/core'
import { scopeOf } from './roles/decide.js'
import { AREAS, type Area } from './roles/rights.js'
import { ADMIN_PATH, type AdminSettings } from './settings.js'

/** All scopes of the admin API. */
export const ADMIN_SCOPES: readonly string[] = AREAS.flatMap((area) => [
  scopeOf(area, 'read'),
  scopeOf(area, 'write'),
])

/** As the consent page says it. */
const SUBJECTS: Readonly<Record<Area, string>> = {
  clients: 'applications',
  users: 'users and how they sign in',
  consents: 'what users have allowed',
  sessions: 'sessions and access of users',
  keys: 'signing keys',
  audit: 'the audit',
  realms: 'the settings of realms',
  roles: 'who administers',
}

/** The identifier of the resource (RFC 8707). @param origin Of the server. */
export const adminResource = (origin: string): string => `${origin}${ADMIN_PATH}`

/** Its names in entries of clients, first its key: the path below the issuer, or the URI where the issuer has a path of its own. */
export const resourceKeys = (origin: string, by_path: boolean): string[] =>
  by_path ? [adminResource(origin)] : [ADMIN_PATH.slice(1), adminResource(origin)]

/** What the admin API needs of the `oidc.*` keys. */
export interface AdminConfig {
  oidc: OidcConfig
  /** The resource and its scopes; null where it is not added. */
  api: { resource: string; scopes: readonly string[] } | null
  /** Paths are those of the configuration file. */
  faults: ConfigFault[]
}

/**
 * The `oidc.*` keys with the resource.
 * @param origin Of the server; null where it is not valid.
 */
export function withAdminResource(
  oidc: OidcConfig,
  { realm }: Pick<AdminSettings, 'realm'>,
  origin: string | null,
): AdminConfig {
  const by_path = oidc.routes?.realms === 'path'
  const own = oidc.realms?.[realm]
  const exists = by_path ? own !== undefined : realm === 'default'
  if (!exists) {
    const named = by_path ? Object.keys(oidc.realms ?? {}).join(', ') : 'default'
    return fault(oidc, 'admin.realm', `there is no realm ${JSON.stringify(realm)}: name one of ${named}`)
  }
  if (origin === null) return { oidc, api: null, faults: [] }
  const keys = { ...oidc, ...own }
  const resource = adminResource(origin)
  const [key = resource] = resourceKeys(origin, by_path)
  if ([resource, ...(by_path ? [] : TAKEN)].some((taken) => taken in (keys.resources ?? {})))
    return fault(oidc, 'oidc.resources', `${resource} is the resource of the admin API: remove it here`)
  if ((keys.acr ?? 'off') === 'off')
    return fault(
      oidc,
      'admin.enabled',
      'it needs oidc.acr, so that tokens say how an administrator has signed in: set oidc.acr to "require"',
    )
  const is_bound = keys.dpop !== undefined && keys.dpop !== 'off'
  const added = {
    resources: {
      ...keys.resources,
      [key]: { scopes: [...ADMIN_SCOPES], closed: true, ...(is_bound && { dpop: 'required' as const }) },
    },
    scopes: { ...described(), ...keys.scopes },
  }
  return {
    oidc: by_path ? inRealm(oidc, realm, added) : { ...oidc, ...added },
    api: { resource, scopes: ADMIN_SCOPES },
    faults: [],
  }
}

/** Relative keys that would be the same resource. */
const TAKEN = [ADMIN_PATH, ADMIN_PATH.slice(1)].flatMap((path) => [path, `${path}/`])

const fault = (oidc: OidcConfig, path: string, message: string): AdminConfig => ({
  oidc,
  api: null,
  faults: [{ path, message }],
})

const inRealm = (oidc: OidcConfig, realm: string, added: object): OidcConfig => ({
  ...oidc,
  realms: { ...oidc.realms, [realm]: { ...oidc.realms?.[realm], ...added } },
})

function described(): NonNullable<OidcConfig['scopes']> {
  const entries = AREAS.flatMap((area) => [
    [scopeOf(area, 'read'), `As an administrator: see ${SUBJECTS[area]}`],
    [scopeOf(area, 'write'), `As an administrator: see and change ${SUBJECTS[area]}`],
  ])
  return Object.fromEntries(
    entries.map(([scope, description = '']) => [scope, { description, severity: 'high' as const }]),
  )
}
