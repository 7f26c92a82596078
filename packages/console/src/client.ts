/** The client of the console: an entry of the admin realm, which the configuration has where the console is on. */

import type { ConfigFault, OidcConfig } from '@ostiary/core'
import { CALLBACK_PATH, CONSOLE_CLIENT_ID } from './paths.js'

export { type ConsoleLinkOptions, consoleLink } from './account-link.js'

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

const KEY = 'admin.console'

/**
 * The client, as an entry of the configuration. In a realm of the profile fapi2 there is a fault in its place.
 * @param faults Takes the faults of the configuration.
 */
export function consoleClient(options: ConsoleClientOptions, faults: ConfigFault[]) {
  const { oidc, realm } = options
  const own = oidc.routes?.realms === 'path' ? oidc.realms?.[realm] : undefined
  if ((own?.profile ?? oidc.profile) === 'fapi2') {
    const message =
      'a realm with oidc.profile "fapi2" has confidential clients alone, and the console is none: set it to false'
    faults.push({ path: KEY, message })
    return null
  }
  return { path: KEY, metadata: metadataOf(options, own?.dpop ?? oidc.dpop ?? 'off'), redirectsTo }
}

/** Another origin is that of a server whose address has changed. */
function redirectsTo([uri = '', ...others]: readonly string[]): boolean {
  return others.length === 0 && uri.endsWith(CALLBACK_PATH)
}

/**
 * The metadata of the client. It is public, and its codes go to this server alone: PKCE, and DPoP where the realm has it, bind them to one
 * browser. Users are not asked for consent: the console is a part of the server. Its tokens are as old as a sign-in may be.
 */
const metadataOf = ({ resource, scopes }: ConsoleClientOptions, dpop: string) => ({
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
