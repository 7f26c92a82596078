/** Builds a realm from its settings, and checks that its resources and scope assignments are consistent. */

import type { OidcSettings } from '../config/config.js'
import { ConfigError, type ConfigFault, refuseFaults } from '../config/config-error.js'
import { algorithmFault } from '../util/algorithm-fault.js'
import { isResourceUri, normalizeResource } from '../util/resource-uri.js'
import { claimFaults, claimMappings } from './claim-mappings.js'
import { closedTo } from './closed-resource.js'
import { realmPolicy } from './policy.js'
import { findClientResource, type Realm, type Resource } from './realm.js'
import { parseAssignment, type ScopeCatalog } from './scope.js'
import { realmPath, realmUrls } from './urls.js'

const BUILT_IN_SCOPES: Record<string, string> = {
  openid: 'Know who you are',
  profile: 'See your name and profile',
  email: 'See your email address',
  address: 'See your postal address',
  phone: 'See your phone number',
  offline_access: 'Keep access after you sign out',
}

/** @throws ConfigError when a scope that is assigned or mapped to a claim does not exist, or a claim cannot be mapped. */
export function createRealm(id: string, settings: OidcSettings, path = 'oidc'): Realm {
  const base = realmPath(id, settings.routes.realms)
  const urls = realmUrls(settings.issuer, base)
  const policy = realmPolicy(settings)
  const resources = Object.entries(settings.resources).map(
    ([key, { scopes, clients, token_signing_alg, dpop, closed }]): Resource => {
      const external = isResourceUri(key)
      const uri = external ? key : urls.resource(key)
      const bound_tokens_only = policy.proofs !== null && (policy.proofs.every_token || dpop === 'required')
      const admit = closed ? closedTo({ key, uri, scopes }) : null
      return { key, uri, scopes, clients, token_signing_alg, external, admit, bound_tokens_only }
    },
  )
  const realm: Realm = {
    id,
    issuer: urls.issuer,
    path: base,
    settings,
    policy,
    urls,
    resources,
    scopes: scopeCatalog(settings, resources),
    claims: claimMappings(settings, resources),
  }
  const message = resourcesFault(realm)
  if (message !== null) throw new ConfigError({ path: `${path}.resources`, message })
  for (const list of ['default_scopes', 'optional_scopes'] as const) {
    const entries = settings.clients[list]
    const message = assignmentFault(realm, entries) ?? closedFault(realm, entries)
    if (message !== null) throw new ConfigError({ path: `${path}.clients.${list}`, message })
  }
  const faults = [
    ...defaultResourceFaults(realm, path),
    ...algorithmFaults(settings, path),
    ...dpopFaults(settings, path),
    ...apiClientFaults(settings, path),
    ...claimFaults(settings, path, (entries) => assignmentFault(realm, entries)),
  ]
  refuseFaults(faults)
  return realm
}

function defaultResourceFaults(realm: Realm, path: string): ConfigFault[] {
  const message = resourceNameFault(realm, realm.settings.clients.default_resource)
  return message === null ? [] : [{ path: `${path}.clients.default_resource`, message }]
}

/** What is wrong with this value of `default_resource`, of the realm or a client; or null. */
export const resourceNameFault = (realm: Realm, name: string | undefined): string | null =>
  name === undefined || findClientResource(realm, name) !== null
    ? null
    : `there is no resource ${JSON.stringify(name)} in oidc.resources`

/** While DPoP is off, a resource that requires bound tokens would get bearer tokens. */
function dpopFaults({ dpop, resources }: OidcSettings, path: string): ConfigFault[] {
  const required = Object.keys(resources).filter((key) => resources[key]?.dpop === 'required')
  return (dpop === 'off' ? required : []).map((key) => ({
    path: `${path}.resources.${key}.dpop`,
    message: 'required needs oidc.dpop: set that to "on" as well',
  }))
}

/** A client that a document describes is another kind: operators make the clients that are an API. */
const apiClientFaults = ({ resources }: OidcSettings, path: string): ConfigFault[] =>
  Object.entries(resources).flatMap(([key, { clients }]) =>
    clients
      .filter((client_id) => /^https?:/i.test(client_id))
      .map((client_id) => ({
        path: `${path}.resources.${key}.clients`,
        message: `${JSON.stringify(client_id)} is the URL of a document: name clients that you make, with a secret or keys`,
      })),
  )

/** The algorithms that are chosen, and are not in the list. */
function algorithmFaults({ keys, resources }: OidcSettings, path: string): ConfigFault[] {
  const chosen = [
    { path: `${path}.keys.access_token_alg`, message: algorithmFault(keys, keys.access_token_alg) },
    ...Object.entries(resources).map(([key, { token_signing_alg }]) => ({
      path: `${path}.resources.${key}.token_signing_alg`,
      message: algorithmFault(keys, token_signing_alg),
    })),
  ]
  return chosen.flatMap(({ message, ...fault }) => (message === null ? [] : [{ ...fault, message }]))
}

const withSlash = (url: string): string => (url.endsWith('/') ? url : `${url}/`)

/** What is wrong with these resources, or null. With realms by path, the other paths of the origin belong to no realm. */
function resourcesFault({ resources, settings, issuer }: Realm): string | null {
  const seen = new Map<string, string>()
  for (const { key, uri, external } of resources) {
    const name = normalizeResource(uri)
    const other = seen.get(name)
    if (other !== undefined)
      return `${JSON.stringify(other)} and ${JSON.stringify(key)} are the same resource`
    seen.set(name, key)
    const below = [issuer, settings.issuer + realmPath('', settings.routes.realms)].map(withSlash)
    if (external && (name === settings.issuer || below.some((base) => name.startsWith(base))))
      return `${JSON.stringify(key)} is below the issuer: write only its path`
  }
  return null
}

/** What is wrong with these entries of `default_scopes` or `optional_scopes`, or null. */
export function assignmentFault(realm: Realm, entries: readonly string[]): string | null {
  for (const entry of entries) {
    if (entry === '*') continue
    const { resource: name, scope } = parseAssignment(entry)
    if (name === null) {
      if (realm.scopes.realm.has(scope)) continue
      const owner = realm.resources.find(({ scopes }) => scopes.includes(scope))
      return owner
        ? `${scope} is owned by the resource ${JSON.stringify(owner.key)}: write "${owner.key || owner.uri} ${scope}"`
        : `there is no scope ${JSON.stringify(scope)}`
    }
    const resource = realm.resources.find(({ key, uri }) => key === name || uri === name)
    if (!resource) return `there is no resource ${JSON.stringify(name)}`
    if (!resource.scopes.includes(scope))
      return `the resource ${JSON.stringify(name)} has no scope ${JSON.stringify(scope)}`
  }
  return null
}

/** What the realm assigns to every client does not open a resource that is closed. */
function closedFault({ resources }: Realm, entries: readonly string[]): string | null {
  const closed = resources.filter(({ admit }) => admit !== null)
  const names = entries.map((entry) => parseAssignment(entry).resource)
  const named = closed.find(({ key, uri }) => names.includes(key) || names.includes(uri))
  return (
    (named &&
      `the resource ${JSON.stringify(named.key)} is closed: assign its scopes in the clients that may request it`) ??
    null
  )
}

function scopeCatalog(settings: OidcSettings, resources: readonly Resource[]): ScopeCatalog {
  const owned = new Set(resources.flatMap(({ scopes }) => scopes))
  const descriptions = new Map(Object.entries(BUILT_IN_SCOPES))
  const hidden = new Set<string>()
  if (settings.scopes.offline_access?.hidden !== false) hidden.add('offline_access')
  const high = new Set<string>()
  for (const [name, { description, hidden: isHidden, severity }] of Object.entries(settings.scopes)) {
    if (description !== undefined) descriptions.set(name, description)
    if (isHidden) hidden.add(name)
    if (severity === 'high') high.add(name)
  }
  // A built-in scope belongs to the realm even if a resource lists it: otherwise only requests for that resource could use it.
  const builtIn = Object.keys(BUILT_IN_SCOPES)
  const added = Object.keys(settings.scopes).filter((name) => !owned.has(name))
  return { realm: new Set([...builtIn, ...added]), hidden, descriptions, high }
}
