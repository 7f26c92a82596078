/** A realm: its issuer, its settings, its scopes and resources. Built once by create-realm.ts, then only read. */

import type { OidcSettings } from '../config/config.js'
import { OAuthError } from '../http/errors.js'
import type { Params } from '../http/params.js'
import type { Client, Grant, SigningAlgorithm } from '../storage/records.js'
import { isResourceUri, normalizeResource } from '../util/resource-uri.js'
import { resourceTokenAlgorithm } from '../util/signing-algorithms.js'
import type { ClaimMapping } from './claim-targets.js'
import type { RealmPolicy } from './policy.js'
import { requestedScopes, type ScopeAssignment, type ScopeCatalog, scopesInPlay } from './scope.js'
import type { RealmUrls } from './urls.js'

/** A protected resource of a realm (RFC 8707, RFC 9728). */
export interface Resource {
  /** The key in `oidc.resources`. */
  key: string
  /** The absolute URI: the value of a `resource` parameter and of a token's `aud`. */
  uri: string
  scopes: readonly string[]
  /** The algorithm of its access tokens; undefined: that of the realm. */
  token_signing_alg: SigningAlgorithm | undefined
  /** The clients that are this API: they may introspect and exchange the access tokens that are addressed to it. */
  clients: readonly string[]
  /** True for an API of another operator: tokens may be addressed to it, but it has no metadata document here. */
  external: boolean
  /** Throws OAuthError for a client that may not have these scopes of it; null where every client may request it. */
  admit: ((client: Client, scopes: readonly string[]) => void) | null
  /** Whether DPoP is on, and its access tokens must be bound to a key: `dpop_bound_access_tokens_required` (RFC 9728 §2). */
  bound_tokens_only: boolean
}

/** One issuer with its settings, scopes and resources (OpenID Connect Discovery §3). */
export interface Realm {
  id: string
  issuer: string
  /** Below the origin: `''` or `/realms/<id>`. */
  path: string
  settings: OidcSettings
  policy: RealmPolicy
  urls: RealmUrls
  resources: readonly Resource[]
  scopes: ScopeCatalog
  /** `oidc.claims`, and the claim `groups`. */
  claims: readonly ClaimMapping[]
}

/** What the rules for clients need of a realm. */
export type RealmRules = Pick<Realm, 'settings' | 'policy'>

/** What a `resource` parameter names: a registered resource, or the issuer itself (then `resource` is null). */
export interface NamedResource {
  uri: string
  resource: Resource | null
}

/** Null when the realm has no resource of this name. */
export function findResource(realm: Realm, name: string): NamedResource | null {
  // Clients mostly send the URI exactly as it is configured.
  const exact = realm.resources.find(({ uri }) => uri === name)
  if (exact) return { uri: exact.uri, resource: exact }
  if (!isResourceUri(name)) return null
  const wanted = normalizeResource(name)
  const resource = realm.resources.find(({ uri }) => normalizeResource(uri) === wanted)
  if (resource) return { uri: resource.uri, resource }
  return wanted === normalizeResource(realm.issuer) ? { uri: realm.issuer, resource: null } : null
}

/** The resource that a `default_resource` names, by its key in `oidc.resources` or its URI; null for none. */
export const findClientResource = (realm: Realm, name: string): Resource | null =>
  realm.resources.find(({ key }) => key === name) ?? findResource(realm, name)?.resource ?? null

/** Whether the client is an API that this audience names. Only operators make such clients; the caller checks that it authenticated. */
export const isClientOfAudience = (
  { resources }: Realm,
  { client_id, origin }: Client,
  audience: readonly string[],
): boolean =>
  origin === 'operator' &&
  resources.some(({ uri, clients }) => audience.includes(uri) && clients.includes(client_id))

/** The algorithm of an access token with this audience. */
export const accessTokenAlgorithm = (realm: Realm, audience: string): SigningAlgorithm =>
  resourceTokenAlgorithm(realm.settings.keys, realm.resources.find(({ uri }) => uri === audience) ?? null)

/** The client's own assignment, or the realm's. */
export const scopeAssignment = (client: Client, realm: Realm): ScopeAssignment => ({
  default_scopes: client.default_scopes ?? realm.settings.clients.default_scopes,
  optional_scopes: client.optional_scopes ?? realm.settings.clients.optional_scopes,
})

const UNKNOWN_RESOURCE = 'The parameter resource does not name a registered resource'
export const unknownDefault = (): OAuthError =>
  new OAuthError(
    'invalid_target',
    'The default_resource of this client does not name a registered resource',
    'unknown_default_resource',
  )

/** What a request asks for. */
interface RequestedAccess {
  /** The requested scopes and the client's default ones. */
  scopes: string[]
  /** The URI of the named resource, or of the `default_resource` of the client or else of the realm; null for none. */
  resource: string | null
}

/** @throws OAuthError `invalid_scope`, `invalid_target` */
export function requestedAccess(realm: Realm, client: Client, params: Params): RequestedAccess {
  const sent = params.get('resource')
  const name = sent ?? client.default_resource ?? realm.settings.clients.default_resource ?? null
  const found = sent === null ? defaultResource(realm, name) : findResource(realm, sent)
  found?.resource?.admit?.(client, requestedScopes(params))
  const scopes = scopesInPlay(requestedScopes(params), {
    assignment: scopeAssignment(client, realm),
    catalog: realm.scopes,
    resource: found?.resource ?? null,
    resources: realm.resources,
  })
  // Refused for a default resource too: a token for the issuer instead could reach more than the operator intended.
  if (name !== null && found === null)
    throw sent === null ? unknownDefault() : new OAuthError('invalid_target', UNKNOWN_RESOURCE)
  return { scopes, resource: found?.uri ?? null }
}

function defaultResource(realm: Realm, name: string | null): NamedResource | null {
  const resource = name === null ? null : findClientResource(realm, name)
  return resource && { uri: resource.uri, resource }
}

type Granted = { client: Client; grant: Pick<Grant, 'resource' | 'scopes'> }
/** RFC 8707 §2.2: a token request may name the granted resource alone. @throws OAuthError `invalid_target`, `invalid_scope` */
export function requireGrantedResource(realm: Realm, { client, grant }: Granted, params: Params): void {
  if (grant.resource !== null) findResource(realm, grant.resource)?.resource?.admit?.(client, grant.scopes)
  const name = params.get('resource')
  if (name === null || findResource(realm, name)?.uri === (grant.resource ?? realm.issuer)) return
  throw new OAuthError(
    'invalid_target',
    'The parameter resource is not the resource that was granted',
    'resource_not_granted',
  )
}

/** Seconds that a logout token is valid: OpenID Connect Back-Channel Logout §2.4 recommends two minutes at most. */
export const LOGOUT_TOKEN_LIFETIME = 120

/** The longest lifetime of a token of the realm, in seconds. A retired signing key stays published that long. */
export const longestTokenLifetime = ({ tokens }: OidcSettings): number =>
  Math.max(tokens.access_token, tokens.id_token, tokens.client_credentials, LOGOUT_TOKEN_LIFETIME)
