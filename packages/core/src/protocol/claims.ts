/** Claims about the user: OpenID Connect Core §5.1, §5.4. */

import type { Account, Claims } from '../ports.js'
import { CLAIMS_BY_SCOPE } from './standard-claims.js'

/** `sub` and the protocol's own: a resolver that returns one has it dropped. */
const PROTOCOL_CLAIMS: ReadonlySet<string> = new Set([
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
])

/** The default resolver: the standard claims of the granted scopes, without those that are null. */
export function standardClaims(account: Account, scopes: readonly string[]): Claims {
  const names = scopes.flatMap((scope) =>
    Object.hasOwn(CLAIMS_BY_SCOPE, scope) ? (CLAIMS_BY_SCOPE[scope] ?? []) : [],
  )
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = account.claims[name]
      return value === undefined || value === null ? [] : [[name, value]]
    }),
  )
}

export function withoutProtocolClaims(claims: Claims): Claims {
  return Object.fromEntries(
    Object.entries(claims).filter(([name, value]) => !PROTOCOL_CLAIMS.has(name) && value !== undefined),
  )
}
