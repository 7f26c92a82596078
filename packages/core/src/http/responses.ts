/** Responses with JSON or without a body, and the headers that they share. */

import type { OAuthError } from './errors.js'

/** Any origin, since credentials are not allowed: a page reads nothing here that its own server could not fetch. */
export const CORS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'WWW-Authenticate',
}
/** For endpoints that read DPoP proofs: RFC 9449 §8.2. */
export const CORS_WITH_NONCE = { ...CORS, 'access-control-expose-headers': 'WWW-Authenticate, DPoP-Nonce' }
export const NO_STORE = { 'cache-control': 'no-store', pragma: 'no-cache' }
export const JSON_TYPE = { 'content-type': 'application/json', 'x-content-type-options': 'nosniff' }
const PRIVATE_JSON = { ...JSON_TYPE, ...NO_STORE }
const PRIVATE_JSON_FOR_ALL = { ...PRIVATE_JSON, ...CORS }

/** The CORS headers of an endpoint that reads DPoP proofs, by the policy of its realm. */
export const proofCors = ({ proofs }: { readonly proofs: object | null }): Record<string, string> =>
  proofs === null ? CORS : CORS_WITH_NONCE

/** JSON that no cache may store. */
export function json(
  body: unknown,
  init: { status?: number; headers?: Record<string, string> } = {},
): Response {
  return new Response(JSON.stringify(body), {
    status: init.status ?? 200,
    headers: privateJson(init.headers),
  })
}

/** The usual headers are merged once, not for each response. */
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
