/** What a server says about its admin API, and about who signs administrators in: RFC 9728, then OpenID Connect Discovery. */

import type { Configuration, DPoPHandle } from 'openid-client'
import { CLI_CLIENT_ID } from '../client.js'
import { limitedFetch } from '../http/limited-fetch.js'
import { LoginError } from '../login-error.js'
import { isSecure, printable } from '../server-origin.js'
import type { ProofKey } from '../store/credentials.js'

/** Loaded when it is used. */
export const load = () => import('openid-client')

/** Seconds for a request, as openid-client has it. */
const REQUEST_SECONDS = 30

const API_PATH = '/admin/api/v1'

/** The admin API of a server. */
export interface AdminApi {
  /** Its identifier and address. */
  resource: string
  issuer: string
  scopes: readonly string[]
}

/** @param server Its origin. @throws LoginError */
export async function discoverApi(server: string): Promise<AdminApi> {
  const url = `${server}/.well-known/oauth-protected-resource${API_PATH}`
  const response = await limitedFetch(url, {
    method: 'GET',
    headers: { accept: 'application/json' },
    body: undefined,
    redirect: 'manual',
    signal: AbortSignal.timeout(REQUEST_SECONDS * 1000),
  })
  if (response.status === 404)
    throw new LoginError(`${server} has no admin API: set admin.enabled in its configuration`)
  const found: unknown = response.status === 200 ? await response.json().catch(() => null) : null
  if (typeof found !== 'object' || found === null)
    throw new LoginError(`${url} is not the metadata of an admin API`)
  const { resource, authorization_servers, scopes_supported } = found as Record<string, unknown>
  if (resource !== `${server}${API_PATH}`)
    throw new LoginError(`The admin API of ${server} has another address: ${printable(String(resource))}`)
  const issuer = listOf(authorization_servers).find(
    (text) => URL.canParse(text) && new URL(text).origin === server,
  )
  if (issuer === undefined) throw new LoginError(`The admin API of ${server} names no issuer of this server`)
  return { resource, issuer, scopes: listOf(scopes_supported).filter((scope) => scope.startsWith('admin.')) }
}

const listOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []

/** The realm of the administrators, for the client of the command line. @throws LoginError, or an error of openid-client */
export async function discoverIssuer(issuer: string): Promise<Configuration> {
  const { discovery, None, allowInsecureRequests, customFetch } = await load()
  const url = new URL(issuer)
  if (!isSecure(url)) throw new LoginError(`The issuer ${issuer} is not https`)
  return discovery(url, CLI_CLIENT_ID, undefined, None(), {
    [customFetch]: limitedFetch,
    timeout: REQUEST_SECONDS,
    ...(url.protocol === 'http:' && { execute: [allowInsecureRequests] }),
  })
}

/** A new private key for DPoP proofs (RFC 9449); null where the server knows none with it. */
export async function newProofKey(config: Configuration): Promise<ProofKey | null> {
  if (!config.serverMetadata().dpop_signing_alg_values_supported?.includes('ES256')) return null
  const { privateKey } = await crypto.subtle.generateKey(P_256, true, ['sign', 'verify'])
  const { kty, crv, x, y, d } = (await crypto.subtle.exportKey('jwk', privateKey)) as unknown as ProofKey
  return { kty, crv, x, y, d }
}

const P_256 = { name: 'ECDSA', namedCurve: 'P-256' }

/** What makes the proofs; nothing without a key. */
export async function proofs(config: Configuration, key: ProofKey | null): Promise<{ DPoP?: DPoPHandle }> {
  if (key === null) return {}
  const { getDPoPHandle } = await load()
  const { kty, crv, x, y } = key
  const [privateKey, publicKey] = await Promise.all([
    crypto.subtle.importKey('jwk', key, P_256, false, ['sign']),
    crypto.subtle.importKey('jwk', { kty, crv, x, y }, P_256, true, ['verify']),
  ])
  return { DPoP: getDPoPHandle(config, { privateKey, publicKey }) }
}
