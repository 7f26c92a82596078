/** Client authentication: RFC 6749 §2.3, by exactly one method, which the client is registered for. */

import { base64url } from 'jose'
import { OAuthError } from '../http/errors.js'
import type { Params } from '../http/params.js'
import type { AuthenticatedClient, Context, SentCredentials } from '../realm/context.js'
import type { RefusalReason } from '../refusals/hints.js'
import type { Client, TokenEndpointAuthMethod } from '../storage/storage.js'
import { authMethods } from '../util/auth-methods.js'
import { utf8Text } from '../util/base64url.js'
import { sameSecret } from '../util/secret.js'
import { countWrongSecret, refuseBlocked } from './wrong-secrets.js'

/** A request to an endpoint at which clients authenticate. */
export interface ClientRequest {
  params: Params
  /** The URL of the endpoint, as discovery publishes it. */
  endpoint: string
  /** Whether the client's metadata document may be fetched; otherwise what is stored or in memory counts. */
  may_fetch?: boolean
  /** An endpoint whose URL the `aud` of an assertion may also have (RFC 9126 §2). */
  other_endpoint?: string
}

/**
 * @throws OAuthError `invalid_client`, the same for every cause; `invalid_request` for two mechanisms, or half of one;
 * `temporarily_unavailable` 429 after too many wrong secrets.
 */
export async function authenticateClient(
  c: Context,
  { params, endpoint, other_endpoint = endpoint, may_fetch = false }: ClientRequest,
): Promise<AuthenticatedClient> {
  const sent = sentCredentials(c, params)
  const { client_id, method } = sent
  const client = client_id === null ? null : await c.clients.find(client_id, may_fetch ? 'token' : 'known', c)
  const known_id = countedId(client)
  if (sent.guessable) refuseBlocked(c, known_id)
  const unusable = clientRefusal(c, client, method)
  const fault = await sent.fault(unusable === null ? client : null, [endpoint, other_endpoint])
  const reason = unusable ?? fault
  if (client !== null) c.facts.client_id = client.client_id
  if (client !== null && reason === null) return { client, method }
  if (sent.guessable) await countWrongSecret(c, known_id)
  throw authenticationError(c, client, { method, reason: reason ?? 'unknown_client' })
}

/** Whose wrong secrets are counted. A client with a document has none: a stranger could store a counter for each such URL. */
const countedId = (client: Client | null): string | null =>
  client === null || client.origin === 'metadata_document' ? null : client.client_id

/** Why the client may not use the method, or null. */
function clientRefusal(
  { realm }: Context,
  client: Client | null,
  method: TokenEndpointAuthMethod,
): RefusalReason | null {
  if (client === null) return 'unknown_client'
  if (client.revoked_at !== null) return 'revoked_client'
  if (!realm.policy.auth_methods.includes(method)) return 'profile_method'
  return authMethods(client).includes(method) ? null : 'wrong_method'
}

/** As {@link authenticateClient}, for endpoints that a public client may not use. */
export async function authenticateConfidentialClient(c: Context, request: ClientRequest): Promise<Client> {
  const { client, method } = await authenticateClient(c, request)
  if (method === 'none') throw authenticationError(c, client, { method, reason: 'public_client' })
  return client
}

interface Failure {
  method: TokenEndpointAuthMethod | null
  reason: RefusalReason
}

/** Stands in for a missing hash: as long as a SHA-256 in base64url, with no known preimage. */
const DUMMY_HASH = '-'.repeat(43)

function sentCredentials(c: Context, params: Params): SentCredentials {
  for (const method of c.auth_methods) {
    const sent = method(c, params)
    if (sent !== null) return sent
  }
  return secretCredentials(c, sentSecret(c, params))
}

interface SentSecret {
  client_id: string | null
  client_secret: string | null
  method: TokenEndpointAuthMethod
}

const secretCredentials = (
  c: Context,
  { client_id, client_secret, method }: SentSecret,
): SentCredentials => ({
  client_id,
  method,
  guessable: client_secret !== null,
  fault(client) {
    // Always one hash and one comparison, so that the duration does not tell which part was wrong.
    const stored = client?.client_secret_hash ?? DUMMY_HASH
    const matches = sameSecret(c.hashes.sha256(client_secret ?? ''), stored)
    return method !== 'none' && !matches ? 'wrong_secret' : null
  },
})

function sentSecret(c: Context, params: Params): SentSecret {
  const header = c.request.headers.get('authorization')
  const client_id = params.get('client_id')
  const client_secret = params.get('client_secret')
  if (header === null) {
    const method = client_secret === null ? 'none' : 'client_secret_post'
    return { client_id, client_secret, method }
  }
  const basic = parseBasic(header)
  if (basic === null)
    throw authenticationError(c, null, { method: null, reason: 'malformed_authorization_header' })
  // Libraries send Basic with an empty password for a public client: an empty password is no secret, as an empty parameter.
  const has_password = basic.client_secret !== ''
  if (has_password && client_secret !== null)
    throw invalid('The client secret is given in the header and in the body', 'two_authentications')
  if (client_id !== null && client_id !== basic.client_id)
    throw invalid('The client_id in the body is not the one in the header', 'client_id_differs')
  if (has_password) return { ...basic, method: 'client_secret_basic' }
  const method = client_secret === null ? 'none' : 'client_secret_post'
  return { client_id: basic.client_id, client_secret, method }
}

const invalid = (description: string, reason: RefusalReason): OAuthError =>
  new OAuthError('invalid_request', description, reason)

/** Both parts are form-encoded before they are joined (RFC 6749 §2.3.1). */
function parseBasic(header: string): { client_id: string; client_secret: string } | null {
  const encoded = /^basic +([A-Za-z0-9+/]+={0,2})$/i.exec(header.trim())?.[1]
  if (encoded === undefined) return null
  try {
    const text = utf8Text(base64url.decode(encoded))
    const colon = text.indexOf(':')
    const decode = (part: string) => decodeURIComponent(part.replaceAll('+', ' '))
    const client_id = decode(text.slice(0, colon))
    const client_secret = decode(text.slice(colon + 1))
    return colon < 1 || `${client_id}${client_secret}`.includes('\0') ? null : { client_id, client_secret }
  } catch {
    return null
  }
}

/** @param client Null for an unknown client. */
export function authenticationError(
  c: Context,
  client: Client | null,
  { method, reason }: Failure,
): OAuthError {
  const authentication = { used_method: method, registered_methods: client && authMethods(client) }
  const headers = { 'www-authenticate': `Basic realm="${c.realm.id}"` }
  return new OAuthError('invalid_client', 'Client authentication failed', { reason, authentication, headers })
}
