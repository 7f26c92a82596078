/** What clients may do with the account: what the person allowed, and what the clients hold. */

import type { Consent, Grant } from '@ostiary/core'
import type { AccessView } from '../pages/account-view.js'
import type { AccountContext } from './context.js'

/** What one client has at one resource. */
interface Access {
  consent: Consent | null
  grants: Grant[]
}

/** The clients, those that were given something last first, and what each has, by resource. */
export async function clientAccess(c: AccountContext): Promise<[client_id: string, AccessView[]][]> {
  const { consents, grants } = c.management
  const { sub } = c.user
  const [rows, held] = await Promise.all([consents.list(sub), grants.list(sub)])
  const clients = new Map<string, Map<string, Access>>()
  const accessOf = (client_id: string, resource: string): Access => {
    const resources = clients.get(client_id) ?? new Map<string, Access>()
    clients.set(client_id, resources)
    const access = resources.get(resource) ?? { consent: null, grants: [] }
    resources.set(resource, access)
    return access
  }
  for (const row of rows) if (row.revoked_at === null) accessOf(row.client_id, row.resource).consent = row
  for (const grant of held) accessOf(grant.client_id, grant.resource ?? c.realm.issuer).grants.push(grant)
  return [...clients]
    .map(([client_id, resources]): [string, [string, Access][]] => [client_id, newestFirst([...resources])])
    .sort(([, [a]], [, [b]]) => newest(b?.[1]) - newest(a?.[1]))
    .map(([client_id, resources]) => [
      client_id,
      resources.map(([resource, access]) => accessView(c, resource, access)),
    ])
}

const newestFirst = (resources: [string, Access][]): [string, Access][] =>
  resources.sort(([, a], [, b]) => newest(b) - newest(a))

const newest = (access: Access | undefined): number =>
  access?.consent?.updated_at ?? Math.max(0, ...(access?.grants ?? []).map(({ created_at }) => created_at))

function accessView({ realm }: AccountContext, resource: string, { consent, grants }: Access): AccessView {
  const scopes = new Set([...(consent?.scopes ?? []), ...grants.flatMap((grant) => grant.scopes)])
  const first = Math.min(...grants.map(({ created_at }) => created_at))
  return {
    resource: resource === realm.issuer ? null : resource,
    value: resource,
    scopes: [...scopes]
      .filter((scope) => !realm.scopes.hidden.has(scope))
      .map((value) => ({ value, description: realm.scopes.described.get(value) ?? null })),
    since: consent?.created_at ?? first,
    renewed: consent && consent.updated_at > consent.created_at ? consent.updated_at : null,
    consented: consent !== null,
    offline: grants.some(({ offline }) => offline),
  }
}
