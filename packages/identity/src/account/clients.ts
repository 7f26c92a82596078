/** Which clients have access to the account: by consents and by grants. */

import type { Consent, Grant } from '@ostiary/core'
import type { AccessView } from '../pages/account-view.js'
import type { AccountContext } from './context.js'

/** The access of one client to one resource. */
interface Access {
  consent: Consent | null
  grants: Grant[]
}

/** Each client and its access by resource, newest first. */
export async function clientAccess(c: AccountContext): Promise<[client_id: string, AccessView[]][]> {
  const { consents, grants } = c.management
  const { sub } = c.user
  const [consentRows, grantRows] = await Promise.all([consents.list(sub), grants.list(sub)])
  const clients = new Map<string, Map<string, Access>>()
  const accessOf = (client_id: string, resource: string): Access => {
    const resources = clients.get(client_id) ?? new Map<string, Access>()
    clients.set(client_id, resources)
    const access = resources.get(resource) ?? { consent: null, grants: [] }
    resources.set(resource, access)
    return access
  }
  for (const row of consentRows)
    if (row.revoked_at === null) accessOf(row.client_id, row.resource).consent = row
  for (const grant of grantRows)
    accessOf(grant.client_id, grant.resource ?? c.realm.issuer).grants.push(grant)
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
