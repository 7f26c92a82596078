/** Client identifiers that are URLs: OAuth Client ID Metadata Document, "Client Identifier". */

import { isLoopbackHost } from './loopback.js'

const MAX_LENGTH = 2048
const SCHEME = 'https://'
const THIS_COMPUTER =
  'names this computer, and documents are fetched from public addresses only: for development, with an issuer on this computer, use a name below localhost, such as https://app.localhost/client'

/** Whether this client_id is to be read as a URL. The comparison is exact: `HTTPS://` is an ordinary client_id. */
export const isClientIdUrl = (client_id: string): boolean => client_id.startsWith(SCHEME)

/** Why no document is read from this client_id, which begins with `https://`; or null. */
export function clientIdUrlFault(client_id: string): string | null {
  if (client_id.length > MAX_LENGTH) return `is longer than ${MAX_LENGTH} characters`
  if (!/^[\x21-\x7e]+$/.test(client_id) || client_id.includes('\\'))
    return 'holds a character that a URI may not hold'
  if (client_id.includes('#')) return 'has a fragment'
  if (client_id.includes('?')) return 'has a query'
  const slash = client_id.indexOf('/', SCHEME.length)
  const authority = client_id.slice(SCHEME.length, slash < 0 ? undefined : slash)
  const path = slash < 0 ? '' : client_id.slice(slash)
  if (authority.includes('@')) return 'has user-info'
  if (path === '' || path === '/') return 'has no path'
  const segments = path.split('/').map((segment) => segment.replaceAll(/%2e/gi, '.'))
  if (segments.some((segment) => segment === '.' || segment === '..')) return 'has a dot segment in its path'
  // Two texts for one URL would be two clients.
  if (!URL.canParse(client_id) || new URL(client_id).href !== client_id) return 'is not in its normal form'
  return documentHostFault(new URL(client_id).hostname)
}

/**
 * Why no document is read from this host, or null.
 * @param hostname Of the URL parser, which writes every form of an IPv4 address as four numbers, and an IPv6 address in brackets.
 */
export function documentHostFault(hostname: string): string | null {
  if (isLoopbackHost(hostname)) return THIS_COMPUTER
  if (/^\[|^[\d.]+$/.test(hostname)) return 'names an IP address instead of a host'
  return /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)+$/.test(hostname) ? null : 'has a host without a domain'
}

/** @param patterns Exact hosts, `*.example.com` for every host below it, or `*`; in lower case. */
export function isAllowedHost(hostname: string, patterns: readonly string[]): boolean {
  return patterns.some(
    (pattern) =>
      pattern === '*' ||
      pattern === hostname ||
      (pattern.startsWith('*.') && hostname.endsWith(pattern.slice(1))),
  )
}
