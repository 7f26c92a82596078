/** What an administrator may not change, although the role allows the operation. */

import { roleBeyond } from '../roles/climbing.js'
import { clientFault, type GuardedClient } from '../roles/protected-clients.js'
import { holderOf, type RoleRow } from '../roles/role-store.js'
import type { Call } from './operation.js'
import { ProblemError } from './problem.js'

/** Roles of an account or a client; there are none outside of the admin realm. */
const heldBy = (
  { roles, realm, admin_realm }: Call,
  ids: { sub?: string; client_id?: string },
): Promise<RoleRow[]> | RoleRow[] => (realm === admin_realm ? roles.of(admin_realm, holderOf(ids)) : [])

/** @throws ProblemError 403 for an account with a role beyond the caller's own. */
export async function requireBelow(call: Call, sub: string): Promise<void> {
  const beyond = roleBeyond(call.caller.roles, await heldBy(call, { sub }))
  if (beyond === null) return
  throw new ProblemError(
    'forbidden',
    `The user has the role ${beyond.role} in ${beyond.realms.join(', ')}, which is beyond your own`,
  )
}

/** @throws ProblemError 403 for a change that only an owner makes. */
export async function requireChangeable(
  call: Call,
  change: { client_id: string; before: GuardedClient | null; after: GuardedClient | null },
): Promise<void> {
  const { realm, admin_realm, resource, caller } = call
  const held = await heldBy(call, { client_id: change.client_id })
  const fault = clientFault({ realm, admin_realm, resource, roles: caller.roles, held }, change)
  if (fault === null) return
  const errors = fault.member === null ? [] : [{ pointer: `/${fault.member}`, message: fault.message }]
  throw new ProblemError('forbidden', { detail: fault.message, ...(errors.length > 0 && { errors }) })
}

/** @throws ProblemError 409 for a record of the configuration, which the next start would take back. */
export function refuseConfigured(path: string | undefined): void {
  if (path === undefined) return
  throw new ProblemError('owned_by_configuration', {
    detail: `Change it in the configuration, at ${path}, and reload the server`,
    errors: [{ pointer: '', message: `it is in the configuration, at ${path}` }],
  })
}
