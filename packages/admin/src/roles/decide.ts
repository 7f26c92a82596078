/** Whether a caller may do something: what its scopes, its roles and their realms have in common. */

import { type Access, type Area, permits, RIGHTS } from './rights.js'
import { hasRealm, type RoleRow } from './role-store.js'

/** What an operation needs. */
export interface NeededRight {
  area: Area
  access: Access
  /** The realm that it reads or changes; null for any of those that a role names. */
  realm: string | null
}

/** What a caller has. */
export interface CallerRights {
  /** Of the access token. */
  scopes: readonly string[]
  roles: readonly RoleRow[]
}

/** `missing_scope`: the client may ask for another token. `missing_role`: the caller learns nothing. */
export type Decision = 'allowed' | 'missing_scope' | 'missing_role'

/** The scope for an access to an area. */
export const scopeOf = (area: Area, access: Access): string => `admin.${area}:${access}`

/** What the scopes, the roles and their realms allow. */
export function decide({ area, access, realm }: NeededRight, { scopes, roles }: CallerRights): Decision {
  if (!hasRole(roles, { area, access, realm })) return 'missing_role'
  const enough =
    access === 'read' ? [scopeOf(area, 'read'), scopeOf(area, 'write')] : [scopeOf(area, 'write')]
  return enough.some((scope) => scopes.includes(scope)) ? 'allowed' : 'missing_scope'
}

/** The realms in which the roles allow it: their ids, and `*` for all. */
export const heldRealms = (
  roles: readonly RoleRow[],
  { area, access }: Pick<NeededRight, 'area' | 'access'>,
): string[] => [
  ...new Set(roles.flatMap(({ role, realms }) => (permits(RIGHTS[role][area], access) ? realms : []))),
]

const hasRole = (roles: readonly RoleRow[], { area, access, realm }: NeededRight): boolean =>
  roles.some(
    ({ role, realms }) => (realm === null || hasRealm(realms, realm)) && permits(RIGHTS[role][area], access),
  )
