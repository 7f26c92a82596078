/** The route of a path, for logs, metrics and traces: one of a fixed list, never a text that a client chose. */

import type { Provider, RouteName } from '@ostiary/core'

/** Approval and denial share an address and differ by method. */
type LabeledRoute = Exclude<RouteName, 'oidc.deny'>

/**
 * Every route of the provider, as in core's route table: whether pages of any origin may read its answers, and whether it has
 * a document that is the same for every request.
 */
const ROUTES: Readonly<Record<LabeledRoute, { cors: boolean; document?: true }>> = {
  'oidc.discovery': { cors: true, document: true },
  'oidc.authorization-server': { cors: true, document: true },
  'oidc.protected-resource': { cors: true, document: true },
  'oidc.jwks': { cors: true, document: true },
  'oidc.authorize': { cors: false },
  'oidc.resume': { cors: false },
  'oidc.approve': { cors: false },
  'oidc.par': { cors: true },
  'oidc.token': { cors: true },
  'oidc.register': { cors: true },
  'oidc.userinfo': { cors: true },
  'oidc.logout': { cors: false },
  'oidc.introspect': { cors: false },
  'oidc.revoke': { cors: true },
  'oidc.device-authorization': { cors: true },
  'oidc.device': { cors: false },
}
const ROUTE_NAMES = Object.keys(ROUTES) as LabeledRoute[]

const labelOf = (name: LabeledRoute): string => (name === 'oidc.approve' ? 'oidc.consent' : name)

/** The labels of the routes whose answers pages of any origin may read. */
export const CORS_ROUTES: ReadonlySet<string> = new Set(
  ROUTE_NAMES.filter((name) => ROUTES[name].cors).map(labelOf),
)

/** The labels of the routes that have a document. */
export const DOCUMENT_ROUTES: ReadonlySet<string> = new Set(
  ROUTE_NAMES.filter((name) => ROUTES[name].document).map(labelOf),
)

/** Below a realm: the pages of identity where persons navigate. */
export const IDENTITY_PAGES: readonly string[] = ['/', '/login', '/account']
/** The paths of identity, below a realm. */
const IDENTITY_PATHS = ['/login', '/login/style.css', '/login/client-logo', '/account']
/** Paths of the host, outside of the realms. */
const HOST_PATHS = ['/healthz', '/readyz', '/demo']
/** The first segments that label a path and every path below it. */
const LABELED_SEGMENTS = ['login', 'account', 'demo', 'healthz', 'readyz']

export interface RouteLabel {
  /** For example `oidc.token`, `login`, `demo`; `other` for an unknown path. */
  route: string
  /** The path, where it is exactly a known one in a realm that exists; else null, as it may hold anything that a client sends. */
  path: string | null
}

/**
 * @param realms The ids of the realms.
 * @param missing Routes that no realm has: their paths are unknown ones.
 */
export function routeLabels(
  provider: Provider,
  realms: readonly string[],
  missing: readonly RouteName[] = [],
): (pathname: string) => RouteLabel {
  const names = ROUTE_NAMES.filter((name) => !missing.includes(name))
  const known = new Map<string, RouteLabel>()
  const add = (path: string, route: string) => known.set(path, { route, path })
  const withoutRealms = new Map<string, string>()
  for (const name of names)
    withoutRealms.set(withoutRealm(new URL(provider.url(name)).pathname), labelOf(name))
  for (const realm of realms) {
    for (const name of names) add(new URL(provider.url(name, { realm })).pathname, labelOf(name))
    const token = new URL(provider.url('oidc.token', { realm })).pathname
    const base = token.slice(0, -withoutRealm(token).length)
    for (const path of IDENTITY_PATHS) add(base + path, firstSegment(path))
  }
  for (const path of HOST_PATHS) add(path, firstSegment(path))
  return (pathname) =>
    known.get(pathname) ?? { route: unknownPathLabel(withoutRealms, withoutRealm(pathname)), path: null }
}

function unknownPathLabel(labels: ReadonlyMap<string, string>, path: string): string {
  // A path may have thousands of slashes: no more than two segments are needed.
  const [, first = '', second = ''] = path.split('/', 3)
  const exact = labels.get(path)
  if (exact !== undefined) return exact
  if (first === '.well-known') return labels.get(`/${first}/${second}`) ?? 'other'
  return LABELED_SEGMENTS.includes(first) ? first : 'other'
}

const firstSegment = (path: string): string => path.split('/', 2)[1] ?? ''

const withoutRealm = (pathname: string): string => pathname.replace(/\/realms\/[^/]+/, '')

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** One of a fixed list: a client may send any text as the method. */
export const methodLabel = (method: string): string => (METHODS.has(method) ? method : 'other')
