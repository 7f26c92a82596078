/** Where each claim of a token comes from, and why others are not in it. */

import type { Account, Claims, ClaimsTarget, Realm } from '@ostiary/core'
import type { CoreFunctions } from '../place/place.js'

/** A claim of a token. */
export interface ShownClaim {
  name: string
  value: unknown
  /**
   * `oidc.claims.<name>`; `scope <name>`, of a standard claim; `application`, which returns it from its resolver; or `protocol`: the
   * provider sets it.
   */
  from: string
}

/** A claim about the user that is not in a token. */
export interface WithheldClaim {
  name: string
  /** In a sentence. */
  why: string
}

/** What the claims of a token are compared with. */
export interface ClaimSources {
  realm: Realm
  core: Pick<CoreFunctions, 'standardClaims' | 'withoutProtocolClaims'>
  target: ClaimsTarget
  user: Account
  /** Those that were granted. */
  scopes: readonly string[]
  /** The URI of the resource, or the issuer. */
  audience: string
  /** What the resolver of the application has returned for the token; null without one. */
  resolved: Claims | null
}

/** The claims of a token, each with its source. */
export const shownClaims = (claims: Claims, sources: ClaimSources): ShownClaim[] =>
  Object.entries(claims).map(([name, value]) => ({ name, value, from: sourceOf(name, sources) }))

/** The later one replaces the earlier one, as in the provider. */
function sourceOf(name: string, { realm, core, target, user, scopes, resolved }: ClaimSources): string {
  if (resolved !== null && Object.hasOwn(core.withoutProtocolClaims(resolved, target), name))
    return 'application'
  if (realm.claims.some(({ claim }) => claim === name)) return `oidc.claims.${name}`
  const scope = scopes.find((each) => Object.hasOwn(core.standardClaims(user, [each], target), name))
  return scope === undefined ? 'protocol' : `scope ${scope}`
}

/** What is known about the user, or returned by the application, and is not in the token. */
export function withheldClaims(claims: Claims, sources: ClaimSources): WithheldClaim[] {
  const { realm, user, resolved } = sources
  const names = new Set([
    ...Object.keys(resolved ?? {}),
    ...realm.claims.map(({ claim }) => claim),
    ...Object.keys(user.claims),
    ...Object.keys(user.attributes ?? {}),
  ])
  return [...names].flatMap((name) => {
    const why = reasonOf(name, sources, Object.hasOwn(claims, name))
    return why === null ? [] : [{ name, why }]
  })
}

/** Null for a claim that is there, or that is about nothing. */
function reasonOf(name: string, sources: ClaimSources, is_there: boolean): string | null {
  const { realm, core, target, resolved } = sources
  if (resolved !== null && Object.hasOwn(resolved, name) && resolved[name] !== undefined) {
    const is_dropped = !Object.hasOwn(core.withoutProtocolClaims(resolved, target), name)
    if (is_dropped) return 'dropped: protocol claim, which the provider sets itself'
  }
  if (is_there || name === 'sub') return null
  const mapping = realm.claims.find(({ claim }) => claim === name)
  return mapping === undefined ? unmappedReason(name, sources) : mappedReason(mapping, sources)
}

type Mapping = Realm['claims'][number]

function mappedReason(mapping: Mapping, { target, scopes, audience }: ClaimSources): string {
  const { claim, attribute, targets, scopes: needed } = mapping
  if (!targets.includes(target)) return `oidc.claims.${claim}.targets does not have ${target}`
  const is_granted = needed.some(
    ({ scope, resource }) => scopes.includes(scope) && (resource === null || resource === audience),
  )
  if (is_granted) return `the user has no attribute ${attribute}`
  return `oidc.claims.${claim} needs the scope ${needed.map(({ scope }) => scope).join(' or ')}`
}

/** Of a claim or an attribute that no `oidc.claims` names. */
function unmappedReason(name: string, { core, target, user, realm }: ClaimSources): string | null {
  const { claims, attributes = {} } = user
  const scope = STANDARD_SCOPES.find((each) =>
    Object.hasOwn(core.standardClaims(user, [each], 'userinfo'), name),
  )
  if (scope !== undefined)
    return target === 'access_token'
      ? `standard claims are not in access tokens: map it with oidc.claims.${name}`
      : `it needs the scope ${scope}`
  const value = Object.hasOwn(attributes, name) ? attributes[name] : claims[name]
  const is_used = realm.claims.some(({ attribute }) => attribute === name)
  return value === undefined || value === null || is_used
    ? null
    : `no oidc.claims names the attribute ${name}`
}

/** OpenID Connect Core §5.4. */
const STANDARD_SCOPES = ['profile', 'email', 'address', 'phone']
