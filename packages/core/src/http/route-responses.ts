/** The responses of routing and of pages: redirects, preflights, 404, 405, and copies with other headers. */

import { CORS, CORS_WITH_NONCE, json, NO_STORE } from './responses.js'

export function redirect(location: string, status: 302 | 303, cookies: string[] = []): Response {
  const fields = { ...NO_STORE, location, 'referrer-policy': 'no-referrer' }
  if (cookies.length === 0) return new Response(null, { status, headers: fields })
  const headers = new Headers(fields)
  for (const cookie of cookies) headers.append('set-cookie', cookie)
  return new Response(null, { status, headers })
}

/** A copy with one more cookie: the headers of the application's responses may be immutable. */
export function withCookie(response: Response, cookie: string): Response {
  const headers = new Headers(response.headers)
  headers.append('set-cookie', cookie)
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers })
}

/** The answer to HEAD (RFC 9110 §9.3.2). */
export const withoutBody = ({ status, statusText, headers }: Response): Response =>
  new Response(null, { status, statusText, headers })

const ALLOWED_HEADERS = 'Authorization, Content-Type, MCP-Protocol-Version'

/** @param with_proofs Whether the endpoint reads DPoP proofs. */
export const preflight = (methods: readonly string[], with_proofs: boolean): Response =>
  new Response(null, {
    status: 204,
    headers: {
      ...(with_proofs ? CORS_WITH_NONCE : CORS),
      'access-control-allow-methods': [...methods, 'OPTIONS'].join(', '),
      'access-control-allow-headers': with_proofs ? `${ALLOWED_HEADERS}, DPoP` : ALLOWED_HEADERS,
      'access-control-max-age': '86400',
    },
  })

export const notFound = (
  headers: Record<string, string> = {},
  error_description = 'There is nothing at this address',
): Response => json({ error: 'not_found', error_description }, { status: 404, headers })

/** RFC 9110 §15.5.6, with a code of RFC 6749 §5.2: OAuth has none for a wrong method. */
export const methodNotAllowed = (
  methods: readonly string[],
  headers: Record<string, string> = {},
): Response =>
  json(
    { error: 'invalid_request', error_description: `This address takes ${methods.join(' and ')}` },
    { status: 405, headers: { ...headers, allow: methods.join(', ') } },
  )
