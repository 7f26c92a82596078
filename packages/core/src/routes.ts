/** The route table, and how a URL finds its realm and its route. */

import type { OidcSettings } from './config.js'
import type { Context } from './context.js'
import { authorize } from './endpoints/authorize.js'
import { approve, deny } from './endpoints/consent.js'
import { discovery } from './endpoints/discovery.js'
import { endSession } from './endpoints/end-session.js'
import { introspection } from './endpoints/introspection.js'
import { jwks } from './endpoints/jwks.js'
import { protectedResource } from './endpoints/protected-resource.js'
import { registration } from './endpoints/registration.js'
import { resume } from './endpoints/resume.js'
import { revocation } from './endpoints/revocation.js'
import { token } from './endpoints/token.js'
import { userinfo } from './endpoints/userinfo.js'

/** Stable: an application may call a handler, or ask for its URL, by this name. */
export type RouteName =
  | 'oidc.discovery'
  | 'oidc.authorization-server'
  | 'oidc.protected-resource'
  | 'oidc.jwks'
  | 'oidc.authorize'
  | 'oidc.resume'
  | 'oidc.approve'
  | 'oidc.deny'
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
  /** Takes a `{path?}` after its own. */
  catch_all?: true
  /** Readable by pages of any origin, without credentials; the handler's answers say so too. */
  cors?: true
  /** Routed (and advertised) only when this holds. */
  enabled?: (settings: OidcSettings) => boolean
  handler: (c: Context) => Promise<Response>
}

const READ = ['GET', 'HEAD']

export const ROUTES: readonly Route[] = [
  {
    name: 'oidc.discovery',
    methods: READ,
    path: '/.well-known/openid-configuration',
    cors: true,
    handler: discovery,
  },
  {
    name: 'oidc.authorization-server',
    methods: READ,
    path: '/.well-known/oauth-authorization-server',
    catch_all: true,
    cors: true,
    handler: discovery,
  },
  {
    name: 'oidc.protected-resource',
    methods: READ,
    path: '/.well-known/oauth-protected-resource',
    catch_all: true,
    cors: true,
    handler: protectedResource,
  },
  { name: 'oidc.jwks', methods: READ, path: '/.well-known/jwks.json', cors: true, handler: jwks },
  { name: 'oidc.authorize', methods: ['GET', 'POST'], path: '/oauth/authorize', handler: authorize },
  { name: 'oidc.resume', methods: ['GET'], path: '/oauth/authorize/resume', handler: resume },
  { name: 'oidc.approve', methods: ['POST'], path: '/oauth/authorize/consent', handler: approve },
  { name: 'oidc.deny', methods: ['DELETE'], path: '/oauth/authorize/consent', handler: deny },
  { name: 'oidc.token', methods: ['POST'], path: '/oauth/token', cors: true, handler: token },
  {
    name: 'oidc.register',
    methods: ['POST'],
    path: '/oauth/register',
    cors: true,
    enabled: ({ clients }) => clients.registration.enabled,
    handler: registration,
  },
  {
    name: 'oidc.userinfo',
    methods: [...READ, 'POST'],
    path: '/oauth/userinfo',
    cors: true,
    enabled: ({ handlers }) => handlers.userinfo,
    handler: userinfo,
  },
  {
    name: 'oidc.logout',
    methods: ['GET', 'POST'],
    path: '/oauth/logout',
    enabled: ({ handlers }) => handlers.logout,
    handler: endSession,
  },
  {
    name: 'oidc.introspect',
    methods: ['POST'],
    path: '/oauth/introspect',
    enabled: ({ handlers }) => handlers.introspect,
    handler: introspection,
  },
  {
    name: 'oidc.revoke',
    methods: ['POST'],
    path: '/oauth/revoke',
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

/** RFC 8414 §3.1, RFC 9728 §3.1: the realm follows the well-known segment; MCP clients look for discovery there too. */
const INSERTED = [
  '/.well-known/oauth-authorization-server',
  '/.well-known/oauth-protected-resource',
  '/.well-known/openid-configuration',
]
const PREFIXED = /^\/realms\/([^/]+)(\/.*)?$/
const INSERTED_ONLY = /^\/\.well-known\/(?:oauth-authorization-server|oauth-protected-resource)(?:\/|$)/

/** Which realm a path belongs to, and where in it; null when it belongs to none. */
export function pathInRealm(pathname: string, routing: 'single' | 'path'): PathInRealm | null {
  if (routing === 'single') return { realm: 'default', path: pathname }
  const document = INSERTED.find((path) => pathname.startsWith(`${path}/realms/`))
  const [, realm, rest] = PREFIXED.exec(pathname.slice(document?.length ?? 0)) ?? []
  if (realm === undefined) return null
  if (document !== undefined) return { realm, path: document + (rest ?? '') }
  const path = rest ?? '/'
  return INSERTED_ONLY.test(path) ? null : { realm, path }
}

/** By path: its routes, one or more, each for other methods. */
const TABLE: ReadonlyMap<string, readonly Route[]> = new Map(
  ROUTES.map(({ path }) => [path, ROUTES.filter((route) => route.path === path)]),
)

/** The routes at a path, and what follows a catch-all's own path. */
export function routesAt(path: string, settings: OidcSettings): { routes: readonly Route[]; rest: string } {
  const exact = TABLE.get(path)
  if (exact) return { routes: exact.filter(({ enabled }) => enabled?.(settings) !== false), rest: '' }
  for (const [own, routes] of TABLE)
    if (routes[0]?.catch_all && path.startsWith(`${own}/`))
      return { routes, rest: path.slice(own.length + 1) }
  return { routes: [], rest: '' }
}
