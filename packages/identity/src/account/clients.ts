/** Lists the clients that have access to the account, by a consent or by a grant. */

import { type Consent, type Grant, shownScopes } from '@ostiary/core'
import type { AccessView } from '../pages/account-view.js'
import type { AccountContext } from './context.js'

/** The access of one client to one resource. */
interface Access {
  resource: string
  consent: Consent | null
  grants: Grant[]
}

export interface ClientAccess {
  client_id: string
  access: AccessView[]
}

/** Each client and its access by resource, the most recent first. */
export async function clientAccess(c: AccountContext): Promise<ClientAccess[]> {
  const { consents, grants } = c.management
  const { sub } = c.user
  const [consentRows, grantRows] = await Promise.all([consents.list(sub), grants.list(sub)])
  const clients = new Map<string, Map<string, Access>>()
  const accessOf = (client_id: string, resource: string): Access => {
    const resources = clients.get(client_id) ?? new Map<string, Access>()
    clients.set(client_id, resources)
    const access = resources.get(resource) ?? { resource, consent: null, grants: [] }
    resources.set(resource, access)
    return access
  }
  for (const row of consentRows)
    if (row.revoked_at === null) accessOf(row.client_id, row.resource).consent = row
  for (const grant of grantRows)
    accessOf(grant.client_id, grant.resource ?? c.realm.issuer).grants.push(grant)

  return [...clients]
    .map(([client_id, resources]) => ({ client_id, access: [...resources.values()].sort(byRecency) }))
    .sort((a, b) => byRecency(a.access[0], b.access[0]))
    .map(({ client_id, access }) => ({ client_id, access: access.map((entry) => accessView(c, entry)) }))
}

const byRecency = (a: Access | undefined, b: Access | undefined): number => lastApproval(b) - lastApproval(a)

/** When the user last approved the consent; without a consent, when the newest grant was created. */
function lastApproval(access: Access | undefined): number {
  if (access?.consent) return access.consent.updated_at
  return Math.max(0, ...(access?.grants ?? []).map(({ created_at }) => created_at))
}

function accessView({ realm }: AccountContext, { resource, consent, grants }: Access): AccessView {
  const scopes = new Set([...(consent?.scopes ?? []), ...grants.flatMap((grant) => grant.scopes)])
  const first_grant = Math.min(...grants.map(({ created_at }) => created_at))
  return {
    resource: resource === realm.issuer ? null : resource,
    value: resource,
    scopes: shownScopes(realm.scopes, [...scopes]),
    since: consent?.created_at ?? first_grant,
    renewed: consent && consent.updated_at > consent.created_at ? consent.updated_at : null,
    consented: consent !== null,
    offline: grants.some(({ offline }) => offline),
    grants: grants.map(({ sid, created_at }) => ({ since: created_at, in_session: sid !== '' })),
  }
}
