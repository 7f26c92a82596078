/** A closed resource: only a client that the operator made, and assigned one of its scopes by name, may request it. */

import { OAuthError } from '../http/errors.js'
import type { Client } from '../storage/records.js'
import type { Resource } from './realm.js'
import { isAssignedAt, type ScopeOwner } from './scope.js'

/**
 * What admits clients to the resource. For a client that may not request it, it throws OAuthError `invalid_target`; for a scope of the
 * resource that is not assigned to the client by name, `invalid_scope`.
 */
export const closedTo =
  (resource: ScopeOwner): NonNullable<Resource['admit']> =>
  (client, scopes) => {
    const own = ownScopes(client, resource)
    if (own.length === 0)
      throw new OAuthError('invalid_target', 'This client may not request this resource', 'closed_resource')
    const refused = scopes.find((scope) => resource.scopes.includes(scope) && !own.includes(scope))
    if (refused !== undefined)
      throw new OAuthError('invalid_scope', `The scope ${refused} is not assigned to this client`, {
        reason: 'unassigned_scope',
        refused_value: refused,
      })
  }

/**
 * The scopes of the resource that the record of the client itself names. `*` names none, and neither does what the realm assigns to
 * every client. A client that described itself has none, even if an operator
 * added entries to its record: strangers have chosen its redirect URIs.
 */
function ownScopes(client: Client, resource: ScopeOwner): string[] {
  if (client.origin !== 'operator') return []
  const entries = [...(client.default_scopes ?? []), ...(client.optional_scopes ?? [])]
  return resource.scopes.filter((scope) => entries.some((entry) => isAssignedAt(resource, entry, scope)))
}
