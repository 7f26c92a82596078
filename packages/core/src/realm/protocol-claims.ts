/** The claims that the provider sets itself: neither a claims resolver nor the configuration can set or replace them. */

import type { ClaimsTarget } from './claim-targets.js'
import type { Claims } from './ports.js'

/** In ID tokens and at UserInfo (OpenID Connect Core §2). */
const PROTOCOL_CLAIMS = [
  'sub',
  'iss',
  'aud',
  'exp',
  'iat',
  'nbf',
  'jti',
  'nonce',
  'at_hash',
  'c_hash',
  'auth_time',
  'azp',
  'acr',
  'amr',
  'sid',
]

/**
 * In access tokens too, where a resource server decides by them: RFC 9068 §2.2, RFC 7800 §3 (`cnf`), RFC 8693 §4 (`act`,
 * `may_act`), RFC 9396 §9 (`authorization_details`). `events` would make a logout token of it (OpenID Connect Back-Channel
 * Logout §2.4). RFC 9068 §2.2.3.1 leaves `groups`, `roles` and `entitlements` to the application.
 */
const ACCESS_TOKEN_CLAIMS = ['client_id', 'scope', 'act', 'may_act', 'cnf', 'authorization_details', 'events']

const EVERYWHERE: ReadonlySet<string> = new Set(PROTOCOL_CLAIMS)
const IN_ACCESS_TOKENS: ReadonlySet<string> = new Set([...PROTOCOL_CLAIMS, ...ACCESS_TOKEN_CLAIMS])

/** Whether the configuration must not give this name to a claim. */
export const isProtocolClaim = (name: string): boolean => IN_ACCESS_TOKENS.has(name)

/** A resolver's claims without those that the provider sets itself, and without those that are undefined. */
export function withoutProtocolClaims(claims: Claims, target: ClaimsTarget): Claims {
  const reserved = target === 'access_token' ? IN_ACCESS_TOKENS : EVERYWHERE
  const isDropped = (name: string) => reserved.has(name) || claims[name] === undefined
  // Nearly always there is none to drop.
  if (!Object.keys(claims).some(isDropped)) return claims
  return Object.fromEntries(Object.entries(claims).filter(([name]) => !isDropped(name)))
}
