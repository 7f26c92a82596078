/** The route of a path, for logs, metrics and traces: one of a fixed list, never a text of the client. */

import type { Provider, RouteName } from '@ostiary/core'

type Named = Exclude<RouteName, 'oidc.deny'>

/** Every route, or this does not compile. Approval and denial share an address and differ by method. */
const NAMES: Record<Named, string> = {
  'oidc.discovery': 'oidc.discovery',
  'oidc.authorization-server': 'oidc.authorization-server',
  'oidc.protected-resource': 'oidc.protected-resource',
  'oidc.jwks': 'oidc.jwks',
  'oidc.authorize': 'oidc.authorize',
  'oidc.resume': 'oidc.resume',
  'oidc.approve': 'oidc.consent',
  'oidc.token': 'oidc.token',
  'oidc.register': 'oidc.register',
  'oidc.userinfo': 'oidc.userinfo',
  'oidc.logout': 'oidc.logout',
  'oidc.introspect': 'oidc.introspect',
  'oidc.revoke': 'oidc.revoke',
}

/** The routes whose answers pages of any origin may read, as in core's route table. */
export const CORS_ROUTES: ReadonlySet<string> = new Set([
  NAMES['oidc.discovery'],
  NAMES['oidc.authorization-server'],
  NAMES['oidc.protected-resource'],
  NAMES['oidc.jwks'],
  NAMES['oidc.token'],
  NAMES['oidc.register'],
  NAMES['oidc.userinfo'],
  NAMES['oidc.revoke'],
])

/** Below a realm: those of identity. */
const PAGES = ['/login', '/login/style.css', '/account']
/** The host's own, of no realm. */
const OWN_PATHS = ['/healthz', '/readyz', '/demo']
/** These stand alone, and so do the addresses below them. */
const OURS = ['login', 'account', 'demo', 'healthz', 'readyz']

export interface NamedRoute {
  /** E.g. `oidc.token`, `login`, `demo`; `other` for an unknown one. */
  route: string
  /** The path, where it is exactly one of ours in a realm that exists; null: it may hold anything that a client sends. */
  path: string | null
}

/** @param realms The ids of the realms. */
export function routeNames(provider: Provider, realms: readonly string[]): (pathname: string) => NamedRoute {
  const known = new Map<string, NamedRoute>()
  const add = (path: string, route: string) => known.set(path, { route, path })
  const below = new Map<string, string>()
  for (const [route, name] of Object.entries(NAMES))
    below.set(withoutRealm(new URL(provider.url(route as Named)).pathname), name)
  for (const realm of realms) {
    for (const [route, name] of Object.entries(NAMES))
      add(new URL(provider.url(route as Named, { realm })).pathname, name)
    const token = new URL(provider.url('oidc.token', { realm })).pathname
    const base = token.slice(0, -withoutRealm(token).length)
    for (const path of PAGES) add(base + path, path.split('/')[1] ?? '')
  }
  for (const path of OWN_PATHS) add(path, path.split('/')[1] ?? '')
  return (pathname) => known.get(pathname) ?? { route: nameBelow(below, withoutRealm(pathname)), path: null }
}

function nameBelow(exact: ReadonlyMap<string, string>, path: string): string {
  // No further than needed: a path may have thousands of slashes.
  const [, first = '', second = ''] = path.split('/', 3)
  const name =
    first === '.well-known' ? exact.get(`/${first}/${second}`) : OURS.find((ours) => ours === first)
  return exact.get(path) ?? name ?? 'other'
}

const withoutRealm = (pathname: string): string => pathname.replace(/\/realms\/[^/]+/, '')

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** One of a fixed list: a client can name a method as it likes. */
export const methodName = (method: string): string => (METHODS.has(method) ? method : 'other')
