/** The client of the command line: an entry of the admin realm that `admin.enabled` adds. */

import type { ConfigFault, OidcConfig } from '@ostiary/core'
import { type RealmEntries, readClient } from '../entries.js'

/** The API of a server, for whose realm the client is. */
interface AdminApi {
  oidc: OidcConfig
  realm: string
  resource: string
  scopes: readonly string[]
}

/** The entries of the configuration, by realm id. */
export interface EntryPlace {
  realms: Record<string, RealmEntries>
  faults: ConfigFault[]
}

/** The configuration owns the client: neither the API nor a command changes it. */
export async function addCliClient(api: AdminApi, { realms, faults }: EntryPlace): Promise<void> {
  const { CLI_CLIENT_ID, cliClient } = await import('@ostiary/admin-client/client')
  const metadata = cliClient(api)
  if (metadata === null) return
  const entries = realms[api.realm] ?? { clients: [], users: [], identity: {}, mail: null }
  const own = entries.clients.find(({ metadata: { client_id } }) => client_id === CLI_CLIENT_ID)
  if (own !== undefined)
    faults.push({
      path: `${own.path}.client_id`,
      message: 'admin.enabled adds a client with this id, for ostiary login: take another one',
    })
  const added = readClient(metadata, 'admin.enabled', { env: {}, faults, entry_secrets: false })
  const built_in = added.map((entry) => ({ ...entry, built_in: true as const }))
  realms[api.realm] = { ...entries, clients: [...entries.clients, ...built_in] }
}
