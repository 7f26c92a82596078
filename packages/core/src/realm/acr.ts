/** How a user has to authenticate (`acr`): OpenID Connect Core §2, §3.1.2.1, RFC 9470. */

import { satisfiesAcr } from '@ostiary/resource-server'
import type { OidcSettings } from '../config/config.js'
import type { AuthorizationRequest, Client } from '../storage/records.js'

/** The request's `acr_values`, its client, and the realm's settings that say what they require. */
interface AcrRequest extends Pick<AuthorizationRequest, 'acr_values'> {
  /** Null and absent: it requires nothing. */
  client?: Pick<Client, 'required_acr'> | null
}
type AcrSettings = Pick<OidcSettings, 'acr' | 'acr_values_supported'>

/**
 * Unless `oidc.acr` is `require`, `acr_values` is only a wish of the client. Values that the realm does not support require
 * nothing (OpenID Connect Core §3.1.2.1 asks for them as voluntary).
 */
const countsValues = (
  { acr_values }: AcrRequest,
  { acr, acr_values_supported: order }: AcrSettings,
): boolean => acr === 'require' && acr_values.some((value) => order.includes(value))

/** Whether the request or its client requires an `acr`. */
export const requiresAcr = (request: AcrRequest, settings: AcrSettings): boolean =>
  Boolean(request.client?.required_acr) || countsValues(request, settings)

/** Whether an `acr` is at least that which a client requires. */
export const reachesAcr = (
  required: string | null | undefined,
  acr: string | null,
  { acr_values_supported: order }: Pick<AcrSettings, 'acr_values_supported'>,
): boolean => !required || satisfiesAcr(acr, [required], order)

/** Whether a sign-in with this `acr` is enough for the request, and for its client. */
export const meetsAcrValues = (request: AcrRequest, acr: string | null, settings: AcrSettings): boolean =>
  reachesAcr(request.client?.required_acr, acr, settings) &&
  (!countsValues(request, settings) || satisfiesAcr(acr, request.acr_values, settings.acr_values_supported))

/** Whether a sign-in that reaches these values alone can be enough for the request. Undefined: it reaches all. */
export const canMeetAcrValues = (
  request: AcrRequest,
  reachable: readonly string[] | undefined,
  settings: AcrSettings,
): boolean =>
  reachable === undefined ||
  !requiresAcr(request, settings) ||
  reachable.some((acr) => meetsAcrValues(request, acr, settings))

/** `acr_values_supported` of discovery. Unless `oidc.acr` is `require`, they are only names, and all are advertised. */
export const advertisedAcrValues = (
  settings: AcrSettings,
  reachable: readonly string[] | undefined,
): string[] =>
  settings.acr_values_supported.filter((value) =>
    canMeetAcrValues({ acr_values: [value] }, reachable, settings),
  )

/** The `acr` that stands higher in the realm's order; a value that is not in it stands below all others. */
export function higherAcr(
  held: string | null,
  reached: string | null,
  { acr_values_supported: order }: Pick<OidcSettings, 'acr_values_supported'>,
): string | null {
  if (held === null || reached === null) return held ?? reached
  return order.indexOf(reached) >= order.indexOf(held) ? reached : held
}
