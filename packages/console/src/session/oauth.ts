/** The console as an OpenID client of its own server, whose endpoints are called in this process. */

import type * as oauth from 'oauth4webapi'
import { CONSOLE_CLIENT_ID } from '../paths.js'
import type { ProofKey } from './sessions.js'

type OAuth = typeof oauth

/** Answers a request to the server. */
export type Endpoint = (request: Request) => Promise<Response>

export interface ServerOptions {
  issuer: string
  provider: Endpoint
  /** Epoch seconds. */
  now: () => number
}

/** The library, and what it needs for a request to the server. */
export interface AuthorizationServer {
  oauth: OAuth
  metadata: oauth.AuthorizationServer
  client: oauth.Client
  /** For requests to the endpoints of the server. */
  options: object
}

/** Loaded with the first page. */
const load = (): Promise<OAuth> => import('oauth4webapi')

/** A request in this process. */
export const inProcess =
  (endpoint: Endpoint) =>
  (url: string, { method, headers, body }: SentRequest) =>
    endpoint(new Request(url, { method, headers, ...(body != null && { body: body as string }) }))

interface SentRequest {
  method: string
  headers: Record<string, string>
  body?: unknown
}

/** Reads the metadata each time: they are in memory, and a reload may change them. */
export async function openServer({ issuer, provider, now }: ServerOptions): Promise<AuthorizationServer> {
  const library = await load()
  const options = { [library.customFetch]: inProcess(provider), [library.allowInsecureRequests]: true }
  const url = new URL(issuer)
  const metadata = await library.processDiscoveryResponse(url, await library.discoveryRequest(url, options))
  const clock = now() - Math.floor(Date.now() / 1000)
  const client = { client_id: CONSOLE_CLIENT_ID, [library.clockSkew]: clock }
  return { oauth: library, metadata, client, options }
}

const P_256 = { name: 'ECDSA', namedCurve: 'P-256' }

/** A new private key for DPoP proofs (RFC 9449); null where the server knows none with it. */
export async function newProofKey({ metadata }: AuthorizationServer): Promise<ProofKey | null> {
  if (!metadata.dpop_signing_alg_values_supported?.includes('ES256')) return null
  const { privateKey } = await crypto.subtle.generateKey(P_256, true, ['sign', 'verify'])
  const { kty, crv, x, y, d } = await crypto.subtle.exportKey('jwk', privateKey)
  return { kty, crv, x, y, d } as ProofKey
}

/** What makes the proofs; empty without a key. */
export async function proofsOf(
  { oauth: library, client }: Pick<AuthorizationServer, 'oauth' | 'client'>,
  key: ProofKey | null,
): Promise<{ DPoP?: oauth.DPoPHandle }> {
  if (key === null) return {}
  const { d: _, ...shared } = key
  const [privateKey, publicKey] = await Promise.all([
    crypto.subtle.importKey('jwk', key, P_256, false, ['sign']),
    crypto.subtle.importKey('jwk', shared, P_256, true, ['verify']),
  ])
  return { DPoP: library.DPoP(client, { privateKey, publicKey }) }
}

/** Sends a request again with the nonce of the answer, once. */
export async function withNonce<Result>(
  { isDPoPNonceError }: OAuth,
  send: () => Promise<Result>,
): Promise<Result> {
  try {
    return await send()
  } catch (error) {
    if (!isDPoPNonceError(error)) throw error
    return send()
  }
}
