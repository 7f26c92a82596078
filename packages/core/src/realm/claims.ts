/** The claims of a user: the default resolver (OpenID Connect Core §5.4), the mapped attributes, and what joins them. */

import { CLAIMS_BY_SCOPE } from '../config/standard-claims.js'
import { mappedClaims } from './claim-mappings.js'
import type { ClaimMapping, ClaimsTarget } from './claim-targets.js'
import type { Account, Claims, ClaimsResolver, ClaimsSubject } from './ports.js'
import { withoutProtocolClaims } from './protocol-claims.js'

/**
 * The standard claims of the granted scopes, without those that are null. An access token has none of them: it is for
 * resource servers, which the user was not asked about.
 */
export function standardClaims(account: Account, scopes: readonly string[], target: ClaimsTarget): Claims {
  if (target === 'access_token') return {}
  const claims: Claims = {}
  for (const scope of scopes)
    for (const name of (Object.hasOwn(CLAIMS_BY_SCOPE, scope) && CLAIMS_BY_SCOPE[scope]) || []) {
      const value = account.claims[name]
      if (value !== undefined && value !== null) claims[name] = value
    }
  return claims
}

/** The claims of a user for a target, without those that the provider sets itself. */
export type UserClaims = (subject: ClaimsSubject, target: ClaimsTarget) => Claims | Promise<Claims>

/**
 * Joins the claims of a realm: a mapping replaces the standard claim of its name in every target, also in those that it does not
 * name. The application's resolver replaces both.
 * @param own The application's resolver.
 */
export function userClaims(mappings: readonly ClaimMapping[], own?: ClaimsResolver): UserClaims {
  const replaced = new Set(mappings.map(({ claim }) => claim))
  const unmapped = (claims: Claims): Claims =>
    replaced.size === 0
      ? claims
      : Object.fromEntries(Object.entries(claims).filter(([name]) => !replaced.has(name)))
  return (subject, target) => {
    const { user, scopes } = subject
    const mapped = mappedClaims(mappings, subject, target)
    if (own === undefined)
      return withoutProtocolClaims({ ...unmapped(standardClaims(user, scopes, target)), ...mapped }, target)
    const resolved = own(user, scopes, target)
    const joined = (claims: Claims) => withoutProtocolClaims({ ...mapped, ...claims }, target)
    return resolved instanceof Promise ? resolved.then(joined) : joined(resolved)
  }
}

/** Whether access tokens of the realm can have such claims. If not, the resolver is not called for them. */
export const claimsInAccessTokens = (mappings: readonly ClaimMapping[], own?: ClaimsResolver): boolean =>
  own !== undefined || mappings.some(({ targets }) => targets.includes('access_token'))
