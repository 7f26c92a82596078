/** A role as the API shows it. */

import { apiPath } from '@ostiary/console'
import { bodyOf } from '../acts.js'
import type { OwnVisit } from '../visit.js'

export type Role = 'auditor' | 'support' | 'manager' | 'owner'

export interface ShownRole {
  sub: string | null
  client_id: string | null
  role: Role
  realms: readonly string[]
}

export interface ListedRole extends ShownRole {
  /** Why the administrator cannot take it; null where it can be taken. */
  stays: 'beyond' | 'last_owner' | null
}

export interface ListedRoles {
  items: readonly ListedRole[]
  /** What the administrator can give. */
  grantable: readonly Pick<ShownRole, 'role' | 'realms'>[]
}

/** Whose role it is, in paths of pages and of the API. */
export const holderPath = ({ sub, client_id }: Pick<ShownRole, 'sub' | 'client_id'>): [string, string] =>
  sub === null ? ['clients', client_id ?? ''] : ['users', sub]

/** The username of a user; the id of a client, and of a user who is gone. */
export async function nameOf(c: OwnVisit, { sub, client_id }: ShownRole): Promise<string> {
  if (sub === null) return client_id ?? ''
  const user = (await bodyOf(c, apiPath(c, 'users', sub))) as { username: string } | null
  return user?.username ?? sub
}
