/** The route of a path, for logs, metrics and traces: one of a fixed list, never a text that a client chose. */

import type { Provider, ProviderRoute, RouteName } from '@ostiary/core'

/** Approval and denial share an address and differ by method. */
const SHARED_LABELS: Partial<Record<RouteName, string>> = {
  'oidc.approve': 'oidc.consent',
  'oidc.deny': 'oidc.consent',
}

/** Below a realm: the pages of identity where persons navigate. */
export const IDENTITY_PAGES: readonly string[] = ['/', '/login', '/account']
/** The paths of identity, below a realm. */
const IDENTITY_PATHS = ['/login', '/login/style.css', '/login/client-logo', '/account']
/** The documents of identity for the account page, which a realm without a path of its own has. */
const WELL_KNOWN_PATHS = ['/.well-known/change-password', '/.well-known/passkey-endpoints']
/** Paths of the host, outside of the realms. */
const HOST_PATHS = ['/healthz', '/readyz', '/demo']
/** The first segments that label a path and every path below it. */
const LABELED_SEGMENTS = ['login', 'account', 'demo', 'healthz', 'readyz']

export interface RouteLabel {
  /** For example `oidc.token`, `login`, `demo`; `other` for an unknown path. */
  route: string
  /** The path, where it is exactly a known one in a realm that exists; else null, as it may hold anything that a client sends. */
  path: string | null
  /** Whether pages of any origin may read the answers. */
  cors: boolean
  /** Whether `provider.document` may have the answer. */
  document: boolean
}

/** What all paths of a route share. */
type Label = Omit<RouteLabel, 'path'>

const providerLabel = ({ name, cors, document }: ProviderRoute): Label => ({
  route: SHARED_LABELS[name] ?? name,
  cors,
  document,
})
const ownLabel = (route: string): Label => ({ route, cors: false, document: false })

/**
 * @param realms The ids of the realms.
 * @param missing Routes that no realm has: their paths are unknown ones.
 */
export function routeLabels(
  provider: Pick<Provider, 'routes' | 'url'>,
  realms: readonly string[],
  missing: readonly RouteName[] = [],
): (pathname: string) => RouteLabel {
  const routes = provider.routes.filter(({ name }) => !missing.includes(name))
  const known = new Map<string, RouteLabel>()
  const add = (path: string, label: Label) => known.set(path, { ...label, path })
  for (const realm of realms) {
    for (const route of routes)
      add(new URL(provider.url(route.name, { realm })).pathname, providerLabel(route))
    const token = new URL(provider.url('oidc.token', { realm })).pathname
    const base = token.slice(0, -withoutRealm(token).length)
    for (const path of IDENTITY_PATHS) add(base + path, ownLabel(firstSegment(path)))
    if (base === '') for (const path of WELL_KNOWN_PATHS) add(path, ownLabel('account'))
  }
  for (const path of HOST_PATHS) add(path, ownLabel(firstSegment(path)))
  const below_realms = new Map(routes.map((route) => [route.path, providerLabel(route)]))
  return (pathname) =>
    known.get(pathname) ?? { ...unknownPathLabel(below_realms, withoutRealm(pathname)), path: null }
}

function unknownPathLabel(labels: ReadonlyMap<string, Label>, path: string): Label {
  // A path may have thousands of slashes: no more than two segments are needed.
  const [, first = '', second = ''] = path.split('/', 3)
  const exact = labels.get(path)
  if (exact !== undefined) return exact
  if (first === '.well-known') return labels.get(`/${first}/${second}`) ?? ownLabel('other')
  return ownLabel(LABELED_SEGMENTS.includes(first) ? first : 'other')
}

const firstSegment = (path: string): string => path.split('/', 2)[1] ?? ''

const withoutRealm = (pathname: string): string => pathname.replace(/\/realms\/[^/]+/, '')

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** One of a fixed list: a client may send any text as the method. */
export const methodLabel = (method: string): string => (METHODS.has(method) ? method : 'other')
