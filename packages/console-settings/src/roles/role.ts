/** A role as the API shows it. */

import { apiPath, problemOf } from '@ostiary/console'
import type { OwnVisit } from '../visit.js'

/** The least first. */
export const ROLES = ['auditor', 'support', 'manager', 'owner'] as const

export type Role = (typeof ROLES)[number]

export interface ShownRole {
  sub: string | null
  client_id: string | null
  role: Role
  realms: readonly string[]
}

export interface ListedRoles {
  items: readonly ShownRole[]
}

export const isRole = (name: string | undefined): name is Role => ROLES.some((each) => each === name)

/** Whose role it is, in paths of pages and of the API. */
export const holderPath = ({ sub, client_id }: Pick<ShownRole, 'sub' | 'client_id'>): [string, string] =>
  sub === null ? ['clients', client_id ?? ''] : ['users', sub]

/** The username of a user; the id of a client, and of a user who is gone. */
export async function nameOf(c: OwnVisit, { sub, client_id }: ShownRole): Promise<string> {
  if (sub === null) return client_id ?? ''
  const answer = await c.api({ method: 'GET', path: apiPath(c, 'users', sub) })
  return problemOf(answer) === null ? (answer.body as { username: string }).username : sub
}
