/** Which requests a stored consent covers, and which clients need none. */

import { includesAll, parseAssignment, type ScopeAssignment, type ScopeCatalog } from '../realm/scope.js'
import type { Client, Consent } from '../storage/storage.js'
import { authMethods } from '../util/auth-methods.js'
import { isLoopbackHost } from '../util/loopback.js'

/** Whether the rows that are not revoked cover every scope at every resource. */
export function consentCovers(
  rows: readonly Consent[],
  resources: readonly string[],
  scopes: readonly string[],
): boolean {
  return resources.every((resource) =>
    rows.some(
      (row) => row.resource === resource && row.revoked_at === null && includesAll(row.scopes, scopes),
    ),
  )
}

/** True for trusted clients and for `consent_required` false: the consent view is not shown and no consent is stored. */
export const needsNoConsent = (client: Client): boolean => client.trusted || !client.consent_required

/**
 * The scopes that the client can be granted. Where `offline_access` is advertised, each client may ask for it: one that skips the
 * consent view gets it only if an operator made the client and assigned the scope by name.
 */
export function grantableScopes(
  client: Client,
  scopes: readonly string[],
  { catalog, assignment }: { catalog: ScopeCatalog; assignment: ScopeAssignment },
): string[] {
  const names = [...assignment.default_scopes, ...assignment.optional_scopes]
  const isNamed = names.some((entry) => parseAssignment(entry).scope === 'offline_access')
  const isOffline = !needsNoConsent(client) || (client.origin === 'operator' && isNamed)
  return scopes.filter((scope) => scope !== 'offline_access' || catalog.hidden.has(scope) || isOffline)
}

/**
 * Whether the user is asked although a consent is stored. All installations of a program share the client_id that its document
 * has, or that registration with `reuse` gives, and it is no secret. A redirect to this computer can be received by any program on
 * it: with a stored consent, each of them could get a code without the user noticing.
 */
export function asksEveryTime(client: Client, { redirect_uri, reuse }: AskedRequest): boolean {
  const is_shared = client.origin === 'metadata_document' || (client.origin === 'registered' && reuse)
  return is_shared && isPublicClient(client) && isRedirectToThisComputer(redirect_uri)
}

interface AskedRequest {
  redirect_uri: string
  /** `oidc.clients.registration.reuse` */
  reuse: boolean
}

/** Whether it may send a request without authentication. */
const isPublicClient = (client: Client): boolean => authMethods(client).includes('none')

/** A loopback address (RFC 8252 §7.3), or a scheme that programs register with the system (§7.1). */
function isRedirectToThisComputer(uri: string): boolean {
  const { protocol, hostname } = new URL(uri)
  return (protocol !== 'https:' && protocol !== 'http:') || isLoopbackRedirect(hostname)
}

/** Wider than RFC 8252: every name and address of this computer that a redirect URI could have. */
const isLoopbackRedirect = (hostname: string): boolean =>
  isLoopbackHost(hostname) || hostname.endsWith('.localhost') || /^(?:127|0)\.[\d.]+$/.test(hostname)

/** Whether every redirect URI of the client leads to this computer by http(s): then any program on it can pretend to be the client. */
export const isLoopbackOnly = ({ redirect_uris }: Client): boolean =>
  redirect_uris.every((uri) => {
    const { protocol, hostname } = new URL(uri)
    return (protocol === 'https:' || protocol === 'http:') && isLoopbackRedirect(hostname)
  })
