/** The client of the console: an entry of the admin realm, which the configuration has where the console is on. */

import type { ConfigFault, OidcConfig } from '@ostiary/core'

/** Its `client_id`. */
export const CONSOLE_CLIENT_ID = 'ostiary-console'

/** The path of the console below the origin. */
export const CONSOLE_PATH = '/admin'

/** Where it gets its codes, below the origin. */
export const CALLBACK_PATH = `${CONSOLE_PATH}/callback`

/** What the client depends on. */
export interface ConsoleClientOptions {
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

const KEY = 'admin.console'

/**
 * Adds the client of the console to the entries of the configuration, which then owns it: neither the API nor a command changes it. A client
 * of the operator with its id would become another one, so it is a fault.
 */
export function addConsoleClient<Entry extends OwnEntry>(
  options: ConsoleClientOptions,
  { realms, faults, readClient }: ConfiguredEntries<Entry>,
): void {
  const { oidc, realm } = options
  const own = oidc.routes?.realms === 'path' ? oidc.realms?.[realm] : undefined
  if ((own?.profile ?? oidc.profile) === 'fapi2') {
    const message =
      'a realm with oidc.profile "fapi2" has confidential clients alone, and the console is none: set it to false'
    faults.push({ path: KEY, message })
    return
  }
  realms[realm] ??= { clients: [], users: [], identity: {}, mail: null }
  const { clients } = realms[realm]
  const taken = clients.find(({ metadata }) => metadata.client_id === CONSOLE_CLIENT_ID)
  if (taken !== undefined)
    faults.push({
      path: `${taken.path}.client_id`,
      message: `${KEY} adds a client with this id: take another one`,
    })
  const metadata = consoleClient(options, own?.dpop ?? oidc.dpop ?? 'off')
  const context: ReadContext = { env: {}, faults, entry_secrets: false }
  for (const entry of readClient(metadata, KEY, context)) {
    const storedFault = async (stored: StoredClients) => faultOf(await stored.find(CONSOLE_CLIENT_ID))
    clients.push({ ...entry, storedFault })
  }
}

/** Another origin is that of a server whose address has changed. */
function faultOf(stored: { redirect_uris: readonly string[] } | null): string | null {
  const [uri = '', ...others] = stored?.redirect_uris ?? []
  if (stored === null || (others.length === 0 && uri.endsWith(CALLBACK_PATH))) return null
  return `it adds the client ${CONSOLE_CLIENT_ID}, and another one with this id is stored: set it to false, run ostiary client delete ${CONSOLE_CLIENT_ID}, and set it to true again`
}

/**
 * The metadata of the client. It is public, and its codes go to this server alone: PKCE, and DPoP where the realm has it, bind them to one
 * browser. Users are not asked for consent: the console is a part of the server. Its tokens are as old as a sign-in may be.
 */
export const consoleClient = ({ resource, scopes }: ConsoleClientOptions, dpop: string) => ({
  client_id: CONSOLE_CLIENT_ID,
  client_name: 'Ostiary console',
  redirect_uris: [new URL(resource).origin + CALLBACK_PATH],
  grant_types: ['authorization_code'],
  token_endpoint_auth_method: 'none',
  default_scopes: [],
  optional_scopes: ['openid', 'profile', ...scopes.map((scope) => `${resource} ${scope}`)],
  trusted: true,
  access_token_lifetime: TOKEN_SECONDS,
  ...(dpop !== 'off' && { dpop_bound_access_tokens: true }),
})

/** What the admin API accepts of a sign-in. */
const TOKEN_SECONDS = 3600
