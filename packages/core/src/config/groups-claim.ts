/** The claim of the scope `groups`. */

import type { OidcSettings } from './config.js'

/** `oidc.claims` of a realm's settings. */
type ConfiguredClaims = OidcSettings['claims']

const GROUPS = 'groups'

/** With the realm's scope `groups`, which an operator adds, there is the claim `groups` unless `oidc.claims` has it too. */
export function withGroupsClaim({
  claims,
  scopes,
  resources,
}: Pick<OidcSettings, 'claims' | 'scopes' | 'resources'>): ConfiguredClaims {
  const isOwned = Object.values(resources).some((resource) => resource.scopes.includes(GROUPS))
  if (!Object.hasOwn(scopes, GROUPS) || isOwned || Object.hasOwn(claims, GROUPS)) return claims
  return { ...claims, [GROUPS]: { scopes: [GROUPS], targets: ['id_token', 'userinfo'] } }
}
