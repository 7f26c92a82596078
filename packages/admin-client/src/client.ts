/** The client of the command line: an entry of the admin realm, which the configuration has where the admin API is on. */

import type { ConfigFault, OidcConfig } from '@ostiary/core'

/** Its `client_id`. */
export const CLI_CLIENT_ID = 'ostiary-cli'

/** With any port (RFC 8252 §7.3). */
export const CLI_REDIRECT_URI = 'http://127.0.0.1/callback'

/** What the client depends on. */
export interface CliClientOptions {
  /** The settings of the server. */
  oidc: OidcConfig
  /** The realm of the administrators. */
  realm: string
  /** The URI of the admin API. */
  resource: string
  /** The scopes of the admin API. */
  scopes: readonly string[]
}

/** The entries of the configuration, in the form of `@ostiary/host`. */
export interface ConfiguredEntries<Entry> {
  /** By realm id. */
  realms: Record<string, RealmEntries<Entry>>
  /** Takes the faults of the configuration. */
  faults: ConfigFault[]
  /** Checks an entry. @returns Nothing when it has a fault. */
  readClient(entry: unknown, path: string, context: ReadContext): Entry[]
}

/** What the configuration has for a realm. */
export interface RealmEntries<Entry> {
  clients: Entry[]
  users: unknown[]
  identity: object
  mail: object | null
}

/** For an entry without a secret. */
export interface ReadContext {
  env: Record<string, never>
  faults: ConfigFault[]
  entry_secrets: false
}

/** What an entry has beside its metadata. */
export interface OwnEntry {
  /** The key of the configuration. */
  path: string
  metadata: { client_id: string; redirect_uris: readonly string[] }
  /** Why the stored client with its id is not this one; null when it is, or when there is none. */
  storedFault?(clients: StoredClients): Promise<string | null>
}

/** The part of a store that is used. */
export interface StoredClients {
  find(client_id: string): Promise<{ redirect_uris: readonly string[] } | null>
}

/**
 * Adds the client of the command line to the entries of the configuration, which then owns it: neither the API nor a command changes it.
 * A client of the operator with its id would become another one, so it is a fault.
 */
export function addCliClient<Entry extends OwnEntry>(
  options: CliClientOptions,
  { realms, faults, readClient }: ConfiguredEntries<Entry>,
): void {
  const metadata = cliClient(options)
  if (metadata === null) return
  const { realm } = options
  realms[realm] ??= { clients: [], users: [], identity: {}, mail: null }
  const { clients } = realms[realm]
  const own = clients.find((entry) => entry.metadata.client_id === CLI_CLIENT_ID)
  if (own !== undefined)
    faults.push({
      path: `${own.path}.client_id`,
      message: 'admin.enabled adds a client with this id, for ostiary login: take another one',
    })
  const context: ReadContext = { env: {}, faults, entry_secrets: false }
  for (const entry of readClient(metadata, 'admin.enabled', context)) clients.push({ ...entry, storedFault })
}

async function storedFault(clients: StoredClients): Promise<string | null> {
  const stored = await clients.find(CLI_CLIENT_ID)
  if (stored === null || stored.redirect_uris.join(' ') === CLI_REDIRECT_URI) return null
  return `it adds the client ${CLI_CLIENT_ID}, and another one with this id is stored: set it to false, run ostiary client delete ${CLI_CLIENT_ID}, and set it to true again`
}

/** Seconds in which a refresh may be repeated whose answer was lost. */
const REFRESH_GRACE = 30

/**
 * The metadata of the client; null in a realm of the profile fapi2, which has confidential clients alone. It is public, since a program on
 * the computers of users keeps no secret, and asks for consent, since any program there can use its `client_id` (RFC 8252 §8.6).
 */
export function cliClient({ oidc, realm, resource, scopes }: CliClientOptions) {
  const own = oidc.routes?.realms === 'path' ? oidc.realms?.[realm] : undefined
  if ((own?.profile ?? oidc.profile) === 'fapi2') return null
  const devices = own?.clients?.device_authorization ?? oidc.clients?.device_authorization ?? 'off'
  const dpop = own?.dpop ?? oidc.dpop ?? 'off'
  return {
    client_id: CLI_CLIENT_ID,
    client_name: 'Ostiary command line',
    redirect_uris: [CLI_REDIRECT_URI],
    grant_types: ['authorization_code', 'refresh_token', ...(devices === 'off' ? [] : [DEVICE_CODE])],
    token_endpoint_auth_method: 'none',
    default_scopes: [],
    optional_scopes: ['openid', 'profile', ...scopes.map((scope) => `${resource} ${scope}`)],
    refresh_token_grace: REFRESH_GRACE,
    ...(dpop !== 'off' && { dpop_bound_access_tokens: true }),
  }
}

const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code'
