/** Which requests a stored consent covers, and which clients need none. */

import type { Client, Consent } from '../storage.js'
import { authMethods } from './auth-methods.js'
import { isLoopbackHost } from './loopback.js'
import { includesAll } from './scope.js'

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
