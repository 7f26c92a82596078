/** The route table, and how a URL finds its realm and its route. */

import { authorize } from '../endpoints/authorize.js'
import { approve, deny } from '../endpoints/consent.js'
import { discovery, discoveryDocument } from '../endpoints/discovery.js'
import { jwks, loadedJwks } from '../endpoints/jwks.js'
import { protectedResource, resourceDocument } from '../endpoints/protected-resource.js'
import { resume } from '../endpoints/resume.js'
import { token } from '../endpoints/token.js'
import type { Endpoint, Endpoints } from '../features/feature.js'
import { FEATURES } from '../features.js'
import { PATHS, REALM_PATH_PREFIX } from '../http/paths.js'
import type { ProviderRoute, RouteName } from '../http/route-name.js'
import type { RealmRules } from '../realm/realm.js'

const READ_METHODS = ['GET', 'HEAD']

const ENDPOINTS: Endpoints = {
  'oidc.discovery': {
    methods: READ_METHODS,
    path: PATHS.discovery,
    cors: true,
    handler: discovery,
    document: discoveryDocument,
  },
  'oidc.authorization-server': {
    methods: READ_METHODS,
    path: PATHS.authorization_server,
    catch_all: true,
    cors: true,
    handler: discovery,
    document: discoveryDocument,
  },
  'oidc.protected-resource': {
    methods: READ_METHODS,
    path: PATHS.protected_resource,
    catch_all: true,
    cors: true,
    handler: protectedResource,
    document: resourceDocument,
  },
  'oidc.jwks': { methods: READ_METHODS, path: PATHS.jwks, cors: true, handler: jwks, document: loadedJwks },
  'oidc.authorize': { methods: ['GET', 'POST'], path: PATHS.authorize, page: true, handler: authorize },
  'oidc.resume': { methods: ['GET'], path: PATHS.resume, page: true, handler: resume },
  'oidc.approve': { methods: ['POST'], path: PATHS.consent, page: true, handler: approve },
  'oidc.deny': { methods: ['DELETE'], path: PATHS.consent, page: true, handler: deny },
  'oidc.token': { methods: ['POST'], path: PATHS.token, cors: true, reads_proofs: true, handler: token },
}

export interface Route extends Endpoint {
  name: RouteName
  /** Whether a realm has the route. */
  enabled(realm: RealmRules): boolean
}

const routesOf = (endpoints: Endpoints, enabled: Route['enabled']): readonly Route[] =>
  Object.entries(endpoints).map(([name, endpoint]) => ({ ...endpoint, name: name as RouteName, enabled }))

export const ROUTES: readonly Route[] = [
  ...routesOf(ENDPOINTS, () => true),
  ...FEATURES.flatMap(({ endpoints = {}, enabled }) => routesOf(endpoints, enabled)),
]

/** What an application may know of them. */
export const PROVIDER_ROUTES: readonly ProviderRoute[] = ROUTES.map(
  ({ name, path, methods, cors, page, document }) => ({
    name,
    path,
    methods,
    cors: cors === true,
    page: page === true,
    document: document !== undefined,
  }),
)

export interface PathInRealm {
  realm: string
  /** Below the realm, as in a single-realm deployment. */
  path: string
}

/**
 * RFC 8414 §3.1, RFC 9728 §3.1: the realm's path follows the well-known segment. MCP clients look there for the discovery
 * document too.
 */
const DOCUMENTS_BEFORE_REALM: readonly string[] = [
  PATHS.authorization_server,
  PATHS.protected_resource,
  PATHS.discovery,
]
/** Documents that exist only with the realm's path after the well-known segment. */
const DOCUMENTS_ONLY_BEFORE_REALM: readonly string[] = [PATHS.authorization_server, PATHS.protected_resource]

/** The realm that a path belongs to, and the path in it; null when it belongs to none. */
export function pathInRealm(pathname: string, routing: 'single' | 'path'): PathInRealm | null {
  if (routing === 'single') return { realm: 'default', path: pathname }
  const document = DOCUMENTS_BEFORE_REALM.find((path) => pathname.startsWith(path + REALM_PATH_PREFIX))
  const split = splitRealm(pathname.slice(document?.length ?? 0))
  if (split === null) return null
  const { realm, rest } = split
  if (document !== undefined) return { realm, path: document + rest }
  const path = rest === '' ? '/' : rest
  const isMisplaced = DOCUMENTS_ONLY_BEFORE_REALM.some(
    (document) => path === document || path.startsWith(`${document}/`),
  )
  return isMisplaced ? null : { realm, path }
}

/** The id after the prefix, and the rest with its slash; null for a path that has no id. */
function splitRealm(path: string): { realm: string; rest: string } | null {
  if (!path.startsWith(REALM_PATH_PREFIX)) return null
  const inRealm = path.slice(REALM_PATH_PREFIX.length)
  const slash = inRealm.indexOf('/')
  if (slash === -1) return inRealm === '' ? null : { realm: inRealm, rest: '' }
  return slash === 0 ? null : { realm: inRealm.slice(0, slash), rest: inRealm.slice(slash) }
}

/** The routes at each path: one or more, with different methods. */
const ROUTES_BY_PATH: ReadonlyMap<string, readonly Route[]> = new Map(
  ROUTES.map(({ path }) => [path, ROUTES.filter((route) => route.path === path)]),
)

/**
 * Whether a person navigates to this path of a realm, so that a browser gets its errors as pages.
 * @param path Below the realm, as `provider.locate` returns it.
 */
export const isPagePath = (path: string): boolean =>
  ROUTES_BY_PATH.get(path)?.some(({ page }) => page === true) === true

/** The routes at a path, and the part of it after the path of a catch-all route. */
export function routesAt(path: string, realm: RealmRules): { routes: readonly Route[]; rest: string } {
  const exact = ROUTES_BY_PATH.get(path)
  if (exact) return { routes: exact.filter(({ enabled }) => enabled(realm)), rest: '' }
  for (const [own, routes] of ROUTES_BY_PATH)
    if (routes[0]?.catch_all && path.startsWith(`${own}/`))
      return { routes, rest: path.slice(own.length + 1) }
  return { routes: [], rest: '' }
}
