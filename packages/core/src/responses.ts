/** The forms an answer takes. */

import type { OAuthError } from './errors.js'

/** No credentials: whatever a page of another origin reads here, it could fetch by itself. */
export const CORS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'WWW-Authenticate',
}
const NO_STORE = { 'cache-control': 'no-store', pragma: 'no-cache' }
export const JSON_TYPE = { 'content-type': 'application/json', 'x-content-type-options': 'nosniff' }
const PRIVATE_JSON = { ...JSON_TYPE, ...NO_STORE }
const PRIVATE_JSON_FOR_ALL = { ...PRIVATE_JSON, ...CORS }

/** JSON that nobody may keep. */
export function json(
  body: unknown,
  init: { status?: number; headers?: Record<string, string> } = {},
): Response {
  return new Response(JSON.stringify(body), {
    status: init.status ?? 200,
    headers: privateJson(init.headers),
  })
}

/** Put together beforehand for what nearly every answer has. */
function privateJson(headers: Record<string, string> | undefined): Record<string, string> {
  if (headers === undefined) return PRIVATE_JSON
  return headers === CORS ? PRIVATE_JSON_FOR_ALL : { ...PRIVATE_JSON, ...headers }
}

export const empty = (status: number, headers: Record<string, string> = {}): Response =>
  new Response(null, { status, headers: { ...NO_STORE, ...headers } })

/** RFC 6749 §5.2. */
export function errorJson(error: OAuthError, headers: Record<string, string> = {}): Response {
  return json(
    { error: error.code, error_description: error.description },
    { status: error.status, headers: { ...error.headers, ...headers } },
  )
}

/** 303 after a form, so that the browser follows with GET and without the form's secrets; 302 otherwise. */
export function redirect(location: string, method: string, cookies: string[] = []): Response {
  const headers = new Headers({ location, ...NO_STORE, 'referrer-policy': 'no-referrer' })
  for (const cookie of cookies) headers.append('set-cookie', cookie)
  return new Response(null, { status: method === 'GET' ? 302 : 303, headers })
}

/** The same answer with one more cookie; the application's own answers may be immutable. */
export function withCookie(response: Response, cookie: string): Response {
  const headers = new Headers(response.headers)
  headers.append('set-cookie', cookie)
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers })
}

/** The answer to HEAD (RFC 9110 §9.3.2). */
export const withoutBody = ({ status, statusText, headers }: Response): Response =>
  new Response(null, { status, statusText, headers })

/** For what somebody else has answered; the application's own guard may do so with headers that are immutable. */
export function withCors(response: Response): Response {
  const { status, statusText } = response
  const headers = { ...Object.fromEntries(response.headers), ...CORS }
  return new Response(response.body, { status, statusText, headers })
}

export const preflight = (methods: readonly string[]): Response =>
  new Response(null, {
    status: 204,
    headers: {
      ...CORS,
      'access-control-allow-methods': [...methods, 'OPTIONS'].join(', '),
      'access-control-allow-headers': 'Authorization, Content-Type, MCP-Protocol-Version',
      'access-control-max-age': '86400',
    },
  })

export const notFound = (headers: Record<string, string> = {}): Response =>
  json(
    { error: 'not_found', error_description: 'There is nothing at this address' },
    { status: 404, headers },
  )

/** RFC 9110 §15.5.6. */
export const methodNotAllowed = (
  methods: readonly string[],
  headers: Record<string, string> = {},
): Response =>
  json(
    { error: 'method_not_allowed', error_description: `This address takes ${methods.join(' and ')}` },
    { status: 405, headers: { ...headers, allow: methods.join(', ') } },
  )
