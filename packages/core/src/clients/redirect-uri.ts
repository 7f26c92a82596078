/** Redirect URIs: RFC 6749 §3.1.2, RFC 8252 §7.3, RFC 9700 §2.1. */

import { insecureRedirectFault } from '../realm/policy.js'
import type { RealmRules } from '../realm/realm.js'
import { isLoopbackHost } from '../util/loopback.js'
import { isPrivateUseScheme } from '../util/private-use-scheme.js'

/** Schemes that run code or read local files: never allowed, even when a configuration lists them. */
const DANGEROUS_SCHEMES = new Set(['javascript', 'data', 'file', 'vbscript', 'blob', 'about'])

const HTTP_ORIGIN = /^http:\/\/([^/?:@[\]]+|\[[^/?@[\]]+\])(:\d{1,5})?(?:[/?]|$)/

/** Exact match; for http on the loopback, any port matches (RFC 8252 §7.3). */
export function matchesRedirectUri(registered: string, requested: string): boolean {
  if (registered === requested) return true
  const expected = withoutLoopbackPort(registered)
  return expected !== null && URL.canParse(requested) && withoutLoopbackPort(requested) === expected
}

/** The URI without its port, if it is http on the loopback; null otherwise. */
function withoutLoopbackPort(uri: string): string | null {
  const [, host = '', port = ''] = HTTP_ORIGIN.exec(uri) ?? []
  if (!isLoopbackHost(host)) return null
  const end = 'http://'.length + host.length
  return uri.slice(0, end) + uri.slice(end + port.length)
}

/** What is wrong with a redirect URI, or null. */
export function redirectUriFault(uri: string): string | null {
  if (uri.length > 2048) return 'is longer than 2048 characters'
  if (!/^[\x21-\x7e]+$/.test(uri) || uri.includes('\\')) return 'holds a character that a URI may not hold'
  if (/%(?![0-9A-Fa-f]{2})/.test(uri)) return 'holds a bad percent escape'
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(uri)?.[1]?.toLowerCase()
  if (scheme === undefined || !URL.canParse(uri)) return 'is not an absolute URI'
  if (DANGEROUS_SCHEMES.has(scheme)) return `uses the scheme ${scheme}, which is never allowed`
  if (uri.includes('#')) return 'has a fragment'
  const url = new URL(uri)
  // The text is checked too: some parsers drop an empty user-info that others keep.
  if (url.username || url.password || /^[^/?]*\/\/[^/?]*@/.test(uri)) return 'has user-info'
  if (!/^[^:]+:\/\/[^/?]/.test(uri) || url.host === '') return NO_HOST
  return null
}

const NO_HOST = 'has no host'

/** The scheme of a URI such as `com.example.app:/callback`, which has no host (RFC 8252 §7.1); null for any other URI. */
function privateUseScheme(uri: string): string | null {
  const colon = uri.indexOf(':')
  const scheme = uri.slice(0, colon)
  const path = uri.slice(colon + 1)
  return isPrivateUseScheme(scheme) && path.startsWith('/') && !path.startsWith('//') ? scheme : null
}

/** What is wrong with a redirect URI of a client that an operator makes, or null. */
export function operatorUriFault(uri: string): string | null {
  const fault = redirectUriFault(uri)
  return fault === NO_HOST && privateUseScheme(uri) !== null ? null : fault
}

/** What is wrong with an address that pages show or load, such as `logo_uri`; or null. */
export function pageUriFault(uri: string): string | null {
  const fault = redirectUriFault(uri.split('#', 1)[0] ?? '')
  if (fault) return fault
  if (uri.length > 2048 || !/^[\x21-\x7e]+$/.test(uri))
    return 'is too long, or holds a character that a URI may not hold'
  const { protocol, hostname } = new URL(uri)
  if (protocol === 'https:' || (protocol === 'http:' && isLoopbackHost(hostname))) return null
  return 'is not https'
}

/** Parameters that an authorization response adds (RFC 6749 §4.1.2, RFC 9207 §2). */
const RESPONSE_PARAMETERS = ['code', 'state', 'iss', 'error', 'error_description']

/** Which parameter of a valid redirect URI conflicts with the authorization response, as a fault; null for none. */
export function redirectQueryFault(uri: string): string | null {
  const { searchParams } = new URL(uri)
  const conflict = RESPONSE_PARAMETERS.find((name) => searchParams.has(name))
  return conflict === undefined
    ? null
    : `has the parameter ${conflict} in its query, which the authorization response adds`
}

export interface RedirectUriPolicy {
  allowed_redirect_schemes: readonly string[]
  /** Schemes of URIs without a host. */
  allowed_private_use_schemes: readonly string[]
  /** Exact hosts, or `*` for any. */
  allowed_redirect_domains: readonly string[]
}

/** Why a client may not register this URI itself, with the configuration key that would allow it; or null. */
export function registrationUriFault(uri: string, policy: RedirectUriPolicy): string | null {
  const fault = redirectUriFault(uri)
  const app = fault === NO_HOST ? privateUseScheme(uri) : null
  if (app !== null && policy.allowed_private_use_schemes.includes(app)) return null
  if (fault) return fault
  const { protocol, hostname, host } = new URL(uri)
  if (protocol === 'https:' || protocol === 'http:') {
    const domains = policy.allowed_redirect_domains.map((domain) => domain.toLowerCase())
    return ['*', hostname, host].some((value) => domains.includes(value))
      ? null
      : 'has a host that is not in oidc.clients.registration.allowed_redirect_domains'
  }
  return policy.allowed_redirect_schemes.includes(protocol.slice(0, -1))
    ? null
    : 'has a scheme that is not in oidc.clients.registration.allowed_redirect_schemes'
}

/** Why a client may not register this redirect URI itself, or null. */
export const registeredRedirectFault = (uri: string, { settings, policy }: RealmRules): string | null =>
  registrationUriFault(uri, settings.clients.registration) ??
  redirectQueryFault(uri) ??
  insecureRedirectFault(policy, uri)

/** What pages show of a redirect URI: its host; for a custom scheme, the scheme and the host, if it has one. */
export function redirectHost(uri: string): string {
  const { protocol, host } = new URL(uri)
  if (host === '') return protocol
  return protocol === 'https:' || protocol === 'http:' ? host : `${protocol}//${host}`
}

/** Adds parameters to the query; the rest of the URI stays as it was registered. */
export function withQuery(uri: string, parameters: Record<string, string | null>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) if (value !== null) query.set(name, value)
  if (!uri.includes('?')) return `${uri}?${query}`
  return /[?&]$/.test(uri) ? `${uri}${query}` : `${uri}&${query}`
}
