/** The route table, and how a URL finds its realm and its route. */

import type { OidcSettings } from './config.js'
import type { Context, RealmContext } from './context.js'
import { authorize } from './endpoints/authorize.js'
import { approve, deny } from './endpoints/consent.js'
import { discovery, discoveryDocument } from './endpoints/discovery.js'
import { introspection } from './endpoints/introspection.js'
import { jwks, loadedJwks } from './endpoints/jwks.js'
import { logout } from './endpoints/logout.js'
import { protectedResource, resourceDocument } from './endpoints/protected-resource.js'
import { pushedAuthorizationRequest } from './endpoints/pushed-authorization-request.js'
import { registration } from './endpoints/registration.js'
import { resume } from './endpoints/resume.js'
import { revocation } from './endpoints/revocation.js'
import { token } from './endpoints/token.js'
import { userinfo } from './endpoints/userinfo.js'
import { PATHS, REALM_PATH_PREFIX } from './paths.js'
import type { StaticDocument } from './static-document.js'

/** The name by which an application calls a route's handler or gets its URL. Names stay the same across versions. */
export type RouteName =
  | 'oidc.discovery'
  | 'oidc.authorization-server'
  | 'oidc.protected-resource'
  | 'oidc.jwks'
  | 'oidc.authorize'
  | 'oidc.resume'
  | 'oidc.approve'
  | 'oidc.deny'
  | 'oidc.par'
  | 'oidc.token'
  | 'oidc.register'
  | 'oidc.userinfo'
  | 'oidc.logout'
  | 'oidc.introspect'
  | 'oidc.revoke'

export interface Route {
  name: RouteName
  methods: readonly string[]
  /** Below the realm, as in a single-realm deployment. */
  path: string
  /** Whether more path segments may follow, `{path?}`. */
  catch_all?: true
  /** Pages of any origin may read the answers, without credentials; the handler sets the headers too. */
  cors?: true
  /**
   * A person navigates there: a browser gets its errors as a page. Every other route answers JSON or a challenge for every
   * `Accept` says, since programs list `text/html` too.
   */
  page?: true
  /** Whether it reads DPoP proofs, where they are on: pages may send them, and read the nonces (RFC 9449 §8.2). */
  reads_proofs?: true
  /** Whether the route exists; discovery leaves it out otherwise. */
  enabled?: (settings: OidcSettings) => boolean
  handler: (c: Context) => Promise<Response>
  /**
   * The document of a route that has one for all requests, without waiting; null when only the handler can answer.
   * @param path What follows the path of a catch-all route.
   */
  document?: (c: RealmContext, path: string) => StaticDocument | null
}

const READ_METHODS = ['GET', 'HEAD']

export const ROUTES: readonly Route[] = [
  {
    name: 'oidc.discovery',
    methods: READ_METHODS,
    path: PATHS.discovery,
    cors: true,
    handler: discovery,
    document: discoveryDocument,
  },
  {
    name: 'oidc.authorization-server',
    methods: READ_METHODS,
    path: PATHS.authorization_server,
    catch_all: true,
    cors: true,
    handler: discovery,
    document: discoveryDocument,
  },
  {
    name: 'oidc.protected-resource',
    methods: READ_METHODS,
    path: PATHS.protected_resource,
    catch_all: true,
    cors: true,
    handler: protectedResource,
    document: resourceDocument,
  },
  {
    name: 'oidc.jwks',
    methods: READ_METHODS,
    path: PATHS.jwks,
    cors: true,
    handler: jwks,
    document: loadedJwks,
  },
  { name: 'oidc.authorize', methods: ['GET', 'POST'], path: PATHS.authorize, page: true, handler: authorize },
  { name: 'oidc.resume', methods: ['GET'], path: PATHS.resume, page: true, handler: resume },
  { name: 'oidc.approve', methods: ['POST'], path: PATHS.consent, page: true, handler: approve },
  { name: 'oidc.deny', methods: ['DELETE'], path: PATHS.consent, page: true, handler: deny },
  {
    name: 'oidc.par',
    methods: ['POST'],
    path: PATHS.par,
    cors: true,
    reads_proofs: true,
    enabled: ({ par }) => par.enabled,
    handler: pushedAuthorizationRequest,
  },
  {
    name: 'oidc.token',
    methods: ['POST'],
    path: PATHS.token,
    cors: true,
    reads_proofs: true,
    handler: token,
  },
  {
    name: 'oidc.register',
    methods: ['POST'],
    path: PATHS.register,
    cors: true,
    enabled: ({ clients }) => clients.registration.enabled,
    handler: registration,
  },
  {
    name: 'oidc.userinfo',
    methods: [...READ_METHODS, 'POST'],
    path: PATHS.userinfo,
    cors: true,
    reads_proofs: true,
    enabled: ({ handlers }) => handlers.userinfo,
    handler: userinfo,
  },
  {
    name: 'oidc.logout',
    methods: ['GET', 'POST'],
    path: PATHS.end_session,
    page: true,
    enabled: ({ handlers }) => handlers.logout,
    handler: logout,
  },
  {
    name: 'oidc.introspect',
    methods: ['POST'],
    path: PATHS.introspect,
    enabled: ({ handlers }) => handlers.introspect,
    handler: introspection,
  },
  {
    name: 'oidc.revoke',
    methods: ['POST'],
    path: PATHS.revoke,
    cors: true,
    enabled: ({ handlers }) => handlers.revoke,
    handler: revocation,
  },
]

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
export function routesAt(path: string, settings: OidcSettings): { routes: readonly Route[]; rest: string } {
  const exact = ROUTES_BY_PATH.get(path)
  if (exact) return { routes: exact.filter(({ enabled }) => enabled?.(settings) !== false), rest: '' }
  for (const [own, routes] of ROUTES_BY_PATH)
    if (routes[0]?.catch_all && path.startsWith(`${own}/`))
      return { routes, rest: path.slice(own.length + 1) }
  return { routes: [], rest: '' }
}
