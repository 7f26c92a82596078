/** The document that tells a client where to get a token for this API: RFC 9728. */

export interface ProtectedResourceMetadata {
  resource: string
  authorization_servers: string[]
  scopes_supported: string[]
  bearer_methods_supported: string[]
}

/** RFC 9728 §3.1: the well-known part goes between host and path. */
export function metadataUrl(resource: string): string {
  const { origin, pathname, search } = new URL(resource)
  return `${origin}/.well-known/oauth-protected-resource${pathname === '/' ? '' : pathname}${search}`
}

const CORS = { 'access-control-allow-origin': '*' }

/** The answer to a request for the document at `url`; null for a request for anything else. */
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
    // The host is left aside: behind a proxy it is not the one that clients see.
    const asked = new URL(request.url)
    if (asked.pathname !== pathname || (search !== '' && asked.search !== search)) return null
    if (request.method === 'GET' || request.method === 'HEAD')
      return new Response(request.method === 'HEAD' ? null : body, { headers })
    if (request.method === 'OPTIONS') return preflight()
    return new Response(null, { status: 405, headers: { allow: 'GET, HEAD, OPTIONS' } })
  }
}

/** Pages of other origins read the document too, some of them with headers of their own. */
const preflight = (): Response =>
  new Response(null, {
    status: 204,
    headers: {
      ...CORS,
      'access-control-allow-methods': 'GET, HEAD, OPTIONS',
      'access-control-allow-headers': 'Authorization, Content-Type, MCP-Protocol-Version',
      'access-control-max-age': '86400',
    },
  })
