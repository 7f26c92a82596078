/** Scopes: their syntax (RFC 6749 §3.3), and which of them imply others. */

/** Each scope with the scopes that it implies: `{ 'notes.write': ['notes.read'] }`. */
export type ScopeImplications = Readonly<Record<string, readonly string[]>>

/** Whether a token with these scopes may do what requires `scope`. */
export type ScopeCheck = (scopes: readonly string[], scope: string) => boolean

/** The syntax of one scope: printable ASCII without space, quotation mark and backslash. */
export function isScope(value: unknown): value is string {
  return typeof value === 'string' && /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(value)
}

const isScopeList = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every(isScope)

/** The rules of the options that name scopes: whether a value is valid, and what to do when it is not. */
export const SCOPE_RULES = {
  challenge_scopes: {
    isValid: (value: unknown): boolean => value === undefined || (isScopeList(value) && value.length > 0),
    advice: 'list at least one scope, or leave it out',
  },
  implies: {
    isValid: (value: unknown): boolean => value === undefined || isHierarchy(value),
    advice:
      'give each scope the list of the scopes that it implies; no scope may imply itself, directly or through others',
  },
}

/** @throws TypeError that names the option and says what to do. */
export function checkScopeOption(name: keyof typeof SCOPE_RULES, value: unknown): void {
  const { isValid, advice } = SCOPE_RULES[name]
  if (!isValid(value)) throw new TypeError(`${name}: ${advice}`)
}

/**
 * The check of a hierarchy of scopes: a scope stands for those that it implies, directly or through others. What follows
 * from the hierarchy is computed here, once, so that a check costs one look-up for each scope of the token.
 * @throws TypeError for a value that is not a scope, and for a scope that implies itself.
 *
 * @example
 * ```ts
 * import { scopeCheck } from '@ostiary/resource-server'
 *
 * const covers = scopeCheck({ 'notes.admin': ['notes.write'], 'notes.write': ['notes.read'] })
 * covers(['notes.admin'], 'notes.read') // true
 * covers(['notes.read'], 'notes.write') // false
 * ```
 */
export function scopeCheck(implies: ScopeImplications = {}): ScopeCheck {
  checkScopeOption('implies', implies)
  /** Each scope with all scopes that imply it. */
  const broader = new Map<string, Set<string>>()
  for (const [scope, implied] of closure(implies))
    for (const name of implied) broader.set(name, (broader.get(name) ?? new Set()).add(scope))
  return (scopes, scope) => {
    if (scopes.includes(scope)) return true
    const sufficient = broader.get(scope)
    return sufficient !== undefined && scopes.some((name) => sufficient.has(name))
  }
}

/** A cycle would make its scopes equal: with `read` implying `write`, each reader could write. */
function isHierarchy(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const hasSyntax = Object.entries(value).every(([scope, implied]) => isScope(scope) && isScopeList(implied))
  return hasSyntax && [...closure({ ...value })].every(([scope, implied]) => !implied.has(scope))
}

/** Each scope with all scopes that it implies. A scope of a cycle is among its own. */
function closure(implies: ScopeImplications): Map<string, ReadonlySet<string>> {
  const direct = new Map(Object.entries(implies))
  return new Map(
    [...direct].map(([scope, names]) => {
      const implied = new Set(names)
      // The loop also visits the names that are added during it.
      for (const name of implied) for (const further of direct.get(name) ?? []) implied.add(further)
      return [scope, implied]
    }),
  )
}
