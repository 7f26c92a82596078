/** How a user has authenticated (`acr`): OpenID Connect Core §2, §3.1.2.1, RFC 9470. */

import { satisfiesAcr } from '@ostiary/resource-server'
import type { OidcSettings } from '../config.js'
import type { AuthorizationRequest, Grant } from '../records.js'

/** The time and the kind of a user's authentication; null: not known. */
export type Authentication = Pick<Grant, 'auth_time' | 'acr'>

/**
 * Whether a sign-in with this `acr` is enough for the request. Unless `oidc.acr.required` is set, `acr_values` is only a wish of
 * the client. Values that the realm does not support require nothing (OpenID Connect Core §3.1.2.1 asks for them as voluntary).
 */
export function meetsAcrValues(
  { acr_values }: Pick<AuthorizationRequest, 'acr_values'>,
  acr: string | null,
  { acr: { required }, acr_values_supported: order }: Pick<OidcSettings, 'acr' | 'acr_values_supported'>,
): boolean {
  const is_required = required && acr_values.some((value) => order.includes(value))
  return !is_required || satisfiesAcr(acr, acr_values, order)
}

/** Whether access tokens of users, and their introspection, say how the user has authenticated. */
export const tellsAuthentication = ({ acr }: Pick<OidcSettings, 'acr'>): boolean =>
  acr.in_access_tokens ?? acr.required

/** Of a user's access token, and of its introspection (RFC 9068 §2.2.1, RFC 9470 §6): without what is not known. */
export const authenticationClaims = ({ auth_time, acr }: Authentication): Partial<Authentication> => ({
  ...(auth_time !== null && { auth_time }),
  ...(acr !== null && { acr }),
})

/** What the claims of a token of this issuer say about the authentication. */
export const authenticationOf = ({ auth_time, acr }: Record<string, unknown>): Authentication => ({
  auth_time: typeof auth_time === 'number' ? auth_time : null,
  acr: typeof acr === 'string' ? acr : null,
})
