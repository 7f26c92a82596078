/** Scopes as pages show them. */

import type { ConsentScope } from '../realm/ports.js'
import type { ScopeCatalog } from '../realm/scope.js'

/** The scopes that a page shows, in the same order; the hidden ones are left out. */
export function shownScopes(
  { hidden, descriptions, high }: ScopeCatalog,
  scopes: readonly string[],
): ConsentScope[] {
  return scopes
    .filter((scope) => !hidden.has(scope))
    .map((value) => ({
      value,
      description: descriptions.get(value) ?? null,
      severity: high.has(value) ? 'high' : 'normal',
    }))
}
