/** The claims that the configuration makes of attributes (`oidc.claims`). */

import type { OidcSettings } from '../config/config.js'
import type { ConfigFault } from '../config/config-error.js'
import { STANDARD_CLAIM_NAMES } from '../config/standard-claims.js'
import type { ClaimMapping, ClaimsTarget, MappedScope } from './claim-targets.js'
import type { Claims, ClaimsSubject } from './ports.js'
import { isProtocolClaim } from './protocol-claims.js'
import type { Resource } from './realm.js'
import { parseAssignment } from './scope.js'

/** The mappings of settings without faults. */
export function claimMappings({ claims }: OidcSettings, resources: readonly Resource[]): ClaimMapping[] {
  return Object.entries(claims).map(([claim, { attribute = claim, scopes, targets }]) => ({
    claim,
    attribute,
    scopes: scopes.map((entry) => mappedScope(entry, resources)),
    targets,
  }))
}

function mappedScope(entry: string, resources: readonly Resource[]): MappedScope {
  const { resource: name, scope } = parseAssignment(entry)
  const resource = resources.find(({ key, uri }) => name !== null && (key === name || uri === name))
  return { scope, resource: resource?.uri ?? null }
}

/**
 * What is wrong with `oidc.claims`.
 * @param path Of the realm's keys, e.g. `oidc`.
 * @param scopeFault What is wrong with entries of the form of `default_scopes`, or null.
 */
export function claimFaults(
  { claims }: OidcSettings,
  path: string,
  scopeFault: (entries: readonly string[]) => string | null,
): ConfigFault[] {
  return Object.entries(claims).flatMap(([claim, { scopes }]) => {
    const name_fault = nameFault(claim)
    if (name_fault !== null) return [{ path: `${path}.claims.${claim}`, message: name_fault }]
    const message = scopes.includes('*')
      ? 'name the scopes: * is for optional_scopes only'
      : scopeFault(scopes)
    return message === null ? [] : [{ path: `${path}.claims.${claim}.scopes`, message }]
  })
}

function nameFault(claim: string): string | null {
  if (isProtocolClaim(claim)) return 'the provider sets this claim itself: choose another name'
  return /^[\x21-\x7e]{1,255}$/.test(claim)
    ? null
    : 'the name of a claim has 1 to 255 printable ASCII characters, and no spaces'
}

/**
 * The claims that the mappings make for this target, without those whose attribute the user does not have. A standard claim that is
 * mapped under its own name has the user's value when there is no such attribute.
 */
export function mappedClaims(
  mappings: readonly ClaimMapping[],
  { user, scopes, audience }: ClaimsSubject,
  target: ClaimsTarget,
): Claims {
  const { attributes = {}, claims } = user
  const isGranted = ({ scope, resource }: MappedScope) =>
    scopes.includes(scope) && (resource === null || resource === audience)
  return Object.fromEntries(
    mappings.flatMap((mapping) => {
      if (!mapping.targets.includes(target) || !mapping.scopes.some(isGranted)) return []
      const { attribute } = mapping
      const isStandard = attribute === mapping.claim && STANDARD_CLAIM_NAMES.includes(attribute)
      const source = isStandard && !Object.hasOwn(attributes, attribute) ? claims : attributes
      const value = Object.hasOwn(source, attribute) ? source[attribute] : null
      return value === undefined || value === null ? [] : [[mapping.claim, value]]
    }),
  )
}
