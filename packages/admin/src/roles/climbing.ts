/** An administrator gives and takes only roles of their own, and changes no account or client that holds another one. */

import { includesRole, ROLES, type Role } from './rights.js'
import { hasRealm, type RoleRow } from './role-store.js'

/** Whether roles include another role in each of its realms. `*` is included only in `*`. */
export function includesRow(
  roles: readonly RoleRow[],
  { role, realms }: Pick<RoleRow, 'role' | 'realms'>,
): boolean {
  return realms.every((realm) =>
    roles.some((own) => includesRole(own.role, role) && hasRealm(own.realms, realm)),
  )
}

/** The first role of a holder that the caller's own roles do not include; null when there is none. */
export const roleBeyond = (own: readonly RoleRow[], held: readonly RoleRow[]): RoleRow | null =>
  held.find((row) => !includesRow(own, row)) ?? null

/** What the holder of these roles may give: each role, with the realms in which these include it. */
export const grantableWith = (own: readonly RoleRow[]): Pick<RoleRow, 'role' | 'realms'>[] =>
  ROLES.map((role) => ({
    role,
    realms: [...new Set(own.flatMap((row) => (includesRole(row.role, role) ? row.realms : [])))],
  })).filter(({ realms }) => realms.length > 0)

/** Whether roles include this one in a realm. */
export const isInRealm = (roles: readonly RoleRow[], role: Role, realm: string): boolean =>
  includesRow(roles, { role, realms: [realm] })
