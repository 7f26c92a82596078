/** Every absolute URL of a realm, built from its issuer. Nothing else may build one. */

import { PATHS, REALM_PATH_PREFIX } from '../http/paths.js'
import { trimSlashes } from '../util/slashes.js'

export interface RealmUrls {
  issuer: string
  authorization_endpoint: string
  /** Continues a stored authorization request. */
  resume: string
  consent: string
  pushed_authorization_request_endpoint: string
  token_endpoint: string
  registration_endpoint: string
  userinfo_endpoint: string
  end_session_endpoint: string
  introspection_endpoint: string
  revocation_endpoint: string
  jwks_uri: string
  discovery: string
  authorization_server: string
  /** RFC 9728 document of the resource at this path; the realm's root document without one. */
  protected_resource(path?: string): string
  /** The resource at a path relative to the issuer. */
  resource(path: string): string
  /** A page of the application's own, below the realm; null for a path that leads out of it. */
  page(path: string): string | null
}

/** Where a realm lives below the origin: `''` or `/realms/<id>`. */
export const realmPath = (realm: string, routing: 'single' | 'path'): string =>
  routing === 'path' ? REALM_PATH_PREFIX + realm : ''

export function realmUrls(origin: string, path: string): RealmUrls {
  const issuer = origin + path
  return {
    issuer,
    authorization_endpoint: issuer + PATHS.authorize,
    resume: issuer + PATHS.resume,
    consent: issuer + PATHS.consent,
    pushed_authorization_request_endpoint: issuer + PATHS.par,
    token_endpoint: issuer + PATHS.token,
    registration_endpoint: issuer + PATHS.register,
    userinfo_endpoint: issuer + PATHS.userinfo,
    end_session_endpoint: issuer + PATHS.end_session,
    introspection_endpoint: issuer + PATHS.introspect,
    revocation_endpoint: issuer + PATHS.revoke,
    jwks_uri: issuer + PATHS.jwks,
    discovery: issuer + PATHS.discovery,
    authorization_server: origin + PATHS.authorization_server + path,
    protected_resource: (resource) => below(origin + PATHS.protected_resource + path, resource),
    resource: (resource) => below(issuer, resource),
    page: (path) => pageBelow(issuer, path),
  }
}

function below(base: string, value = ''): string {
  const path = trimSlashes(value)
  return path === '' ? base : `${base}/${path}`
}

/** The path is resolved as a browser does it, so that `..` and backslashes cannot lead out of the realm. */
function pageBelow(issuer: string, path: string): string | null {
  if (!path.startsWith('/') || !URL.canParse(issuer + path)) return null
  const { href } = new URL(issuer + path)
  return href.startsWith(new URL(`${issuer}/`).href) ? href : null
}
