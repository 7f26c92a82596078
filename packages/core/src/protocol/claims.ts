/** The default claims resolver: OpenID Connect Core §5.4. */

import type { Account, Claims } from '../ports.js'
import { CLAIMS_BY_SCOPE } from './standard-claims.js'

/** The standard claims of the granted scopes, without those that are null. */
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
