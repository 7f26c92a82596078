/** What an administrator may not change, although the role allows the operation. */

import { roleBeyond } from '../roles/climbing.js'
import { type ClientFault, clientFault, type GuardedClient } from '../roles/protected-clients.js'
import { holderOf, type RoleRow } from '../roles/role-store.js'
import type { Call } from './operation.js'
import { ProblemError, refusalOf } from './problem.js'

/** Roles of an account or a client; there are none outside of the admin realm. */
const heldBy = (
  { roles, realm, admin_realm }: Call,
  ids: { sub?: string; client_id?: string },
): Promise<RoleRow[]> | RoleRow[] => (realm === admin_realm ? roles.of(admin_realm, holderOf(ids)) : [])

/** The role of an account beyond the caller's own. */
export const beyondOf = async (call: Call, sub: string): Promise<RoleRow | null> =>
  roleBeyond(call.caller.roles, await heldBy(call, { sub }))

/** @throws ProblemError 403 for an account with a role beyond the caller's own. */
export async function requireBelow(call: Call, sub: string): Promise<void> {
  const beyond = await beyondOf(call, sub)
  if (beyond === null) return
  throw new ProblemError(
    'forbidden',
    `The user has the role ${beyond.role} in ${beyond.realms.join(', ')}, which is beyond your own`,
  )
}

interface ClientChange {
  client_id: string
  before: GuardedClient | null
  after: GuardedClient | null
}

/** Why the caller may not make a change; null when the caller may. */
export async function changeFault(call: Call, change: ClientChange): Promise<ClientFault | null> {
  const { realm, admin_realm, resource, caller } = call
  const held = await heldBy(call, { client_id: change.client_id })
  return clientFault({ realm, admin_realm, resource, roles: caller.roles, held }, change)
}

/** @throws ProblemError 403 for a change that only an owner makes. */
export async function requireChangeable(call: Call, change: ClientChange): Promise<void> {
  const fault = await changeFault(call, change)
  if (fault === null) return
  const { member, message } = fault
  throw member === null
    ? new ProblemError('forbidden', message)
    : refusalOf('forbidden', `/${member}`, message)
}

/** The member of an answer that says what would be refused. */
export const protectionOf = (needed: Pick<RoleRow, 'role' | 'realms'> | null, path: string | undefined) => ({
  protection: {
    needs_role: needed && { role: needed.role, realms: needed.realms },
    configured: path ?? null,
  },
})

/** @throws ProblemError 409 for a record of the configuration, which the next start would take back. */
export function refuseConfigured(path: string | undefined): void {
  if (path === undefined) return
  throw refusalOf(
    'owned_by_configuration',
    '',
    `Change it in the configuration, at ${path}, and reload the server`,
  )
}
