/** The route of a path, for metrics and traces: one of a fixed list, whatever is asked for. */

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

/** These stand alone, and so do the addresses below them. */
const OURS = ['login', 'account', 'demo', 'healthz', 'readyz']

/** @returns e.g. `oidc.token`, `login`, `demo`; `other` for what is no route of ours. */
export function routeNames(provider: Provider): (pathname: string) => string {
  const exact = new Map(
    Object.entries(NAMES).map(([route, name]) => [
      withoutRealm(new URL(provider.url(route as Named)).pathname),
      name,
    ]),
  )
  return (pathname) => {
    const path = withoutRealm(pathname)
    const known = exact.get(path)
    if (known !== undefined) return known
    const [, first = '', second = ''] = path.split('/')
    return (
      (first === '.well-known' ? exact.get(`/${first}/${second}`) : OURS.find((ours) => ours === first)) ??
      'other'
    )
  }
}

const withoutRealm = (pathname: string): string => pathname.replace(/\/realms\/[^/]+/, '')
