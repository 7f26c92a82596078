/** Scopes: RFC 6749 §3.3. A scope belongs to the realm or to resources. */

import { OAuthError } from '../http/errors.js'
import type { Params } from '../http/params.js'

export interface ScopeCatalog {
  /** Scopes that belong to the realm; the others belong to the resources that list them. */
  realm: ReadonlySet<string>
  /** Scopes that are accepted, but neither advertised nor shown. */
  hidden: ReadonlySet<string>
  /** Descriptions for the consent view. */
  descriptions: ReadonlyMap<string, string>
  /** Scopes that the consent view marks. */
  high: ReadonlySet<string>
}

/** The scopes that a client may have. An entry is a scope, `*` (optional only) or `<resource> <scope>`. */
export interface ScopeAssignment {
  default_scopes: readonly string[]
  optional_scopes: readonly string[]
}

/** The resource that a request names. An assignment entry refers to it by its `key` or its `uri`. */
export interface ScopeOwner {
  key: string
  uri: string
  scopes: readonly string[]
}

/** What decides whether a client may have a scope. */
export interface ScopeRules {
  assignment: ScopeAssignment
  catalog: ScopeCatalog
  /** Null for a request that names no resource, or the issuer. */
  resource: ScopeOwner | null
  /** All of the realm: an error names the owner of a scope. */
  resources?: readonly ScopeOwner[]
}

const MAX_SCOPE_WORDS = 200

/** The parameter `scope`: each value once, in order. @throws OAuthError `invalid_request` for more than 200 words */
export function requestedScopes(params: Params): string[] {
  if (params.hasMoreWords('scope', MAX_SCOPE_WORDS))
    throw new OAuthError('invalid_request', 'The scope has more than 200 words', {
      reason: 'too_many_scopes',
    })
  return parseScope(params.get('scope'))
}

/** Splits on runs of spaces; each value once, in order. */
export const parseScope = (value: string | null): string[] => [
  ...new Set((value ?? '').split(/ +/).filter(Boolean)),
]

/** `read`, or `<resource> read`. */
export function parseAssignment(entry: string): { resource: string | null; scope: string } {
  const space = entry.lastIndexOf(' ')
  return space < 0
    ? { resource: null, scope: entry }
    : { resource: entry.slice(0, space).trim(), scope: entry.slice(space + 1) }
}

/**
 * The scopes in play: the requested ones and the client's default ones.
 * @throws OAuthError `invalid_scope` for a scope that neither the realm nor the named resource has, or that is not
 * assigned to the client.
 */
export function scopesInPlay(requested: readonly string[], rules: ScopeRules): string[] {
  const { assignment, catalog, resource } = rules
  for (const scope of requested) {
    if (!catalog.realm.has(scope) && !resource?.scopes.includes(scope)) throw unknownScope(scope, rules)
    const isAssigned = (entry: string) => assigns(entry, scope, rules)
    if (!assignment.default_scopes.some(isAssigned) && !assignment.optional_scopes.some(isAssigned))
      throw new OAuthError('invalid_scope', `The scope ${scope} is not assigned to this client`, {
        reason: 'unassigned_scope',
        refused_value: scope,
      })
  }
  return [...new Set([...requested, ...defaultScopes(rules)])]
}

function unknownScope(scope: string, { resources = [] }: ScopeRules): OAuthError {
  const owner = resources.find(({ scopes }) => scopes.includes(scope))
  const event_description = 'A scope is unknown, or its resource is not named'
  if (owner === undefined)
    return new OAuthError('invalid_scope', `The scope ${scope} is unknown, or its resource is not named`, {
      reason: 'unknown_scope',
      event_description,
      refused_value: scope,
    })
  const remedy = `send resource=${owner.uri}, or set default_resource of this client`
  return new OAuthError(
    'invalid_scope',
    `The scope ${scope} belongs to ${owner.uri}: ${remedy}`,
    'scope_of_resource',
  )
}

/** The default scopes that apply to a request for this resource. */
function defaultScopes(rules: ScopeRules): string[] {
  const scopes: string[] = []
  for (const entry of rules.assignment.default_scopes) {
    const { scope } = parseAssignment(entry)
    if (entry !== '*' && assigns(entry, scope, rules)) scopes.push(scope)
  }
  return scopes
}

/** `*` stands for every scope that the realm or the named resource owns. */
function assigns(entry: string, scope: string, { catalog, resource }: ScopeRules): boolean {
  if (entry === '*') return true
  if (entry === scope) return catalog.realm.has(scope)
  return resource !== null && isAssignedAt(resource, entry, scope)
}

/** Whether an entry `<resource> <scope>` assigns this scope of the resource. */
export function isAssignedAt({ key, uri, scopes }: ScopeOwner, entry: string, scope: string): boolean {
  const { resource, scope: assigned } = parseAssignment(entry)
  return assigned === scope && scopes.includes(scope) && (resource === key || resource === uri)
}

/** Whether every scope of `some` is in `all`. */
export const includesAll = (all: readonly string[], some: readonly string[]): boolean =>
  some.every((scope) => all.includes(scope))
