/** The metadata document, which tells clients where to get a token for this API: RFC 9728. */

import { type IssuerUnavailableError, unavailable } from './unavailable.js'

/** The members of the metadata document that are used here (RFC 9728 §2). */
export interface ProtectedResourceMetadata {
  resource: string
  authorization_servers: string[]
  scopes_supported: string[]
  bearer_methods_supported: string[]
  /** With DPoP: the accepted signature algorithms of proofs. */
  dpop_signing_alg_values_supported?: string[]
  /** With DPoP: whether every token has to be bound to a key. */
  dpop_bound_access_tokens_required?: boolean
}

/** The URL of the metadata document: the well-known part is between host and path (RFC 9728 §3.1). */
export function metadataUrl(resource: string): string {
  const { origin, pathname, search } = new URL(resource)
  return `${origin}/.well-known/oauth-protected-resource${pathname === '/' ? '' : pathname}${search}`
}

const CORS = { 'access-control-allow-origin': '*' }

/** Responds to requests for the document at `url`; null for other requests. */
export function metadataHandler(
  url: string,
  document: ProtectedResourceMetadata,
): (request: Request) => Response | null {
  const { pathname, search } = new URL(url)
  const headers = {
    'content-type': 'application/json',
    'x-content-type-options': 'nosniff',
    'cache-control': 'max-age=3600, public',
    ...CORS,
  }
  const body = JSON.stringify(document)
  return (request) => {
    // The host is not compared: behind a proxy it differs from the one that clients use.
    const requested = new URL(request.url)
    if (requested.pathname !== pathname || (search !== '' && requested.search !== search)) return null
    if (request.method === 'GET' || request.method === 'HEAD')
      return new Response(request.method === 'HEAD' ? null : body, { headers })
    if (request.method === 'OPTIONS') return preflight(document)
    return new Response(null, { status: 405, headers: { allow: 'GET, HEAD, OPTIONS' } })
  }
}

interface Discovery {
  /** The error of a discovery document that names another issuer. Null when it names this one, and while there is none. */
  mismatch(): Promise<IssuerUnavailableError | null>
}

/**
 * The same, until discovery has shown that the issuer in the document is wrong: then 503. Otherwise a client compares it with the one that
 * it finds (RFC 8414 §3.3), gives up, and sends no token whose refusal would tell the operator. The look at discovery is not awaited: the
 * document does not need it, and the issuer may be away.
 */
export function whileRight(
  answer: (request: Request) => Response | null,
  { mismatch }: Discovery,
  on_unavailable: (error: IssuerUnavailableError, request: Request) => void,
): (request: Request) => Response | null {
  let is_wrong = false
  const look = async (request: Request) => {
    const error = await mismatch()
    is_wrong = error !== null
    if (error) on_unavailable(error, request)
  }
  return (request) => {
    const response = answer(request)
    if (response?.status !== 200) return response
    // Nobody waits for what the application's `on_unavailable` throws.
    look(request).catch(() => {})
    return is_wrong ? unavailable() : response
  }
}

/** The answer to a CORS preflight: pages of other origins read the document too, some with custom headers. */
function preflight({ dpop_signing_alg_values_supported: dpop }: ProtectedResourceMetadata): Response {
  const allowed = ['Authorization', 'Content-Type', 'MCP-Protocol-Version', ...(dpop ? ['DPoP'] : [])]
  return new Response(null, {
    status: 204,
    headers: {
      ...CORS,
      'access-control-allow-methods': 'GET, HEAD, OPTIONS',
      'access-control-allow-headers': allowed.join(', '),
      'access-control-max-age': '86400',
    },
  })
}
