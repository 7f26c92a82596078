/** The client of the command line: an entry of the admin realm, which the configuration has where the admin API is on. */

import type { OidcConfig } from '@ostiary/core'

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

/** Seconds in which a refresh may be repeated whose answer was lost. */
const REFRESH_GRACE = 30

/**
 * The client, as an entry of the configuration; null in a realm of the profile fapi2, which has confidential clients alone. It is public,
 * since a program on the computers of users keeps no secret, and asks for consent, since any program there can use its `client_id`
 * (RFC 8252 §8.6).
 */
export function cliClient({ oidc, realm, resource, scopes }: CliClientOptions) {
  const own = oidc.routes?.realms === 'path' ? oidc.realms?.[realm] : undefined
  if ((own?.profile ?? oidc.profile) === 'fapi2') return null
  const devices = own?.clients?.device_authorization ?? oidc.clients?.device_authorization ?? 'off'
  const dpop = own?.dpop ?? oidc.dpop ?? 'off'
  const metadata = {
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
  return { path: 'admin.enabled', metadata, redirectsTo }
}

const redirectsTo = (redirect_uris: readonly string[]): boolean =>
  redirect_uris.join(' ') === CLI_REDIRECT_URI

const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code'
